#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/model/predict.hpp"
#include "harness/results/result_file.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {

/// A row that the model has something to say of: its own time on one machine.
struct PredictedRow {
    std::string experiment, name, variant, clock;
    Prediction prediction;
    std::optional<double> measured = {};    ///< us, on that machine
    std::optional<Interval> interval = {};  ///< of a forecast: where nine of ten such rows lie elsewhere
    std::optional<Limit> limit = {};        ///< on that machine

    /// Predicted / measured.
    double ratio() const { return prediction.time / *measured; }
};

/// What the model says of the timed rows of a file on `machine`, in the file's order. The rows say what is
/// run; `measured` is their median where `machine` is the file's own (`own`). Peers' rows, and rows that this
/// program no longer plans, are left out.
std::vector<PredictedRow> predicted_rows(const std::string& experiment, const ResultFile& file,
                                         const MachineLimits& machine, bool own);

/// How far the model was off, over rows that are measured: ratios of predicted and measured time.
struct ModelError {
    std::string experiment, clock;  ///< empty: all
    std::size_t rows = 0;
    double median = 1;             ///< of the greater over the lesser
    double ninth = 1;              ///< of which nine of ten are within
    std::size_t within_fifth = 0;  ///< rows within 20 %
    double low = 1, high = 1;      ///< measured / predicted: where the middle nine of ten lie
};

/// By study and clock, and over all rows of a clock.
std::vector<ModelError> errors_of(const std::vector<PredictedRow>& rows);

/// Gives each row the interval that the errors of its study and clock elsewhere make.
void set_intervals(std::vector<PredictedRow>& rows, const std::vector<ModelError>& errors);

/// A pair's ratio as a data sheet's machine is forecast to give it.
struct CardRatio {
    std::string machine;
    int year;
    double ratio;
};

/// What would turn a claim's direction on a machine: the pair of rows that turns most easily.
struct Flip {
    std::string claim, pair;
    double ratio;              ///< of the pair, as measured
    std::string ceiling = {};  ///< empty: none within a hundredfold turns it
    double factor = 0;         ///< how many times as large that ceiling's number would have to be
    /// On the other delivered GPUs, oldest first; none where the machine has no sheet of its own to scale by.
    std::vector<CardRatio> cards = {};
};
/// "with 0.5 times gpu_l2_bandwidth (32x32 / 32x8)"
std::string words_of(const Flip& flip);
nlohmann::json json_of(const Flip& flip);

/// The factor nearest to 1, within a hundredth and a hundredfold, at which `ratio` (1 where nothing changes)
/// comes to 1 / `measured`; none where it does not. In steps of 5 %.
std::optional<double> turning_factor(double measured, const std::function<double(double)>& ratio);

/// For each claim of the study that compares pairs of rows: which ceiling, all others as they are, would have
/// to be how many times as large for the model to turn the pair's ratio past 1. Left out are pairs of which
/// the model is not right: it must be within 20 % of both rows, and order them as measured.
std::vector<Flip> flips_of(const std::string& experiment, const ResultFile& file);

// Machines that nobody measured here, as their data sheets and publications describe them.

/// A sheet as the model's limits, with what had to be assumed.
struct SheetLimits {
    MachineLimits limits;
    std::string kind;                        ///< "gpu" or "cpu": the other side is not forecast
    std::map<std::string, std::string> how;  ///< by ceiling: the sheet's source, or what was assumed
    std::vector<std::string> assumed;        ///< "gpu_launch: as on NVIDIA H200", a line each
};

/// Sheets that are delivered, by their id ("a100-sxm4-80gb").
const nlohmann::json& delivered_sheets();

/// Throws UsageError, with `label` in front, for a sheet that lacks what it must have, and for nonsense: a
/// number that is not above 0, an unknown ceiling, a memory faster than the caches before it.
void check_sheet(const nlohmann::json& sheet, const std::string& label);

/// A file with one sheet, checked, or the delivered one of that id. Throws UsageError for neither.
nlohmann::json read_sheet(const std::string& file_or_id);

/// What a sheet does not say in the words of a measured ceiling follows from `reference`, a machine with a
/// sheet of its own: a peak is reached to the same share there and here; latencies of the chip are as many
/// clocks, rates as many a clock and multiprocessor; launches take as long.
SheetLimits limits_of_sheet(const nlohmann::json& sheet, const MachineLimits& reference,
                            const nlohmann::json& reference_sheet);

/// The forecast of a study as a result file: a row for each time of `base` on the sheet's side of the
/// machine, with the status forecast, or skipped where the model says nothing.
ResultFile forecast_file(const std::string& experiment, const std::vector<PredictedRow>& rows,
                         const SheetLimits& made, const nlohmann::json& sheet, const ResultFile& base);

}  // namespace gridmark::harness

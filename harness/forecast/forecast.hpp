#pragma once

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

}  // namespace gridmark::harness

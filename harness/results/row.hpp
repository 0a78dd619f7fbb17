#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/statistics/statistics.hpp"
#include "kernels/launch/kernel_info.hpp"

/// A row of a result file, and which rows a selector takes. Rows are JSON only in files and pipes
/// (harness/result.schema.json); everything else takes and gives Row.
namespace gridmark::harness {

/// The value of a parameter, as a result file holds it.
using Value = std::variant<bool, std::int64_t, double, std::string>;
using Parameters = std::map<std::string, Value>;

/// The value of that key; where there is none, or one of another type, `otherwise`.
template <class T>
T value_of(const Parameters& parameters, const std::string& key, T otherwise) {
    const auto found = parameters.find(key);
    if (found == parameters.end()) return otherwise;
    const T* const held = std::get_if<T>(&found->second);
    return held == nullptr ? otherwise : *held;
}

/// As the command line takes it: "4096", "0.1", "float", "yes".
std::string to_text(const Value& value);

/// From a flat JSON object: words, numbers and truths.
Parameters parameters_from(const nlohmann::json& object);
/// The same back.
nlohmann::json json_of(const Parameters& parameters);

/// Bytes of memory at once.
struct Memory {
    double host = 0, gpu = 0;
};

/// What a variant was checked against at the configuration that is timed, and how far it was off.
struct Verification {
    std::string against;
    double error, tolerance;
    int steps;
    std::optional<double> scale =
        {};  ///< the reference's largest value; none: of other quantities than fields

    bool passed() const { return error <= tolerance; }  // false for NaN
    /// Whether the tolerance is small beside the field: at most a hundredth of its largest value. A field
    /// whose size is not known, in older files, counts as 1.
    bool can_fail() const { return tolerance <= 0.01 * scale.value_or(1); }
};

/// A lower bound of a row: what it must at least move and compute, at the ceiling that takes longest for it.
struct Limit {
    std::string ceiling;
    double value;  ///< the least time that the ceiling allows, in `unit`
    std::string unit;
    double share = 0;  ///< limit / measured: 1 is the ceiling
};

/// A ceiling that a row beats by more than this share is no ceiling of that row.
constexpr double beaten_share = 1.02;

/// What binds a row by the model (harness/model): an estimate, which rows may beat.
struct Binding {
    std::string ceiling;
    double term;  ///< what the model's largest term takes
    double time;  ///< what the model says of the row
    std::string unit;
};

/// The share of the CPU time above which what others take disturbs; a quiet machine shows less.
constexpr double noticed_share = 0.02;

/// A time is unstable where the medians of its processes differ by more than this factor.
constexpr double steady_factor = 2;

/// What others took while a row was measured: other programs, or a quota.
struct Disturbance {
    std::vector<std::string> by;  ///< "others took 40 % of the CPU time"
    bool allowed = false;         ///< the run was told to let such rows count (--allow-shared)
};

/// Hardware and software events of one iteration pass.
struct Counters {
    std::map<std::string, std::int64_t> counts;  ///< of the events that could be counted
    std::map<std::string, std::string> reasons;  ///< why not the others; a file says it once, in its context
};

/// A forecast holds a number that a model made (docs/forecast.md): it is never measured().
enum class Status { ok, estimate, skipped, failed, forecast };
/// "ok", "estimate", "skipped", "failed", "forecast".
const char* to_string(Status status);

/// One quantity of one variant at one configuration: its samples, and what follows from them.
struct Row {
    std::string name;  ///< "jacobi/gpu_shared/512x256/float/32x32/32x8/shared/kernel/hot"
    std::string experiment, variant;
    Parameters parameters;
    std::string quantity = "time", unit = "us";
    std::string clock = {};  ///< "kernel", "step" or "wall"; empty: none

    std::int64_t iterations = 0;       ///< steps that a sample takes
    std::vector<double> samples = {};  ///< in the order in which they were taken, in `unit`
    std::vector<std::size_t> process_samples =
        {};                    ///< how many of them each process added; empty: one process
    std::string group = {};    ///< rows with an equal value were measured in turns; empty: by itself
    std::string stopped = {};  ///< why sampling stopped: "interval", "budget", "limit" or "exact"

    Status status = Status::ok;
    std::string reason = {};            ///< why it is an estimate or holds no number; empty for `ok`
    std::optional<double> median = {};  ///< none: skipped or failed
    std::optional<Interval> interval =
        {};  ///< that holds a repeat's median (row_interval()); none for a published or a derived value
    std::optional<std::size_t> outliers = {};

    std::optional<Verification> verification = {};
    std::optional<Memory> memory = {};             ///< that it takes while it is measured
    std::optional<double> bytes = {}, flops = {};  ///< of a step: least traffic, operations
    std::optional<Limit> limit = {};
    std::optional<Limit> beaten_limit = {};    ///< in place of `limit`: the row is faster by over 2 %
    std::optional<Binding> binding = {};       ///< none: the model does not know all of it
    std::optional<Limit> stepwise_limit = {};  ///< with temporal blocking: the limit of a step at a time
    /// Of a difference of two times: what machines of one model differ by at least, in `unit` (spread.hpp).
    std::optional<double> machines_differ_by = {};
    /// Of a GPU's step: its plain launches, the link each way and the host's own work, added up, by their
    /// ceilings, in `unit`.
    std::optional<double> by_host = {};
    std::string made_by = {};     ///< of peers: the framework and its version
    std::string counted_by = {};  ///< of profiled rows: the profiler's counters, as a formula
    std::optional<launch::KernelInfo> kernel = {};
    std::optional<Counters> counters = {};
    /// Of timelines: when it was busy, [begin, end] in `unit` from the pass's begin.
    std::optional<std::vector<Interval>> spans = {};
    std::optional<Disturbance> disturbed = {};  ///< none: nothing was seen that disturbed it

    /// True when it holds a number: status ok or estimate.
    bool measured() const { return status == Status::ok || status == Status::estimate; }
    bool is_time() const { return quantity == "time"; }
    /// Why it is no base of a verdict or a comparison although it holds a number: "disturbed: ..." or
    /// "unstable: ..."; else empty.
    std::string why_unfit() const;
    /// True when a verdict or a comparison may rest on it.
    bool fit() const { return measured() && why_unfit().empty(); }
    /// Adds what disturbed it; it is allowed while all that disturbed it was.
    void disturb(const Disturbance& more);
    /// How many samples each process added; a row that does not say is one process.
    std::vector<std::size_t> samples_by_process() const;
    /// Holds its limits against its median; one that the row beats is a beaten one from now on.
    void set_shares();
    /// Its samples; of a row that has none its median alone (a published value).
    std::vector<double> values() const;
};

/// A row that the schema allows, from a result file or a child process. Throws nlohmann::json::exception for
/// any other. These two are what nlohmann/json calls to convert.
void from_json(const nlohmann::json& from, Row& row);
/// The same back.
void to_json(nlohmann::json& to, const Row& row);

/// The value that a selector's key reads: `variant`, `quantity`, `clock`, `status`, `experiment` or a
/// parameter; null when there is none.
nlohmann::json selected_value(const Row& row, const std::string& key);

/// True when the row matches a selector of a study.json: an object of the keys above, each with the value
/// that the row must have, or a list of which it must have one; null is what a row lacks. "status":
/// "measured" stands for ok or estimate.
bool matches(const nlohmann::json& selector, const Row& row);

/// The rows that match all selectors.
std::vector<Row> select_rows(const std::vector<Row>& rows, const std::vector<nlohmann::json>& selectors);

}  // namespace gridmark::harness

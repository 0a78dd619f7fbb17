#include "harness/run/combined.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/results/ratio.hpp"
#include "harness/results/spread.hpp"
#include "harness/run/prepared.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

/// A row that another one is made from.
struct Source {
    std::string name;
    const Row* row;  ///< null when the run left it out
};

/// Why nothing can be made of the sources: the first that holds no number. Empty if all do.
std::optional<MissingReason> without_number(const std::vector<Source>& sources) {
    for (const auto& [name, row] : sources) {
        if (row == nullptr) return MissingReason{Status::skipped, name + " was not measured"};
        if (!row->measured()) return MissingReason{row->status, row->reason};
    }
    return std::nullopt;
}

/// What is made of estimates is one, for the reason of the first; of the disturbed ones, where there are any.
void inherit_estimate(Row& row, const std::vector<Source>& sources) {
    for (const Source& source : sources)
        if (source.row->disturbed) row.disturb(*source.row->disturbed);
    auto found =
        std::ranges::find_if(sources, [](const Source& source) { return !source.row->why_unfit().empty(); });
    if (found == sources.end())
        found = std::ranges::find_if(
            sources, [](const Source& source) { return source.row->status == Status::estimate; });
    if (found == sources.end()) return;
    row.status = Status::estimate;
    row.reason = found->row->reason;
}

/// Differences within each process that measured both, and how many each gave.
struct Samples {
    std::vector<double> values;
    std::vector<std::size_t> process_samples;
};

Samples subtract(const Row& minuend, const Row& subtrahend) {
    const auto m = minuend.values(), s = subtrahend.values();
    const auto m_processes = minuend.samples_by_process(), s_processes = subtrahend.samples_by_process();
    Samples result;
    std::size_t at_m = 0, at_s = 0;
    for (std::size_t l = 0; l < std::min(m_processes.size(), s_processes.size()); ++l) {
        const std::size_t count = std::min(m_processes[l], s_processes[l]);
        for (std::size_t k = 0; k < count; ++k)
            result.values.push_back(m[at_m + k] - s[at_s + k]);
        result.process_samples.push_back(count);
        at_m += m_processes[l];
        at_s += s_processes[l];
    }
    return result;
}

/// The sources' medians in each process; empty where they were not measured in the same number of them.
std::vector<std::vector<double>> medians_by_process(const std::vector<Source>& sources) {
    std::size_t processes = 0;
    for (const Source& source : sources)
        processes = std::max(processes, source.row->samples_by_process().size());
    std::vector<std::vector<double>> medians(processes);
    for (const auto& [name, row] : sources) {
        const auto own = process_medians(row->values(), row->samples_by_process());
        const bool exact = row->samples.size() <= 1;
        if (!exact && own.size() != processes) return {};
        for (std::size_t k = 0; k < processes; ++k)
            medians[k].push_back(exact ? *row->median : own[k]);
    }
    return medians;
}

}  // namespace

Row compute_row(const std::string& experiment, const Computed& computed, bool& gpu_lost) {
    double value = 0;
    if (const auto none = attempt([&] { value = finite(computed.value()); }, gpu_lost))
        return quantity_row(experiment, computed, none->status, none->reason);
    Row row = quantity_row(experiment, computed, Status::ok, "");
    set_exact_value(row, value);
    return row;
}

Row difference_row(const std::string& experiment, const Difference& difference, const FindRow& find,
                   const Standards& standards) {
    const Row *minuend = find(difference.minuend), *subtrahend = find(difference.subtrahend);
    const std::vector<Source> sources{{difference.minuend, minuend}, {difference.subtrahend, subtrahend}};
    if (const auto none = without_number(sources))
        return quantity_row(experiment, difference, none->status, none->reason);
    Row result = quantity_row(experiment, difference, Status::ok, "");
    const Samples samples = subtract(*minuend, *subtrahend);
    set_samples(result, samples.values);
    result.process_samples = samples.process_samples;
    result.verification = minuend->verification;
    result.machines_differ_by = machines_of_difference(*minuend, *subtrahend);
    finish_row(result, standards);
    inherit_estimate(result, sources);
    return result;
}

Row derived_row(const std::string& experiment, const Derived& derived, const FindRow& find) {
    std::vector<Source> sources;
    for (const std::string& name : derived.from)
        sources.push_back({name, find(name)});
    std::optional<MissingReason> none = without_number(sources);
    double value = 0;
    std::vector<double> samples;
    if (!none) {
        std::vector<double> medians;
        for (const Source& source : sources)
            medians.push_back(*source.row->median);
        bool gpu_lost = false;  // arithmetic alone: no GPU is in it
        none = attempt(
            [&] {
                if (derived.by_process)
                    for (const auto& own : medians_by_process(sources))
                        samples.push_back(finite(derived.value(own)));
                value = samples.empty() ? finite(derived.value(medians)) : median(samples);
            },
            gpu_lost);
    }
    if (none) return quantity_row(experiment, derived, none->status, none->reason);
    Row row = quantity_row(experiment, derived, Status::ok, "");
    row.median = value;
    if (!samples.empty()) {
        row.process_samples.assign(samples.size(), 1);
        row.samples = std::move(samples);
        row.interval = row_interval(row);
    }
    inherit_estimate(row, sources);
    return row;
}

std::vector<Row> missing_derived_rows(const std::string& experiment, const Plan& plan,
                                      const std::vector<Row>& rows) {
    std::map<std::string, const Row*> known;
    for (const Row& row : rows)
        known[row.name] = &row;
    const auto find = [&](const std::string& name) {
        const auto found = known.find(name);
        return found == known.end() ? nullptr : found->second;
    };
    std::vector<Row> missing;
    for (const Derived& derived : plan.derived)
        if (!known.contains(derived.name))
            if (Row row = derived_row(experiment, derived, find); row.measured())
                missing.push_back(std::move(row));
    return missing;
}

}  // namespace gridmark::harness

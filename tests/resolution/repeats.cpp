#include "tests/resolution/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "harness/results/ratio.hpp"
#include "harness/results/result_file.hpp"
#include "harness/results/spread.hpp"

namespace gridmark::resolution {
namespace {

using namespace gridmark::harness;

/// A row, the same of its repeat.
using Repeat = std::pair<Row, Row>;

/// The rows of times, or of their differences, that both folders have, of three processes or more each,
/// either as the other's repeat.
std::vector<Repeat> repeats(const std::string& one, const std::string& other) {
    const auto counts = [](const Row& row) {
        return row.fit() && row.samples_by_process().size() >= 3 && time_kind(row) != TimeKind::other;
    };
    std::map<std::string, Row> known;
    for (const auto& [experiment, file] : load_result_set(one).files)
        for (const Row& row : file.rows)
            if (counts(row)) known.emplace(row.name, row);
    std::vector<Repeat> found;
    for (const auto& [experiment, file] : load_result_set(other).files)
        for (const Row& row : file.rows)
            if (const auto at = known.find(row.name); at != known.end() && counts(row)) {
                found.emplace_back(at->second, row);
                found.emplace_back(row, at->second);
            }
    return found;
}

std::vector<Repeat> of_kind(const std::vector<Repeat>& all, TimeKind kind) {
    std::vector<Repeat> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const Repeat& repeat) { return time_kind(repeat.first) == kind; });
    return some;
}

/// What the processes of a row say of one more; nothing where one has no logarithm.
double reach_of_processes(const Row& row) {
    const auto medians = process_medians(row.values(), row.samples_by_process());
    return std::ranges::all_of(medians, [](double m) { return m > 0; })
               ? reach_of_a_process(medians, confidence)
               : 0;
}

/// The least that machines must be said to differ by, so that 95 of 100 repeats lie within it or what the
/// processes say: more than the 90 that are promised, since other models differ otherwise. To half a per
/// cent.
double fitted(const std::vector<Repeat>& some) {
    std::vector<double> apart;
    for (const auto& [row, again] : some) {
        if (!(*row.median > 0) || !(*again.median > 0)) continue;
        const double difference = std::abs(std::log(*again.median / *row.median));
        apart.push_back(difference <= reach_of_processes(row) ? 0 : difference);
    }
    std::sort(apart.begin(), apart.end());
    const auto at = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(apart.size())));
    return apart.empty() ? 0 : std::round(200 * apart[at - 1]) / 200;
}

std::string percent(std::ptrdiff_t part, std::size_t all) {
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

/// Repeats that the rows' own intervals hold, of how many rows: "90.1 % of 328". Each was tried either way.
std::string covered(const std::vector<Repeat>& some) {
    const auto held = std::ranges::count_if(some, [](const Repeat& repeat) {
        const Interval interval = row_interval(repeat.first);
        return interval.low <= *repeat.second.median && *repeat.second.median <= interval.high;
    });
    return some.empty() ? "-" : fmt::format("{} of {}", percent(held, some.size()), some.size() / 2);
}

/// Half the width of the rows' intervals, at the median.
std::string half_width(const std::vector<Repeat>& some) {
    std::vector<double> widths;
    for (const auto& [row, again] : some)
        if (const Interval interval = row_interval(row); interval.low > 0)
            widths.push_back(std::log(interval.high / interval.low) / 2);
    return widths.empty() ? "-" : fmt::format("{:.2f} %", 100 * median(widths));
}

/// The same, were machines said to differ by `machines`.
std::string covered_by(const std::vector<Repeat>& some, double machines) {
    const auto held = std::ranges::count_if(some, [&](const Repeat& repeat) {
        const double ratio = *repeat.second.median / *repeat.first.median;
        return ratio > 0 && std::abs(std::log(ratio)) <= std::max(machines, reach_of_processes(repeat.first));
    });
    return some.empty() ? "-" : percent(held, some.size());
}

}  // namespace

std::string table_of_repeats(const std::string& fit, const std::string& fit_again, const std::string& tried,
                             const std::string& tried_again) {
    const auto fitting = repeats(fit, fit_again), trying = repeats(tried, tried_again);
    std::string text =
        "| time | machines differ by | rows that repeat, where fitted | where tried | half the width there | "
        "fitted there instead | and rows that repeat, where tried then |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n";
    const auto per_cent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
    const auto line = [&](const std::string& name, const std::string& machines,
                          const std::vector<Repeat>& here, const std::vector<Repeat>& there, bool is_fitted) {
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, machines, covered(here),
                            covered(there), half_width(there), is_fitted ? per_cent(fitted(there)) : "-",
                            is_fitted ? covered_by(here, fitted(there)) : "-");
    };
    std::vector<Repeat> fitting_gpu, trying_gpu;
    for (const auto& [kind, name] : {std::pair{TimeKind::kernel, "kernel"},
                                     {TimeKind::step, "step"},
                                     {TimeKind::step_by_host, "up to the host"}}) {
        const auto here = of_kind(fitting, kind), there = of_kind(trying, kind);
        const std::string used = per_cent(machine_reach(kind)), found = per_cent(fitted(here));
        line(name, used == found ? used : fmt::format("{} (fitted: {})", used, found), here, there, true);
        fitting_gpu.insert(fitting_gpu.end(), here.begin(), here.end());
        trying_gpu.insert(trying_gpu.end(), there.begin(), there.end());
    }
    line("all of a GPU", "-", fitting_gpu, trying_gpu, false);
    line("difference of two", "by what each does", of_kind(fitting, TimeKind::difference),
         of_kind(trying, TimeKind::difference), false);
    line("CPU", "-", of_kind(fitting, TimeKind::wall), of_kind(trying, TimeKind::wall), false);
    return text;
}

}  // namespace gridmark::resolution

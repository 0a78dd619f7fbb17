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

/// The timed rows that both folders have, of three processes or more each, either as the other's repeat.
std::vector<Repeat> repeats(const std::string& one, const std::string& other) {
    std::map<std::string, Row> known;
    for (const auto& [experiment, file] : load_result_set(one).files)
        for (const Row& row : file.rows)
            if (row.fit() && row.samples_by_process().size() >= 3) known.emplace(row.name, row);
    std::vector<Repeat> found;
    for (const auto& [experiment, file] : load_result_set(other).files)
        for (const Row& row : file.rows)
            if (const auto at = known.find(row.name);
                at != known.end() && row.fit() && row.samples_by_process().size() >= 3) {
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

/// The least that machines must be said to differ by, so that 95 of 100 repeats lie within it or what the
/// processes say: more than the 90 that are promised, since other models differ otherwise. To half a per
/// cent.
double fitted(const std::vector<Repeat>& some) {
    std::vector<double> apart;
    for (const auto& [row, again] : some) {
        const double difference = std::abs(std::log(*again.median / *row.median));
        const auto medians = process_medians(row.values(), row.samples_by_process());
        apart.push_back(difference <= reach_of_a_process(medians, confidence) ? 0 : difference);
    }
    std::sort(apart.begin(), apart.end());
    const auto at = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(apart.size())));
    return apart.empty() ? 0 : std::round(200 * apart[at - 1]) / 200;
}

/// "90.1 % of 656", and half the width at the median.
std::string covered(const std::vector<Repeat>& some) {
    if (some.empty()) return "- | -";
    std::size_t held = 0;
    std::vector<double> widths;
    for (const auto& [row, again] : some) {
        const Interval interval = row_interval(row);
        held += interval.low <= *again.median && *again.median <= interval.high ? 1 : 0;
        widths.push_back(std::log(interval.high / interval.low) / 2);
    }
    return fmt::format("{:.1f} % of {} | {:.2f} %",
                       100.0 * static_cast<double>(held) / static_cast<double>(some.size()), some.size(),
                       100 * median(widths));
}

}  // namespace

std::string table_of_repeats(const std::string& fit, const std::string& fit_again, const std::string& tried,
                             const std::string& tried_again) {
    const auto fitting = repeats(fit, fit_again), trying = repeats(tried, tried_again);
    std::string text =
        "| time | machines differ by: fitted | used | repeats held, fitted on | half the width | repeats "
        "held, "
        "tried on | half the width |\n| --- | --- | --- | --- | --- | --- | --- |\n";
    std::vector<Repeat> fitting_gpu, trying_gpu;
    const auto line = [&](const std::string& name, const std::string& fitted_words, const std::string& used,
                          const auto& a, const auto& b) {
        text += fmt::format("| {} | {} | {} | {} | {} |\n", name, fitted_words, used, covered(a), covered(b));
    };
    for (const auto& [kind, name] : {std::pair{TimeKind::kernel, "kernel"},
                                     {TimeKind::step, "step"},
                                     {TimeKind::step_by_host, "step that the host binds"}}) {
        const auto a = of_kind(fitting, kind), b = of_kind(trying, kind);
        line(name, fmt::format("{:.1f} %", 100 * fitted(a)),
             fmt::format("{:.1f} %", 100 * machine_reach(kind)), a, b);
        fitting_gpu.insert(fitting_gpu.end(), a.begin(), a.end());
        trying_gpu.insert(trying_gpu.end(), b.begin(), b.end());
    }
    line("all of a GPU", "-", "-", fitting_gpu, trying_gpu);
    line("CPU", "-", "-", of_kind(fitting, TimeKind::wall), of_kind(trying, TimeKind::wall));
    return text;
}

}  // namespace gridmark::resolution

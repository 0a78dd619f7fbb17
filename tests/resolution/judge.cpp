// gridmark_resolution_judge SET... -- SLOWER_SET...: counts how often comparisons see a difference where
// there is none (sets of one program against each other) and where there is one (against sets that do 34
// steps for 33), by the rules that `gridmark compare` and the verdicts have. Sets are folders with
// resolution.json.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "harness/compare/compare.hpp"
#include "harness/results/result_file.hpp"
#include "harness/results/row.hpp"
#include "harness/usage_error.hpp"

namespace {

using namespace gridmark::harness;
using nlohmann::json;
using Set = std::map<std::string, json>;  // measured rows by name

struct Count {
    std::size_t seen = 0, of = 0;
    std::string text() const {
        return of == 0 ? "none to count"
                       : fmt::format("{} of {} ({:.1f} %)", seen, of,
                                     100.0 * static_cast<double>(seen) / static_cast<double>(of));
    }
};

Set load(const std::string& folder) {
    Set set;
    const json document = read_result_file(folder + "/resolution.json");
    for (const json& row : document["benchmarks"])
        if (is_measured(row)) set[row["name"]] = row;
    return set;
}

/// Rows of GPU clocks of one set against another, as `gridmark compare` judges them.
void compare(const Set& base, const Set& fresh, const char* verdict, Count& count,
             std::vector<double>* ratios) {
    for (const auto& [name, row] : fresh) {
        if (row["clock"] == "wall" || !base.contains(name)) continue;
        const RowComparison c = compare_rows(base.at(name), row);
        ++count.of;
        const bool resolved = c.verdict == "faster" || c.verdict == "slower";
        if (verdict == nullptr ? resolved : c.verdict == verdict) ++count.seen;
        if (ratios != nullptr) ratios->push_back(c.ratio);
    }
}

/// Rows of the CPU that one run took in turns, as verdicts judge a ratio: the interval lies beside 1.
void compare_in_turns(const Set& set, const char* what, bool either, Count& count,
                      std::vector<double>& ratios) {
    for (const auto& [name, base] : set) {
        const auto at = name.find("/first/wall");
        if (at == std::string::npos) continue;
        const auto other = set.find(name.substr(0, at) + what + "/wall");
        if (other == set.end()) continue;
        const Ratio ratio = row_ratio(other->second, base, Runs::same);
        ++count.of;
        if (ratio.interval.low > 1 || (either && ratio.interval.high < 1)) ++count.seen;
        ratios.push_back(ratio.value);
    }
}

std::string range(std::vector<double> values) {
    if (values.empty()) return "-";
    std::sort(values.begin(), values.end());
    return fmt::format("{:.4f} ({:.4f} to {:.4f})", median(values), values.front(), values.back());
}

int judge(const std::vector<Set>& same, const std::vector<Set>& slower) {
    Count gpu_false, gpu_found, cpu_false, cpu_found;
    std::vector<double> gpu_same, gpu_slower, cpu_same, cpu_slower;
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < same.size(); ++i)
        for (std::size_t j = i + 1; j < same.size(); ++j, ++pairs)
            compare(same[i], same[j], nullptr, gpu_false, &gpu_same);
    for (const Set& base : same)
        for (const Set& set : slower)
            compare(base, set, "slower", gpu_found, &gpu_slower);
    for (const auto* sets : {&same, &slower})
        for (const Set& set : *sets) {
            compare_in_turns(set, "/again", true, cpu_false, cpu_same);
            compare_in_turns(set, "/slower", false, cpu_found, cpu_slower);
        }
    fmt::print(
        "| clock | compared | ratio: median (least to most) | difference seen |\n| --- | --- | --- | --- "
        "|\n");
    fmt::print("| GPU kernel | {} pairs of sets of one program | {} | {} |\n", pairs, range(gpu_same),
               gpu_false.text());
    fmt::print("| GPU kernel | {} pairs with a set that does 34 steps for 33 | {} | {} |\n",
               same.size() * slower.size(), range(gpu_slower), gpu_found.text());
    fmt::print("| CPU wall | {} runs, the same twice in turns | {} | {} |\n", same.size() + slower.size(),
               range(cpu_same), cpu_false.text());
    fmt::print("| CPU wall | {} runs, 34 steps for 33 in turns | {} | {} |\n", same.size() + slower.size(),
               range(cpu_slower), cpu_found.text());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<Set> same, slower;
    try {
        bool after = false;
        for (int i = 1; i < argc; ++i) {
            if (std::strcmp(argv[i], "--") == 0)
                after = true;
            else
                (after ? slower : same).push_back(load(argv[i]));
        }
        if (same.empty()) throw UsageError("gridmark_resolution_judge SET... -- SLOWER_SET...");
        return judge(same, slower);
    } catch (const std::exception& error) {
        fmt::print(stderr, "gridmark: {}\n", error.what());
        return 2;
    }
}

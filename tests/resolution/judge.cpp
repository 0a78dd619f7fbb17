// gridmark_resolution_judge --same SET... --slower SET... [--cpu SET...]...: counts how often comparisons see
// a difference where there is none (sets of one program against each other) and where there is one (against
// sets that do 34 steps for 33), as `gridmark compare` judges; and the same of CPU rows that were taken in
// turns, for each run made of the processes of several sets. Sets are folders with resolution.json.
//
// gridmark_resolution_judge --repeats FIT FIT_AGAIN TRIED TRIED_AGAIN: how often a row's interval holds its
// repeat on other machines of the model (table_of_repeats()).

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/compare/compare.hpp"
#include "harness/results/result_file.hpp"
#include "harness/results/row.hpp"
#include "harness/usage_error.hpp"
#include "tests/resolution/repeats.hpp"

namespace {

using namespace gridmark::harness;
using Set = std::map<std::string, Row>;  // measured rows by name

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
    for (const Row& row : read_result_file(folder + "/resolution.json").rows)
        if (row.measured()) set.emplace(row.name, row);
    return set;
}

/// Rows of GPU clocks of one set against another, as `gridmark compare` judges them.
void compare(const Set& base, const Set& fresh, const char* verdict, Count& count,
             std::vector<double>& ratios) {
    for (const auto& [name, row] : fresh) {
        if (row.clock == "wall" || !base.contains(name)) continue;
        const RowComparison c = compare_rows(base.at(name), row);
        ++count.of;
        const bool resolved = c.verdict == "faster" || c.verdict == "slower";
        if (verdict == nullptr ? resolved : c.verdict == verdict) ++count.seen;
        ratios.push_back(c.ratio);
    }
}

/// Adds the ratios of a set's CPU rows to the first of each three, one of each process launch: launches took
/// them in turns.
void add_launches(const Set& set, const char* what, std::map<std::string, std::vector<double>>& ratios) {
    for (const auto& [name, base] : set) {
        const auto at = name.find("/first/wall");
        if (at == std::string::npos) continue;
        const auto other = set.find(name.substr(0, at) + what + "/wall");
        if (other == set.end() || base.samples_by_process() != other->second.samples_by_process()) continue;
        const auto samples = other->second.values(), base_samples = base.values();
        std::span<const double> n(samples), d(base_samples);
        for (const std::size_t count : base.samples_by_process()) {
            ratios[name].push_back(paired_ratio(n.first(count), d.first(count)).value);
            n = n.subspan(count), d = d.subspan(count);
        }
    }
}

/// CPU rows of sets that count as one run of all their processes: a difference is seen where the rank
/// interval of the launches' ratios lies outside of [1/1.01, 1.01].
void compare_in_turns(const std::vector<Set>& sets, const char* what, bool either, Count& count,
                      std::vector<double>& values) {
    constexpr double margin = 1.01;
    std::map<std::string, std::vector<double>> ratios;
    for (const Set& set : sets)
        add_launches(set, what, ratios);
    for (const auto& [name, of_launches] : ratios) {
        const Interval interval = median_interval(of_launches);
        ++count.of;
        if (interval.low > margin || (either && interval.high < 1 / margin)) ++count.seen;
        values.push_back(median(of_launches));
    }
}

std::string range(std::vector<double> values) {
    if (values.empty()) return "-";
    std::sort(values.begin(), values.end());
    return fmt::format("{:.4f} ({:.4f} to {:.4f})", median(values), values.front(), values.back());
}

void judge_gpu(const std::vector<Set>& same, const std::vector<Set>& slower) {
    Count none, some;
    std::vector<double> ratios, slower_ratios;
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < same.size(); ++i)
        for (std::size_t j = i + 1; j < same.size(); ++j, ++pairs)
            compare(same[i], same[j], nullptr, none, ratios);
    for (const Set& base : same)
        for (const Set& set : slower)
            compare(base, set, "slower", some, slower_ratios);
    fmt::print("| GPU kernel | {} pairs of sets of one program | {} | {} |\n", pairs, range(ratios),
               none.text());
    fmt::print("| GPU kernel | {} pairs with a set that does 34 steps for 33 | {} | {} |\n",
               same.size() * slower.size(), range(slower_ratios), some.text());
}

void judge_cpu(const std::vector<std::vector<Set>>& runs) {
    Count none, some;
    std::vector<double> ratios, slower_ratios;
    for (const auto& run : runs) {
        compare_in_turns(run, "/again", true, none, ratios);
        compare_in_turns(run, "/slower", false, some, slower_ratios);
    }
    fmt::print("| CPU wall | {} runs, the same twice in turns | {} | {} |\n", runs.size(), range(ratios),
               none.text());
    fmt::print("| CPU wall | {} runs, 34 steps for 33 in turns | {} | {} |\n", runs.size(),
               range(slower_ratios), some.text());
}

/// Sets by what stands before them: `--same`, `--slower`, and `--cpu` for each run.
struct Sets {
    std::vector<Set> same, slower;
    std::vector<std::vector<Set>> cpu;
};

Sets read(int argc, char** argv) {
    Sets sets;
    std::vector<Set>* into = nullptr;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--same")
            into = &sets.same;
        else if (word == "--slower")
            into = &sets.slower;
        else if (word == "--cpu")
            into = &sets.cpu.emplace_back();
        else if (into != nullptr)
            into->push_back(load(word));
        else
            throw UsageError(word + ": --same, --slower or --cpu comes first");
    }
    return sets;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 6 && argv[1] == std::string("--repeats")) {
            fmt::print("{}", gridmark::resolution::table_of_repeats(argv[2], argv[3], argv[4], argv[5]));
            return 0;
        }
        const Sets sets = read(argc, argv);
        fmt::print(
            "| clock | compared | ratio: median (least to most) | difference seen |\n"
            "| --- | --- | --- | --- |\n");
        judge_gpu(sets.same, sets.slower);
        judge_cpu(sets.cpu);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "gridmark: {}\n", error.what());
        return 2;
    }
}

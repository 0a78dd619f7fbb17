#include "experiments/pyramid/sweep.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <tuple>

#include "experiments/pyramid/stepper.hpp"
#include "kernels/pyramid/pieces.hpp"

namespace gridmark::pyramid {
namespace {

using harness::PlanContext;
using harness::Preset;

std::size_t padding_of(Rule rule, double s, int height, double tolerance) {
    // Rows and models ask for the same ones again and again.
    static std::map<std::tuple<Rule, double, int, double>, std::size_t> known;
    const auto [entry, is_new] = known.try_emplace({rule, s, height, tolerance});
    if (is_new)
        entry->second = rule == Rule::minimal ? minimal_padding(s, height, tolerance)
                                              : paper_padding(s, height, tolerance);
    return entry->second;
}

template <class T>
Pieces pieces_in(const Sweep& sweep, std::size_t padding) {
    const Version version = version_of(sweep.variant);
    return pieces_of<T>(version, *find_gpu_variant<T>(launch::Executor::host, version.solver), sweep.n,
                        padding, sweep.device_values());
}

std::vector<int> powers_of_two(int last) {
    std::vector<int> heights;
    for (int h = 1; h <= last; h *= 2)
        heights.push_back(h);
    return heights;
}

/// Budgets in MiB, or the one that --device-memory sets.
std::vector<double> budgets(const PlanContext& context, std::vector<double> otherwise) {
    if (context.device_memory == 0) return otherwise;
    return {static_cast<double>(context.device_memory) / 0x1p20};
}

}  // namespace

std::size_t Sweep::device_values() const {
    return static_cast<std::size_t>(budget * 0x1p20) / (precision == "float" ? 4 : 8);
}

std::size_t Sweep::padding(int height) const {
    return padding_of(rule, s, height, tolerance());
}

Pieces Sweep::pieces(int height) const {
    return precision == "float" ? pieces_in<float>(*this, padding(height))
                                : pieces_in<double>(*this, padding(height));
}

std::string Sweep::unavailable_reason(int height) const {
    try {
        pieces(height);
        return {};
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

std::string Sweep::name() const {
    return fmt::format("pyramid/{}/streamed/{}/{}/s_{:g}/{:g}_MiB/{}", variant, n, precision, s, budget,
                       rule == Rule::minimal ? "least_padding" : "paper_padding");
}

harness::Parameters Sweep::parameters() const {
    return {{"n", static_cast<std::int64_t>(n)},
            {"s", s},
            {"precision", precision},
            {"budget_mib", budget},
            {"padding_rule", rule == Rule::minimal ? "least" : "paper"}};
}

harness::Parameters Sweep::parameters(int height) const {
    harness::Parameters all = parameters();
    const std::size_t count = unavailable_reason(height).empty() ? pieces(height).count() : 1;
    all.insert({{"height", height},
                {"padding", static_cast<std::int64_t>(padding(height))},
                {"pieces", static_cast<std::int64_t>(count)}});
    return all;
}

harness::Memory Sweep::memory() const {
    const double word = precision == "float" ? 4 : 8, host = 4 * word * static_cast<double>(n),
                 device = budget * 0x1p20;
    // The CPU in a device's place has no memory of its own.
    if (variant == "cpu_pyramid") return {.host = host + device};
    return {.host = host, .gpu = device};
}

std::vector<std::string> Sweep::timed_rows() const {
    std::vector<std::string> rows;
    for (const int height : heights)
        rows.push_back(
            fmt::format("{}/h_{}/{}", name(), height, variant == "cpu_pyramid" ? "wall" : "step/stream"));
    return rows;
}

std::vector<Sweep> gpu_sweeps(const PlanContext& context) {
    using Numbers = std::vector<double>;
    const bool quick = context.preset == Preset::quick, full = context.preset == Preset::full;
    const std::string paper = paper_version, optimised = "gpu_local_inverse", fastest = "gpu_marching_8";
    const std::size_t tiny = std::size_t{1} << 17, small = std::size_t{1} << 21,
                      middle = std::size_t{1} << 26, large = std::size_t{1} << 28;
    const auto heights = quick  ? std::vector<int>{1, 4, 16, 64}
                         : full ? powers_of_two(256)
                                : std::vector<int>{1, 4, 16, 64, 256};
    std::vector<Sweep> sweeps;
    const auto add = [&](const std::string& variant, std::size_t n, const Numbers& of_s,
                         const std::string& precision, const Numbers& of_budget) {
        for (const double budget : budgets(context, of_budget))
            for (const double s : of_s)
                sweeps.push_back({variant, n, s, budget, precision, Rule::minimal, heights,
                                  variant == optimised && s == 1});
    };
    add(optimised, middle, {1}, "float", full ? Numbers{8, 64} : Numbers{64});
    add(optimised, middle, {1}, "double", {64});
    add(paper, middle, {1}, "float", full ? Numbers{8, 64} : Numbers{64});
    if (full) {
        add(paper, middle, {1}, "double", {64});
        add(optimised, middle, {0.1, 10}, "double", {64});
        add(optimised, large, {0.1, 10}, "float", {64});
        add(optimised, large, {1}, "float", {64, 512});
        add(optimised, large, {1}, "double", {64});
    }
    // Where a step takes so little, a pass must do hundreds of them before its transfers no longer count.
    const auto high = quick  ? std::vector<int>{1, 8, 64}
                      : full ? std::vector<int>{1, 8, 64, 256, 1024, 4096}
                             : std::vector<int>{1, 8, 64, 256, 1024};
    for (const std::size_t n :
         full ? std::vector<std::size_t>{middle, large} : std::vector<std::size_t>{middle})
        for (const double budget : budgets(context, n == large ? Numbers{64, 512} : Numbers{64}))
            sweeps.push_back({fastest, n, 1, budget, "float", Rule::minimal, high, true});
    // Every solver both ways.
    for (const char* variant : {"gpu_cyclic_reduction", one_layer_version, "gpu_cusparse",
                                "gpu_cusparse_synchronous", "gpu_local_inverse_synchronous"})
        for (const double budget : budgets(context, {64}))
            if (!quick)
                sweeps.push_back({variant, middle, 1, budget, "float", Rule::minimal, {1, 16, 64}, false});
    // A device so small that its padding counts: there the paper's height has its best. With minimal padding
    // the device must be smaller still.
    const auto higher = full ? powers_of_two(1024) : std::vector<int>{1, 8, 64, 256, 1024};
    for (const Rule rule : {Rule::minimal, Rule::paper})
        for (const double budget : budgets(context, {1}))
            sweeps.push_back({paper, small, 10, budget, "float", rule, higher, false});
    for (const double budget : budgets(context, {0x1p-5}))
        sweeps.push_back(
            {paper, tiny, 10, budget, "float", Rule::minimal, std::vector<int>{1, 8, 64, 256, 1024}, false});
    return sweeps;
}

std::vector<Sweep> cpu_sweeps(const PlanContext& context) {
    std::vector<std::size_t> sizes{std::size_t{1} << 20};
    if (context.preset == Preset::full) sizes.push_back(std::size_t{1} << 22);
    std::vector<Sweep> sweeps;
    for (const std::size_t n : sizes)
        for (const std::string precision : {"float", "double"})
            for (const double budget : budgets(context, {1}))
                sweeps.push_back(
                    {"cpu_pyramid", n, 1, budget, precision, Rule::minimal,
                     context.preset == Preset::quick ? std::vector<int>{1, 4, 16, 64} : powers_of_two(64),
                     false});
    return sweeps;
}

}  // namespace gridmark::pyramid

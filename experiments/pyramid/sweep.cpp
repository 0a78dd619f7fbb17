#include "experiments/pyramid/sweep.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <tuple>

#include "experiments/pyramid/stepper.hpp"
#include "kernels/pyramid/pieces.hpp"

namespace gridmark::pyramid {
namespace {

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

std::vector<Sweep> sweeps_of(const harness::Plan& plan) {
    std::vector<Sweep> sweeps;
    for (const harness::Group& group : plan.groups) {
        const harness::Point& first = group.points.front();
        const harness::Parameters& of = first.parameters;
        if (!of.contains("padding_rule")) continue;
        Sweep sweep{
            first.variant,
            static_cast<std::size_t>(harness::value_of<std::int64_t>(of, "n", 0)),
            harness::value_of<double>(of, "s", 0),
            harness::value_of<double>(of, "budget_mib", 0),
            harness::value_of<std::string>(of, "precision", ""),
            harness::value_of<std::string>(of, "padding_rule", "") == "least" ? Rule::minimal : Rule::paper,
            {}};
        for (const harness::Point& point : group.points)
            if (!point.parameters.contains("part"))
                sweep.heights.push_back(
                    static_cast<int>(harness::value_of<std::int64_t>(point.parameters, "height", 0)));
        sweeps.push_back(std::move(sweep));
    }
    return sweeps;
}

}  // namespace gridmark::pyramid

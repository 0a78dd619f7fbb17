#include "experiments/pyramid/computed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/pyramid/stepper.hpp"
#include "experiments/pyramid/work.hpp"
#include "kernels/pyramid/pieces.hpp"
#include "kernels/pyramid/problem.hpp"
#include "kernels/pyramid/thomas.hpp"

namespace gridmark::pyramid {
namespace {

using harness::Computed;
using harness::Plan;
using harness::PlanContext;

/// The same driver with the CPU in the device's place.
constexpr const char* on_cpu = "cpu_pyramid";
/// Up to this height the copy engines' records of a pass are taken.
constexpr int highest_recorded = 64;

Computed computed(const std::string& variant, const std::string& name, const harness::Parameters& parameters,
                  const std::string& quantity, const std::string& unit, std::function<double()> value) {
    return {{.name = fmt::format("pyramid/{}/{}", variant, name),
             .variant = variant,
             .parameters = parameters,
             .on_gpu = variant != on_cpu},
            quantity,
            unit,
            std::move(value)};
}

/// A pass of a height, counted once for all rows that ask.
Traffic counted_once(const PlanContext& context, const Sweep& sweep, int height) {
    static std::map<std::string, Traffic> known;
    const auto name = fmt::format("{}/{}", sweep.name(), height);
    if (const auto found = known.find(name); found != known.end()) return found->second;
    return known[name] = counted_pass(*context.gpu, sweep, height, context.threads, context.seed);
}

double sum(const launch::Moved& moved) {
    return static_cast<double>(moved.up + moved.down);
}

/// Adds the error rows of one version.
void add_errors(Plan& plan, const std::string& variant, launch::Device* device, bool whole_map) {
    const auto error = [=](double s, int height, std::size_t padding) {
        return [=] { return error_of_a_pass(*device, variant, s, height, padding); };
    };
    for (int height = 1; height <= (whole_map ? 64 : 1); height *= 2)
        for (const int padding : {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128})
            if (whole_map || padding == 8 || padding == 16)
                plan.computed.push_back(computed(variant, fmt::format("error/s_1/h_{}/p_{}", height, padding),
                                                 {{"s", 1.0}, {"height", height}, {"padding", padding}},
                                                 "error", "1",
                                                 error(1, height, static_cast<std::size_t>(padding))));
    for (const double s : {0.1, 1.0, 10.0})
        for (const int height : {1, 16, 256})
            for (const double tolerance : {1e-6, 1e-12}) {
                const auto name = fmt::format("tolerance/s_{:g}/h_{}/{:g}", s, height, tolerance);
                const harness::Parameters requested = {
                    {"s", s}, {"height", height}, {"tolerance", tolerance}, {"side", "asked"}};
                harness::Parameters achieved = requested;
                achieved["side"] = "found";
                plan.computed.push_back(
                    computed(variant, name + "/asked", requested, "error", "1", [=] { return tolerance; }));
                plan.computed.push_back(computed(variant, name + "/found", achieved, "error", "1", [=] {
                    return error(s, height, minimal_padding(s, height, tolerance))();
                }));
            }
}

}  // namespace

double error_of_a_pass(launch::Device& device, const std::string& variant, double s, int height,
                       std::size_t padding) {
    const Version version = version_of(variant);
    const auto& solver = *find_gpu_variant<double>(device.executor(), version.solver);
    const std::size_t length = std::max<std::size_t>(padding, 500);
    const Pieces pieces{6 * length, length, padding};
    const auto stage =
        std::make_shared<Stage<double>>(device, pieces.n, device_values_of(version, solver, pieces));
    const auto stepper = streamed_stepper<double>(stage, version, solver, s, pieces, height, 1);
    std::vector<double> u(pieces.n, 1.0);
    const auto expected = reference_solve({pieces.n, s}, u, height);
    stepper->start(u, std::vector<double>(pieces.n, std::nan("")));
    stepper->steps(height);
    stepper->read(u);
    double error = 0;
    for (std::size_t i = 0; i < pieces.n; ++i) {
        const double apart = std::abs(u[i] - expected[i]);
        error = std::isfinite(apart) ? std::max(error, apart) : std::nan("");
        if (std::isnan(error)) break;
    }
    return error;
}

void add_traffic(Plan& plan, const PlanContext& context, const Sweep& sweep, bool by_engine) {
    for (const int height : sweep.heights) {
        const auto n = static_cast<double>(sweep.n);
        const auto add = [&](const std::string& word, const std::string& counted, const std::string& quantity,
                             const std::string& unit, std::function<double()> value) {
            Computed row{{.name = fmt::format("{}/h_{}/{}", sweep.name(), height, word),
                          .variant = sweep.variant,
                          .parameters = sweep.parameters(height),
                          .on_gpu = true,
                          .memory = sweep.memory(),
                          .unavailable = sweep.unavailable_reason(height)},
                         quantity,
                         unit,
                         std::move(value)};
            row.parameters["counted"] = counted;
            plan.computed.push_back(std::move(row));
        };
        const auto count = [context, sweep, height] { return counted_once(context, sweep, height); };
        add("moved", "calls", "moved", "bytes a value and step",
            [=] { return sum(count().moved) / (n * height); });
        add("moved_a_pass", "calls", "moved_a_pass", "bytes a value and pass",
            [=] { return sum(count().moved) / n; });
        add("solved", "calls", "solved", "rows a value and step",
            [=] { return static_cast<double>(count().solved) / (n * height); });
        if (by_engine && height <= highest_recorded)
            add("moved/engine", "engine", "moved", "bytes a value and step", [context, sweep, height, n] {
                return sum(recorded_pass(*context.gpu, sweep, height, context.threads, context.seed)) /
                       (n * height);
            });
    }
}

void add_host_layers(Plan& plan, const PlanContext& context, const Sweep& sweep) {
    constexpr int height = 8;
    for (const char* variant : {paper_version, one_layer_version}) {
        Sweep other = sweep;
        other.variant = variant;
        Computed row{{.name = fmt::format("{}/h_{}/host_layers", other.name(), height),
                      .variant = variant,
                      .parameters = other.parameters(height),
                      .on_gpu = true,
                      .memory = other.memory(),
                      .unavailable = other.unavailable_reason(height)},
                     "host_layers",
                     "layers",
                     [=] { return host_layers(*context.gpu, other, height, context.threads, context.seed); }};
        plan.computed.push_back(std::move(row));
    }
}

namespace {

/// Errors over a / b, which decides how fast the inverse decays: to nothing at 0, not at all at 1/2. In
/// multiples of what the steps make of the largest value, so that only |a / b| matters.
void add_pair_errors(Plan& plan) {
    for (const double ratio : {0.1, 0.2, 0.3, 0.4, 0.45, 0.49, 0.499})
        for (const int height : {1, 4, 16})
            for (const int padding : {4, 8, 16, 32, 64, 128}) {
                const double s = pair_of(-ratio, 1).s;
                plan.computed.push_back(
                    computed(on_cpu, fmt::format("error/a_over_b_{:g}/h_{}/p_{}", ratio, height, padding),
                             {{"a_over_b", ratio}, {"s", s}, {"height", height}, {"padding", padding}},
                             "pair_error", "1", [=] {
                                 return error_of_a_pass(cpu_device(), on_cpu, s, height,
                                                        static_cast<std::size_t>(padding));
                             }));
            }
}

}  // namespace

void add_errors(Plan& plan, const PlanContext& context) {
    add_pair_errors(plan);
    add_errors(plan, on_cpu, &cpu_device(), true);
    add_errors(plan, paper_version, context.gpu, false);
}

void add_paddings(Plan& plan) {
    for (const double s : {1.0, 10.0})
        for (const double tolerance : {1e-6, 1e-12})
            for (int height = 1; height <= 256; height *= 2) {
                const auto name = fmt::format("padding/s_{:g}/{:g}/h_{}", s, tolerance, height);
                const harness::Parameters parameters = {
                    {"s", s}, {"tolerance", tolerance}, {"height", height}};
                for (const bool minimal : {true, false}) {
                    auto row = computed(
                        on_cpu, name + (minimal ? "/least" : "/paper"), parameters, "padding", "values", [=] {
                            return static_cast<double>(minimal ? minimal_padding(s, height, tolerance)
                                                               : paper_padding(s, height, tolerance));
                        });
                    row.parameters["padding_rule"] = minimal ? "least" : "paper";
                    plan.computed.push_back(row);
                }
            }
}

}  // namespace gridmark::pyramid

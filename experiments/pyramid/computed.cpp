#include "experiments/pyramid/computed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/pyramid/stepper.hpp"
#include "kernels/pyramid/cost_model.hpp"
#include "kernels/pyramid/pieces.hpp"
#include "kernels/pyramid/thomas.hpp"

namespace gridmark::pyramid {
namespace {

using harness::Computed;
using harness::Plan;

/// By the paper's driver with the CPU in the device's place: in double, of one pass over six pieces.
constexpr const char* variant = "cpu_pyramid";

/// The largest error of a pass. All values start at 1, so that what the pieces leave out adds up.
double error_of_a_pass(double s, int height, std::size_t padding) {
    const auto device = launch::host_device();
    const Version version = version_of(variant);
    const auto& solver = *find_gpu_variant<double>(launch::Executor::host, version.solver);
    const std::size_t length = std::max<std::size_t>(padding, 500);
    const Pieces pieces{6 * length, length, padding};
    const auto stage =
        std::make_shared<Stage<double>>(*device, pieces.n, device_values_of(version, solver, pieces));
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

Computed computed(const std::string& name, const harness::Parameters& parameters, const std::string& quantity,
                  const std::string& unit, std::function<double()> value) {
    return {
        {.name = fmt::format("pyramid/{}/{}", variant, name), .variant = variant, .parameters = parameters},
        quantity,
        unit,
        std::move(value)};
}

/// mu of the estimate: 132 multiprocessors of 128 cores, an H200's. Another number would scale tau_CR, and
/// else only enters with the logarithm of M / mu.
constexpr double cores = 132 * 128;
/// Heights that a predicted best is looked for among: powers of two up to this.
constexpr int highest = 1 << 16;

const char* name_of(Form form) {
    return form == Form::printed ? "printed" : "corrected";
}

/// Fitted to the medians of a sweep's rows, in its order of heights.
Costs fitted(const Sweep& sweep, const std::vector<double>& medians) {
    std::vector<Timed> steps;
    for (std::size_t k = 0; k < sweep.heights.size(); ++k)
        steps.push_back({sweep.pieces(sweep.heights[k]), sweep.heights[k], medians[k]});
    return fit(steps, cores);
}

double best_height(const Sweep& sweep, const Costs& costs, Form form) {
    int best = 1;
    double shortest = step_time(costs, sweep.pieces(1), 1, cores, form);
    for (int h = 2; h <= highest && sweep.unavailable_reason(h).empty(); h *= 2)
        if (const double time = step_time(costs, sweep.pieces(h), h, cores, form); time < shortest) {
            shortest = time;
            best = h;
        }
    return best;
}

harness::Derived derived(const Sweep& sweep, const std::string& what, const std::string& quantity,
                         const std::string& unit) {
    return {{.name = sweep.name() + "/" + what, .variant = sweep.variant, .parameters = sweep.parameters()},
            quantity,
            unit,
            sweep.timed_rows(),
            {}};
}

}  // namespace

void add_traffic(Plan& plan, const Sweep& sweep) {
    for (const int height : sweep.heights) {
        const std::string unavailable_reason = sweep.unavailable_reason(height);
        const Pieces pieces = unavailable_reason.empty() ? sweep.pieces(height) : Pieces{sweep.n, sweep.n, 0};
        const double n = static_cast<double>(sweep.n), padded = static_cast<double>(pieces.padded()),
                     size = sweep.precision == "float" ? 4 : 8;
        Computed row{{.name = fmt::format("{}/h_{}/moved", sweep.name(), height),
                      .variant = sweep.variant,
                      .parameters = sweep.parameters()},
                     "moved",
                     "bytes a value and step",
                     [=] { return size * (n + padded) / (n * height); }};
        row.parameters.insert({{"height", height},
                               {"padding", static_cast<std::int64_t>(sweep.padding(height))},
                               {"pieces", static_cast<std::int64_t>(pieces.count())}});
        plan.computed.push_back(row);
        row.name = fmt::format("{}/h_{}/solved", sweep.name(), height);
        row.quantity = "solved";
        row.unit = "rows a value and step";
        row.value = [=] { return padded / n; };
        plan.computed.push_back(row);
    }
}

void add_errors(Plan& plan) {
    for (int height = 1; height <= 64; height *= 2)
        for (const int padding : {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128})
            plan.computed.push_back(computed(fmt::format("error/s_1/h_{}/p_{}", height, padding),
                                             {{"s", 1.0}, {"height", height}, {"padding", padding}}, "error",
                                             "1", [=] { return error_of_a_pass(1, height, padding); }));
    for (const double s : {0.1, 1.0, 10.0})
        for (const int height : {1, 16, 256})
            for (const double tolerance : {1e-6, 1e-12}) {
                const auto name = fmt::format("tolerance/s_{:g}/h_{}/{:g}", s, height, tolerance);
                const harness::Parameters requested = {
                    {"s", s}, {"height", height}, {"tolerance", tolerance}, {"side", "asked"}};
                harness::Parameters achieved = requested;
                achieved["side"] = "found";
                plan.computed.push_back(
                    computed(name + "/asked", requested, "error", "1", [=] { return tolerance; }));
                plan.computed.push_back(computed(name + "/found", achieved, "error", "1", [=] {
                    return error_of_a_pass(s, height, minimal_padding(s, height, tolerance));
                }));
            }
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
                        name + (minimal ? "/least" : "/paper"), parameters, "padding", "values", [=] {
                            return static_cast<double>(minimal ? minimal_padding(s, height, tolerance)
                                                               : paper_padding(s, height, tolerance));
                        });
                    row.parameters["padding_rule"] = minimal ? "least" : "paper";
                    plan.computed.push_back(row);
                }
            }
}

void add_models(harness::Plan& plan, const Sweep& sweep) {
    for (const bool reduction : {true, false}) {
        const std::string quantity = reduction ? "tau_reduction" : "tau_transfer";
        auto row = derived(sweep, quantity, quantity, "us");
        row.value = [sweep, reduction](const std::vector<double>& medians) {
            const Costs costs = fitted(sweep, medians);
            return reduction ? costs.reduction : costs.transfer;
        };
        plan.derived.push_back(row);
    }
    for (const Form form : {Form::printed, Form::corrected}) {
        for (const int height : sweep.heights) {
            auto row = derived(sweep, fmt::format("h_{}/model/{}", height, name_of(form)), "model", "us");
            row.parameters.insert({{"height", height}, {"form", name_of(form)}});
            row.value = [sweep, height, form](const std::vector<double>& medians) {
                return step_time(fitted(sweep, medians), sweep.pieces(height), height, cores, form);
            };
            plan.derived.push_back(row);
        }
        auto row = derived(sweep, fmt::format("best_height/{}", name_of(form)), "best_height", "steps");
        row.parameters["by"] = name_of(form);
        row.value = [sweep, form](const std::vector<double>& medians) {
            return best_height(sweep, fitted(sweep, medians), form);
        };
        plan.derived.push_back(row);
    }
    auto row = derived(sweep, "best_height/measured", "best_height", "steps");
    row.parameters["by"] = "measured";
    row.value = [heights = sweep.heights](const std::vector<double>& medians) {
        return heights[std::min_element(medians.begin(), medians.end()) - medians.begin()];
    };
    plan.derived.push_back(row);
}

}  // namespace gridmark::pyramid

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "experiments/pyramid/computed.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "harness/gpu/properties.hpp"
#include "kernels/launch/error.hpp"
#include "kernels/pyramid/cost_model.hpp"
#include "kernels/pyramid/pieces.hpp"

namespace gridmark::pyramid {
namespace {

using Medians = std::vector<double>;

/// Heights that a predicted best is looked for among: powers of two up to this.
constexpr int highest = 1 << 16;

/// The row of mu, the number of the GPU's cores.
std::string cores_row() {
    return fmt::format("pyramid/{}/cores", paper_version);
}

const char* name_of(Form form) {
    return form == Form::printed ? "printed" : "corrected";
}

/// Of `medians`, which are a sweep's times in the order of its heights and mu. Throws launch::Unavailable
/// where a piece has fewer values than the GPU has cores: the estimate's log2(M / mu) is negative then.
Costs fitted(const Sweep& sweep, const Medians& medians, Form form = Form::corrected) {
    for (const int height : sweep.heights)
        if (const auto values = sweep.pieces(height).longest(); static_cast<double>(values) < medians.back())
            throw launch::Unavailable(fmt::format(
                "the estimate needs a value for each core: a piece has {} values, the GPU {:.0f} cores",
                values, medians.back()));
    std::vector<Timed> steps;
    for (std::size_t k = 0; k < sweep.heights.size(); ++k)
        steps.push_back({sweep.pieces(sweep.heights[k]), sweep.heights[k], medians[k]});
    return fit(steps, medians.back(), form);
}

/// By the costs that fit the form `costs` best.
double estimate(const Sweep& sweep, const Medians& medians, int height, Form form,
                Form costs = Form::corrected) {
    return step_time(fitted(sweep, medians, costs), sweep.pieces(height), height, medians.back(), form);
}

double best_height(const Sweep& sweep, const Medians& medians, Form form) {
    const Costs costs = fitted(sweep, medians);
    const double mu = medians.back();
    int best = 1;
    double shortest = step_time(costs, sweep.pieces(1), 1, mu, form);
    for (int h = 2; h <= highest && sweep.unavailable_reason(h).empty(); h *= 2)
        if (const double time = step_time(costs, sweep.pieces(h), h, mu, form); time < shortest) {
            shortest = time;
            best = h;
        }
    return best;
}

/// Time at the height that the estimate chooses among the measured ones / the least time.
double cost_of_choice(const Sweep& sweep, const Medians& medians, Form form) {
    const Costs costs = fitted(sweep, medians);
    std::size_t chosen = 0;
    std::vector<double> estimates;
    for (const int h : sweep.heights)
        estimates.push_back(step_time(costs, sweep.pieces(h), h, medians.back(), form));
    for (std::size_t k = 1; k < estimates.size(); ++k)
        if (estimates[k] < estimates[chosen]) chosen = k;
    return medians[chosen] / *std::min_element(medians.begin(), medians.end() - 1);
}

double least_of(const Medians& times) {
    return *std::min_element(times.begin(), times.end());
}

/// From a sweep's times, in the order of its heights.
harness::Derived of_times(const Sweep& sweep, const std::string& what, const std::string& quantity,
                          const std::string& unit, std::function<double(const Medians&)> value) {
    return {{.name = sweep.name() + "/" + what, .variant = sweep.variant, .parameters = sweep.parameters()},
            quantity,
            unit,
            sweep.timed_rows(),
            std::move(value)};
}

/// The same, and mu after them.
harness::Derived derived(const Sweep& sweep, const std::string& what, const std::string& quantity,
                         const std::string& unit, std::function<double(const Medians&)> value) {
    harness::Derived row = of_times(sweep, what, quantity, unit, std::move(value));
    row.from.push_back(cores_row());
    return row;
}

/// Both forms at a height, and how near they come to its time.
void add_height(harness::Plan& plan, const Sweep& sweep, std::size_t k, Form form) {
    const int height = sweep.heights[k];
    auto model = derived(sweep, fmt::format("h_{}/model/{}", height, name_of(form)), "model", "us",
                         [=](const Medians& m) { return estimate(sweep, m, height, form); });
    model.parameters.insert({{"height", height}, {"form", name_of(form)}});
    auto near = derived(sweep, fmt::format("h_{}/estimated/{}", height, name_of(form)), "estimated", "times",
                        [=](const Medians& m) { return estimate(sweep, m, height, form) / m[k]; });
    near.parameters = model.parameters;
    near.by_process = true;
    plan.derived.push_back(std::move(model));
    plan.derived.push_back(near);
    if (form == Form::corrected) return;
    near.name += "/own_costs";
    near.parameters["costs"] = "own";
    near.value = [=](const Medians& m) { return estimate(sweep, m, height, form, form) / m[k]; };
    plan.derived.push_back(std::move(near));
}

}  // namespace

void add_cores(harness::Plan& plan, const harness::PlanContext& context) {
    plan.computed.push_back({{.name = cores_row(), .variant = paper_version, .on_gpu = true},
                             "cores",
                             "cores",
                             [gpu = context.gpu] {
                                 const auto gpu_is = harness::read_gpu_properties(harness::gpu_ordinal(*gpu));
                                 if (!gpu_is) throw launch::Unavailable(gpu_is.reason);
                                 const auto each =
                                     harness::cores_per_multiprocessor(gpu_is.value->compute_capability);
                                 if (!each) throw launch::Unavailable(each.reason);
                                 return double{1} * gpu_is.value->multiprocessors * *each.value;
                             }});
}

void add_models(harness::Plan& plan, const Sweep& sweep) {
    plan.derived.push_back(derived(sweep, "tau_reduction", "tau_reduction", "us",
                                   [=](const Medians& m) { return fitted(sweep, m).reduction; }));
    plan.derived.push_back(derived(sweep, "tau_transfer", "tau_transfer", "us",
                                   [=](const Medians& m) { return fitted(sweep, m).transfer; }));
    for (const Form form : {Form::printed, Form::corrected}) {
        for (std::size_t k = 0; k < sweep.heights.size(); ++k)
            add_height(plan, sweep, k, form);
        auto best = derived(sweep, fmt::format("best_height/{}", name_of(form)), "best_height", "steps",
                            [=](const Medians& m) { return best_height(sweep, m, form); });
        best.parameters["by"] = name_of(form);
        auto cost = derived(sweep, fmt::format("cost_of_choice/{}", name_of(form)), "cost_of_choice", "times",
                            [=](const Medians& m) { return cost_of_choice(sweep, m, form); });
        cost.parameters["by"] = name_of(form);
        cost.by_process = true;
        plan.derived.push_back(std::move(best));
        plan.derived.push_back(std::move(cost));
    }
}

void add_best(harness::Plan& plan, const TimesOverHeight& times) {
    const auto add = [&](const std::string& quantity, const std::string& unit,
                         std::function<double(const Medians&)> value) {
        harness::Derived row{times.of, quantity, unit, times.rows, std::move(value)};
        row.name += "/" + quantity + "/measured";
        row.parameters["by"] = "measured";
        plan.derived.push_back(std::move(row));
    };
    add("best_height", "steps", [heights = times.heights](const Medians& m) {
        return double{1} * heights[std::min_element(m.begin(), m.end()) - m.begin()];
    });
    add("step_at_height", "us", least_of);
    if (times.in_memory.empty()) return;
    harness::Derived row{times.of, "of_in_memory", "%", times.rows, [](const Medians& m) {
                             return 100 * m.back() / *std::min_element(m.begin(), m.end() - 1);
                         }};
    row.name += "/of_in_memory";
    row.from.push_back(times.in_memory);
    row.by_process = true;
    plan.derived.push_back(std::move(row));
}

void add_best(harness::Plan& plan, const Sweep& sweep) {
    const std::string name =
        fmt::format("pyramid/{}/in_memory/{}/{}", version_of(sweep.variant).solver, sweep.n, sweep.precision);
    const bool is_planned = std::any_of(plan.groups.begin(), plan.groups.end(), [&](const auto& group) {
        return std::any_of(group.points.begin(), group.points.end(),
                           [&](const harness::Point& point) { return point.name == name; });
    });
    const char* suffix = sweep.variant == "cpu_pyramid" ? "/wall" : "/step/stream";
    // Rows in memory are of s = 1.
    const std::string in_memory = sweep.s == 1 && is_planned ? name + suffix : "";
    add_best(plan, {{.name = sweep.name(), .variant = sweep.variant, .parameters = sweep.parameters()},
                    sweep.heights,
                    sweep.timed_rows(),
                    in_memory});
}

void add_choice(harness::Plan& plan, const Sweep& sweep, const harness::MachineLimits& machine) {
    const auto add = [&](const std::string& quantity, const std::string& unit,
                         std::function<double(const Medians&)> value) {
        harness::Derived row = of_times(sweep, quantity + "/ceilings", quantity, unit, std::move(value));
        row.parameters["by"] = "ceilings";
        // Each process is judged by its own best.
        row.by_process = quantity == "cost_of_choice";
        plan.derived.push_back(std::move(row));
    };
    const auto at_choice = [=](const Medians& m) {
        const auto& heights = sweep.heights;
        return m[std::find(heights.begin(), heights.end(), modelled_height(sweep, machine)) -
                 heights.begin()];
    };
    add("best_height", "steps", [=](const Medians&) { return double{1} * modelled_height(sweep, machine); });
    add("step_at_height", "us", at_choice);
    add("cost_of_choice", "times", [=](const Medians& m) { return at_choice(m) / least_of(m); });
}

void add_estimated_counts(harness::Plan& plan, const Sweep& sweep) {
    const double word = sweep.precision == "float" ? 4 : 8;
    for (const int height : sweep.heights) {
        const auto add = [&](const std::string& what, const std::string& quantity, const std::string& counted,
                             std::function<double(const Medians&)> value) {
            harness::Derived row{{.name = fmt::format("{}/h_{}/{}", sweep.name(), height, what),
                                  .variant = sweep.variant,
                                  .parameters = sweep.parameters(height)},
                                 quantity,
                                 "times",
                                 {fmt::format("{}/h_{}/{}", sweep.name(), height, counted)},
                                 std::move(value)};
            plan.derived.push_back(std::move(row));
            return &plan.derived.back();
        };
        for (const Form form : {Form::printed, Form::corrected})
            add(fmt::format("estimated_transfers/{}", name_of(form)), "estimated_transfers", "moved",
                [=](const Medians& m) {
                    // Of a step: values at a cost of 1, and no other cost.
                    const double values = step_time({0, 1}, sweep.pieces(height), height, 1, form);
                    return values * word / (m.front() * static_cast<double>(sweep.n));
                })
                ->parameters["form"] = name_of(form);
        add("estimated_solves", "estimated_solves", "solved", [=](const Medians& m) {
            const Pieces pieces = sweep.pieces(height);
            return static_cast<double>(pieces.longest()) / static_cast<double>(pieces.length) / m.front();
        });
    }
}

}  // namespace gridmark::pyramid

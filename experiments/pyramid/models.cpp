#include "experiments/pyramid/models.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/pyramid/cost_model.hpp"

namespace gridmark::pyramid {
namespace {

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
    double least = step_time(costs, sweep.pieces(1), 1, cores, form);
    for (int h = 2; h <= highest && sweep.unavailable_reason(h).empty(); h *= 2)
        if (const double time = step_time(costs, sweep.pieces(h), h, cores, form); time < least) {
            least = time;
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

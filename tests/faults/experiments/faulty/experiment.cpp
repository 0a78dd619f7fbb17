#include "harness/experiment.hpp"

#include <fmt/format.h>

#include "experiments/faulty/fault.hpp"
#include "experiments/faulty/works.hpp"

#include "embedded/faulty_study.hpp"
#include "harness/availability.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::faulty {
namespace {

using harness::PlanContext;
using harness::Point;
using harness::Series;

Point base_point(const char* variant, int n) {
    Point point;
    point.name = fmt::format("faulty/{}/{}", variant, n);
    point.variant = variant;
    point.parameters = {{"n", n}};
    point.bytes = point.flops = point.working_set = 8000;
    point.iterations = sample_iterations;
    point.samples = 3;
    return point;
}

Point cpu_point(int n) {
    Point point = base_point("cpu", n);
    point.series = {{Series::Clock::wall}};
    point.prepare = [n] { return cpu_work(std::to_string(n)); };
    return point;
}

/// The host executor in the GPU's place.
Point device_point(int n) {
    Point point = base_point("device", n);
    point.series = {{Series::Clock::wall}};
    point.prepare = [n] { return device_work(nullptr, std::to_string(n)); };
    return point;
}

Point gpu_point(const PlanContext& context, int n) {
    Point point = base_point("gpu", n);
    point.series = {{Series::Clock::step, Series::Launch::stream}, {Series::Clock::kernel}};
    point.on_gpu = true;
    point.memory = {.host = 8000, .gpu = 8000};
    point.prepare = [gpu = context.gpu, n] { return device_work(gpu, std::to_string(n)); };
    return point;
}

harness::Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    // The parent, too, makes plans, to name rows, and says so here; it shall not go wrong.
    if (context.no_gpu != "not asked") fault_here("plan", "plan");
    harness::Plan plan;
    plan.groups = {{"first", {cpu_point(1)}},
                   {"together", {cpu_point(2), cpu_point(3)}},
                   {"last", {cpu_point(4)}},
                   {"device", {device_point(5)}}};
    for (const int n : {6, 7, 8})
        plan.groups.push_back({fmt::format("gpu {}", n), {gpu_point(context, n)}});
    plan.computed = {
        {{.name = "faulty/value/9", .variant = "cpu", .parameters = {{"n", 9}}}, "value", "", [] {
             fault_here("9", "value");
             return 9.0;
         }}};
    plan.derived = {{{.name = "faulty/sum", .variant = "cpu", .parameters = {{"n", 10}}},
                     "sum",
                     "us",
                     {"faulty/cpu/1/wall", "faulty/cpu/4/wall"},
                     [](const std::vector<double>& x) { return x[0] + x[1]; }}};
    return plan;
}

}  // namespace

/// CMake enters this function into the list of experiments.
harness::Experiment experiment() {
    using Kind = harness::Variant::Kind;
    const auto solve = [](const harness::SolveRequest&) -> harness::Solution {
        throw harness::UsageError("faulty: there is nothing to solve");
    };
    return {embedded::faulty_study,
            {{"cpu", Kind::cpu}, {"device", Kind::cpu}, {"gpu", Kind::cuda}},
            plan,
            solve};
}

}  // namespace gridmark::faulty

#include "experiments/ginzburg_landau/points.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "experiments/ginzburg_landau/case.hpp"
#include "experiments/ginzburg_landau/stepper.hpp"
#include "kernels/ginzburg_landau/cpu.hpp"

namespace gridmark::ginzburg_landau {

using harness::PlanContext;
using harness::Settings;

template <class T>
Point base_point(const std::string& variant, int n) {
    return harness::field_point<T>("ginzburg_landau", variant, std::to_string(n), {{"n", n}},
                                   n * bytes_per_pair<T>, n * flops_per_pair);
}

template <class T>
double host_bytes(int n, double states) {
    return n * (4.0 * sizeof(T) + 12 * sizeof(double) + 2 * states * sizeof(T));
}

template <class T>
Point cpu_point(const PlanContext& context, const std::string& variant, int n, const harness::Team& team) {
    Point point = base_point<T>(variant, n);
    harness::add_team(point, context, team);
    if (variant != "cpu_overlap") point.working_set *= 2;  // the stages' vectors
    point.series = {{Series::Clock::wall}};
    point.memory.host = host_bytes<T>(n, 18);
    point.prepare = [seed = context.seed, variant, n, threads = team.threads] {
        const auto host = shared_case<T>(n, seed, verified_steps(1));
        return harness::stepper_work<T>(host, nullptr, cpu_stepper<T>(host->problem, variant, threads));
    };
    return point;
}

template <class T>
Point gpu_point(const PlanContext& context, const std::string& variant, int n, int block,
                std::vector<Series> series) {
    const GpuVariant<T>& found = *find_gpu_variant<T>(launch::Executor::host, variant);
    Point point = base_point<T>(variant, n);
    if (found.takes_block || found.steps_per_launch.most == 1)
        point.add(fmt::format("block_{}", block), {{"block", block}});
    if (found.repeated_share != nullptr)
        point.parameters["repeated_percent"] = std::round(1e4 * found.repeated_share(n, block)) / 100;
    point.launches = found.launches;
    point.working_set *= 1 + found.scratch_states / 2.0;
    point.series = std::move(series);
    const double state = 2.0 * n * sizeof(T);
    point.on_gpu = true;
    point.own_memory.gpu = (2 + found.scratch_states) * state;
    point.memory = {.host = host_bytes<T>(n, 1), .gpu = 2 * state + point.own_memory.gpu};
    if (found.demand != nullptr)
        point.demands = [&found, n, block](const launch::Chip& chip) {
            return found.demand(medium(n), block, found.steps_per_launch.most, chip);
        };
    point.prepare = [gpu = context.gpu, seed = context.seed, variant, n, block,
                     most = found.steps_per_launch.most] {
        const auto host = shared_case<T>(n, seed, verified_steps(most));
        return harness::stepper_work<T>(host, nullptr, gpu_stepper<T>(*gpu, host->problem, variant, block));
    };
    if (found.steps_per_launch.most == 1) return point;
    point.steps = found.steps_per_launch.most;
    point.add(fmt::format("steps_{}", point.steps), {});
    if (!found.steps_in_memory) point.share_bytes(point.steps);
    if (context.gpu != nullptr) {
        try {
            find_gpu_variant<T>(context.gpu->executor(), variant)->check(medium(n), block);
        } catch (const std::invalid_argument& error) {
            point.unavailable = error.what();
        }
    }
    return point;
}

namespace {

template <class T>
std::vector<Point> points_in(const PlanContext& context, const std::string& variant, const Settings& settings,
                             int n) {
    if (const auto* const found = find_gpu_variant<T>(launch::Executor::host, variant)) {
        const int block = static_cast<int>(settings.integer("block", published_block, 1, 1 << 20));
        // Of many steps a launch the device decides: gpu_point() asks it.
        if (found->steps_per_launch.most == 1) found->check(medium(n), block);
        return {gpu_point<T>(context, variant, n, block, harness::all_clocks)};
    }
    for (const CpuVariant<T>& entry : cpu_variants<T>)
        if (entry.name == variant && !entry.parallel) return {cpu_point<T>(context, variant, n, {"one", 1})};
    harness::Team team = harness::team_of(context, settings);
    if (team.name == "some" && team.threads == published_threads) team.name = "four";
    return {cpu_point<T>(context, variant, n, team)};
}

}  // namespace

std::set<std::string> axes() {
    return {"n", "precision", "block", "threads"};
}

std::vector<Point> points(const PlanContext& context, const std::string& variant, const Settings& settings) {
    const int n = static_cast<int>(settings.integer("n", published[0], 1, 1 << 28));
    return harness::in_precision(
        settings, [&](auto zero) { return points_in<decltype(zero)>(context, variant, settings, n); },
        "double");
}

#define GRIDMARK_INSTANTIATE(T)                                                                     \
    template Point base_point<T>(const std::string&, int);                                          \
    template double host_bytes<T>(int, double);                                                     \
    template Point cpu_point<T>(const PlanContext&, const std::string&, int, const harness::Team&); \
    template Point gpu_point<T>(const PlanContext&, const std::string&, int, int, std::vector<Series>);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::ginzburg_landau

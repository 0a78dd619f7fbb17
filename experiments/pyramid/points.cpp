#include "experiments/pyramid/points.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "experiments/pyramid/box.hpp"
#include "experiments/pyramid/height.hpp"
#include "experiments/pyramid/medium_points.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "harness/points.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::pyramid {

using harness::PlanContext;
using harness::Settings;

template <class T>
Point base_point(const std::string& variant, std::size_t n, double s) {
    return harness::field_point<T>(
        "pyramid", variant, fmt::format("in_memory/{}", n), {{"n", static_cast<std::int64_t>(n)}, {"s", s}},
        bytes_per_value<T> * static_cast<double>(n), flops_per_value * static_cast<double>(n));
}

namespace {

template <class T>
int steps_per_launch(const std::string& variant) {
    const auto* solver = find_gpu_variant<T>(launch::Executor::host, variant);
    return solver == nullptr ? 1 : solver->steps_per_launch.most;
}

/// A solver of a GPU that holds the rod.
template <class T>
Point in_memory_point(const PlanContext& context, const std::string& variant, std::size_t n, double s) {
    const GpuVariant<T>& solver = *find_gpu_variant<T>(launch::Executor::host, variant);
    Point point = base_point<T>(variant, n, s);
    point.series = {{Series::Clock::kernel}, {Series::Clock::step, Series::Launch::stream}};
    point.steps = solver.steps_per_launch.most;
    point.share_bytes(point.steps);
    point.on_gpu = true;
    point.own_memory.gpu = static_cast<double>((solver.in_place ? n : 2 * n) + solver.scratch(n)) * sizeof(T);
    point.memory = {.host = host_bytes<T>(n, 0), .gpu = point.own_memory.gpu};
    if (solver.demand != nullptr)
        point.demands = [&solver, n, s](const launch::Chip& chip) {
            return solver.demand(s, n, solver.steps_per_launch.most, chip);
        };
    else
        point.launches = solver.launches(n);
    point.prepare = [gpu = context.gpu, seed = context.seed, variant, n, s] {
        return in_memory_work<T>(*gpu, variant, n, s, seed);
    };
    return point;
}

/// A version of a rod in the host's memory.
template <class T>
Point cpu_point(const PlanContext& context, const CpuVariant& cpu, std::size_t n, double s, int threads) {
    const std::string variant(cpu.name);
    Point point = base_point<T>(variant, n, s);
    point.unavailable = cpu.unavailable_reason();
    point.parameters["threads"] = threads;
    point.series = {{Series::Clock::wall}};
    // LAPACK has its matrix twice.
    point.memory.host = host_bytes<T>(n, cpu.lapack ? 8 : 4);
    point.prepare = [seed = context.seed, variant, threads, n, s] {
        return cpu_work<T>(variant, n, s, threads, seed);
    };
    return point;
}

/// A height of a sweep, or a part of it.
template <class T>
Point sweep_point(const PlanContext& context, const Sweep& sweep, int height, Part part, int threads) {
    const bool on_cpu = sweep.variant == "cpu_pyramid";
    const std::string unavailable_reason = sweep.unavailable_reason(height);
    const Pieces pieces = unavailable_reason.empty() ? sweep.pieces(height) : Pieces{sweep.n, sweep.n, 0};
    Point point = base_point<T>(sweep.variant, sweep.n, sweep.s);
    point.name = fmt::format("{}/h_{}", sweep.name(), height);
    point.unavailable = unavailable_reason;
    point.parameters = sweep.parameters(height);
    if (on_cpu) point.parameters["threads"] = threads;
    const int launch = steps_per_launch<T>(sweep.variant);
    if (height >= launch) point.share_bytes(launch);
    // A sample is one pass.
    point.iterations = height;
    point.samples = 3;
    const Version version = version_of(sweep.variant);
    declare_pass(point, {version, sweep.s}, *find_gpu_variant<T>(launch::Executor::host, version.solver),
                 pieces, height);
    keep_part(point, part);
    point.series = {on_cpu ? Series{Series::Clock::wall}
                           : Series{Series::Clock::step, Series::Launch::stream}};
    point.on_gpu = !on_cpu;
    point.memory = sweep.memory();
    point.prepare = [gpu = context.gpu, threads, seed = context.seed, sweep, height, part, on_cpu] {
        return streamed_work<T>(on_cpu ? cpu_device() : *gpu, sweep, height, part, threads, seed);
    };
    return point;
}

/// A height of the user's own, under a budget of device memory; or the one that is chosen, and its
/// neighbours.
template <class T>
std::vector<Point> streamed_points(const PlanContext& context, const std::string& variant,
                                   const Settings& settings, std::size_t n, double s, int threads) {
    const std::string rule = settings.word("padding_rule", "least", {"least", "paper"});
    constexpr double usual_budget = 64;
    const double budget = harness::axis_budget(context, settings, usual_budget);
    Sweep sweep{
        variant, n, s, budget, harness::precision_name<T>, rule == "least" ? Rule::minimal : Rule::paper, {}};
    const auto point = [&](int height) {
        sweep.heights = {height};
        return sweep_point<T>(context, sweep, height, harness::part_of(settings), threads);
    };
    if (settings.text("height", "") != "auto")
        return {point(static_cast<int>(settings.integer("height", 16, 1, 1 << 20)))};
    const AutoHeight choice = auto_height(sweep, context.machine);
    std::vector<Point> points{point(choice.height)};
    points.front().parameters["chosen"] = "auto";
    points.front().note = points.front().name + ": " + choice.reason;
    for (const int height : choice.neighbours) {
        points.push_back(point(height));
        points.back().parameters["chosen"] = "neighbour";
    }
    return points;
}

template <class T>
std::vector<Point> points_in(const PlanContext& context, const std::string& variant, const Settings& settings,
                             std::size_t n, double s) {
    if (settings.has("medium")) {
        settings.refuse({"s", "height"}, "medium");
        return {medium_point<T>(context, variant,
                                settings.word("medium", "", {std::begin(media), std::end(media)}), n)};
    }
    const harness::Team team = harness::team_of(context, settings);
    const CpuVariant* const cpu = find_cpu_variant(variant);
    const Version version = version_of(variant);
    // A solver's own name is both: the rod in the GPU's memory and, with a height, larger than that.
    const bool streamed = !version.overlapped || settings.has("height");
    std::vector<Point> points;
    if (cpu != nullptr)
        points = {cpu_point<T>(context, *cpu, n, s, cpu->serial ? 1 : team.threads)};
    else if (streamed)
        points = streamed_points<T>(context, variant, settings, n, s, team.threads);
    else
        points = {in_memory_point<T>(context, variant, n, s)};
    const bool in_parallel = (cpu != nullptr && !cpu->serial) || variant == "cpu_pyramid";
    for (Point& point : points) {
        // cpu_pyramid's solver is the host's, in a device's place.
        if (point.on_gpu && context.gpu != nullptr && point.unavailable.empty())
            point.unavailable =
                find_gpu_variant<T>(context.gpu->executor(), version.solver)->unavailable_reason(s);
        if (s != 1 && (cpu != nullptr || !streamed)) point.name += fmt::format("/s_{:g}", s);
        if (in_parallel && team.threads != context.threads)
            point.name += fmt::format("/{}_threads", team.threads);
        if (in_parallel && point.unavailable.empty())
            point.unavailable = harness::too_many_threads(context, team.threads);
    }
    return points;
}

}  // namespace

std::set<std::string> axes() {
    return {"n",    "s",       "medium", "precision", "height", "budget_mib", "padding_rule",
            "part", "threads", "nx",     "ny",        "nz",     "dimensions"};
}

std::vector<Point> points(const PlanContext& context, const std::string& variant, const Settings& settings) {
    if (const BoxVersion* box = find_box_version(variant)) return box_points(context, *box, settings);
    const auto n = static_cast<std::size_t>(settings.integer("n", 1 << 20, 1, std::int64_t{1} << 36));
    const double s = settings.number("s", 1);
    if (!(s > 0 && s <= 1e6)) throw harness::UsageError("--axis s: must lie above 0 and at most at 1e6");
    return harness::in_precision(
        settings, [&](auto zero) { return points_in<decltype(zero)>(context, variant, settings, n, s); });
}

template Point base_point<float>(const std::string&, std::size_t, double);
template Point base_point<double>(const std::string&, std::size_t, double);

}  // namespace gridmark::pyramid

#include "experiments/diffusion/stepper.hpp"
#include "kernels/diffusion/reference.hpp"
#include "kernels/diffusion/start.hpp"

#include "harness/cache.hpp"
#include "harness/points.hpp"
#include "harness/products.hpp"

namespace gridmark::diffusion {

harness::Experiment experiment();

namespace {

using harness::PlanContext;
using harness::Point;
using harness::Series;

/// A random start and what the reference makes of it; every variant of that size is verified with it.
template <class T>
struct Case : harness::StepCase<T> {
    Problem problem;

    Case(int n, std::uint64_t seed) : problem(rod(n)) {
        this->steps = 3;
        this->start = random_start<T>(problem, seed);
        this->reference = reference_solve(problem, {this->start.begin(), this->start.end()}, this->steps);
        this->tolerance = rounding_bound<T>(problem, this->steps, 1);
    }
};

template <class T>
Point point_of(const PlanContext& context, const std::string& variant, const harness::Team& team, int n) {
    Point point = harness::field_point<T>("diffusion", variant, std::to_string(n), {{"n", n}},
                                          n * bytes_per_point<T>, n * flops_per_point);
    point.on_gpu = variant == "gpu_plain";
    // The case, its reference while that is made, and the two fields of a variant.
    point.memory.host = n * (3.0 * sizeof(T) + 3 * sizeof(double));
    if (point.on_gpu) {
        point.series = {{Series::Clock::kernel}, {Series::Clock::step, Series::Launch::stream}};
        point.memory.gpu = 2.0 * n * sizeof(T);
        point.demands = [n](const launch::Chip&) { return std::vector{gpu_plain_demand(n)}; };
    } else {
        point.series = {{Series::Clock::wall}};
        harness::add_team(point, context, team);
    }
    point.prepare = [device = point.on_gpu ? context.gpu : nullptr, threads = team.threads,
                     seed = context.seed, n] {
        const auto host = harness::shared<Case<T>>(n * (sizeof(T) + 8.0), n, seed);
        return harness::stepper_work<T>(host, nullptr, stepper<T>(device, host->problem, threads));
    };
    return point;
}

}  // namespace

/// One configuration of a variant, for presets and `run --axis` alike.
std::vector<Point> points(const PlanContext& context, const std::string& variant,
                          const harness::Settings& settings) {
    const int n = static_cast<int>(settings.integer("n", 1'000'000, 2, 1 << 30));
    const harness::Team team = harness::team_of(context, settings);
    return harness::in_precision(settings, [&](auto zero) {
        return std::vector{point_of<decltype(zero)>(context, variant, team, n)};
    });
}

/// Both readings of the paper's "a million": the first fills no whole number of blocks. The full preset adds
/// a size of at least four times any L2. Points of a group are measured in turns, so that they can be
/// compared.
harness::Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});  // `run --set` is refused
    const harness::Axis precision{"precision", {"float", "double"}};
    const harness::GroupOf all{.name = "{n}/{precision}", .members = {{}}};
    harness::Plan plan;
    harness::add_products(plan, experiment(), context,
                          {{{{"n", {"1000000", "1048576"}}, precision}, {all}},
                           {{{"n", {"134217728"}}, precision}, {all}, harness::Preset::full}});
    return plan;
}

}  // namespace gridmark::diffusion

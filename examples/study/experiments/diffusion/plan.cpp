#include <fmt/format.h>

#include "experiments/diffusion/work.hpp"
#include "kernels/diffusion/gpu.hpp"
#include "kernels/diffusion/problem.hpp"

#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"

namespace gridmark::diffusion {
namespace {

using harness::PlanContext;
using harness::Point;
using harness::Preset;
using harness::Series;

/// Both readings of the paper's "a million": the first fills no whole number of blocks. The full preset adds
/// a size of at least four times any L2.
std::vector<int> sizes(Preset preset) {
    if (preset == Preset::full) return {1'000'000, 1 << 20, 1 << 27};
    return {1'000'000, 1 << 20};
}

/// What all variants declare. A row is found by these parameters, and named by them.
template <class T>
Point base_point(const char* variant, int n) {
    Point point;
    point.name = fmt::format("diffusion/{}/{}/{}", variant, n, harness::precision_name<T>);
    point.variant = variant;
    point.parameters = {{"n", n}, {"precision", harness::precision_name<T>}};
    point.bytes = n * bytes_per_point<T>;
    point.flops = n * flops_per_point;
    point.working_set = point.bytes;
    return point;
}

/// The case, its reference while that is made, and the two fields of a variant.
template <class T>
double host_bytes(int n) {
    return n * (3.0 * sizeof(T) + 3 * sizeof(double));
}

template <class T>
Point cpu_point(const PlanContext& context, int n) {
    Point point = base_point<T>("cpu_openmp", n);
    point.parameters["threads"] = context.threads;
    point.series = {{Series::Clock::wall}};
    point.memory.host = host_bytes<T>(n);
    point.prepare = [n, threads = context.threads, seed = context.seed] {
        return work<T>(nullptr, n, threads, seed);
    };
    return point;
}

template <class T>
Point gpu_point(const PlanContext& context, int n) {
    Point point = base_point<T>("gpu_plain", n);
    point.series = {{Series::Clock::kernel}, {Series::Clock::step, Series::Launch::stream}};
    point.on_gpu = true;
    point.memory = {.host = host_bytes<T>(n), .gpu = 2.0 * n * sizeof(T)};
    point.demands = [n](const launch::Chip&) { return std::vector{gpu_plain_demand(n)}; };
    point.prepare = [gpu = context.gpu, n, seed = context.seed] { return work<T>(gpu, n, 0, seed); };
    return point;
}

/// Points of a group are measured in turns, so that they can be compared.
template <class T>
harness::Group group(const PlanContext& context, int n) {
    return {fmt::format("{}/{}", n, harness::precision_name<T>),
            {cpu_point<T>(context, n), gpu_point<T>(context, n)}};
}

}  // namespace

harness::Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});  // `run --set` is refused
    harness::Plan plan;
    for (const int n : sizes(context.preset)) {
        plan.groups.push_back(group<float>(context, n));
        plan.groups.push_back(group<double>(context, n));
    }
    return plan;
}

}  // namespace gridmark::diffusion

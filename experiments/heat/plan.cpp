#include <fmt/format.h>

#include <set>

#include "experiments/heat/points.hpp"
#include "experiments/heat/streamed.hpp"
#include "experiments/heat/work.hpp"
#include "harness/experiment.hpp"

namespace gridmark::heat {
namespace {

using harness::Group;
using harness::PlanContext;
using harness::Preset;
using harness::Series;

/// The kernels of one origin: the thesis's, which read beta by both paths, or the optimised ones, which read
/// it from the array alone.
std::vector<std::string> kernels_of(launch::Origin origin) {
    std::vector<std::string> names;
    for (const GpuVariant<float>& kernel : gpu_variants<float>(launch::Executor::host))
        if (kernel.origin == origin) names.emplace_back(kernel.name);
    return names;
}

/// Points a side: the thesis's size, its smaller ones (figure 4.9), and one beyond any cache.
constexpr int smaller[] = {32, 64, 128};
constexpr int large = 512;
/// The thesis's CPU ran this many threads, on half as many cores.
constexpr int threads_of_the_thesis = 8;
constexpr int small_beside_peers = 64;  // a step of NumPy's at the published size takes a second

/// Other frameworks' steps, in float, beside what is in the group.
template <class T>
void add_peers(Group& group, const PlanContext& context, int n, bool on_gpu,
               const std::vector<std::string>& frameworks, int iterations) {
    if (sizeof(T) != sizeof(float)) return;
    harness::add_peers(
        group, context,
        {.study = "heat",
         .frameworks = frameworks,
         .on_gpu = on_gpu,
         .iterations = iterations,
         .memory = {.host = host_bytes<T>(n, on_gpu ? 9 : 32), .gpu = 24.0 * n * n * n * sizeof(T)}},
        [n](const std::string& variant) { return base_point<T>(variant, n); },
        [n, seed = context.seed](const harness::Peer& peer) { return peer_work<T>(peer, n, seed); });
}

template <class T>
void add_gpu_peers(Group& group, const PlanContext& context, int n) {
    if (n >= published)
        add_peers<T>(group, context, n, true, {"jax", "torch", "cupy"}, n == published ? 256 : 32);
}

/// At the large sizes Devito, which is made for such steps; to start its operator takes a millisecond.
template <class T>
void add_cpu_peers(Group& group, const PlanContext& context, int n) {
    if (n == small_beside_peers) add_peers<T>(group, context, n, false, harness::peers_on_cpu, 1);
    if (context.preset == Preset::quick) return;
    if (n == published) add_peers<T>(group, context, n, false, {"jax"}, 1);
    if (n >= published) add_peers<T>(group, context, n, false, {"devito"}, 16);
}

/// Of a group of the CPU's: all, and points_with_cubes, at most.
constexpr double versions_in_group = static_cast<double>(std::size(cpu_variants)) + 4;

/// How a CPU version cuts its grid: as `run --set` says, or with a word of `blocks` by the thesis's cubes.
harness::Settings given_cut(const PlanContext& context, const std::string& blocks = "") {
    if (!blocks.empty()) return {{{"blocks", blocks}}, {"blocks"}};
    return {context.set, {"outer", "inner", "tile", "streaming"}};
}

/// The kernel clock; of the two kernels that march and of the optimised ones the step clocks as well.
template <class T>
std::vector<Series> clocks_of(const Kernel& kernel) {
    const bool marches = kernel.variant == "gpu_no_shared" || kernel.variant == "gpu_generated_borders";
    const bool texture = entry_of<T>(launch::Executor::host, kernel).texture;
    if (sizeof(T) == sizeof(float) && kernel.ablation.empty() &&
        (kernel.path == BetaPath::texture ? marches : !texture))
        return all_clocks;
    return {{Series::Clock::kernel}};
}

/// The versions with the thesis's cubes that its claims need. On one thread (claims H4, H5) both readings of
/// its inner level; on several (H3, H6, H8, H12) that of its section 4.6.7.
std::vector<Point> points_with_cubes(const PlanContext& context, int n, int threads) {
    const CpuVariant &blocked = *find_cpu_variant("cpu_blocked"), &sse = *find_cpu_variant("cpu_sse");
    const auto point = [&](const CpuVariant& variant, const char* blocks) {
        return cpu_point<float>(context, variant, n, harness::team_of(context, threads),
                                given_cut(context, blocks), versions_in_group);
    };
    if (n == published && threads == 1)
        return {point(blocked, l3_l1), point(blocked, l3_l2), point(sse, l3_l1), point(sse, l3_l2)};
    const bool asked = n == published
                           ? threads >= threads_of_the_thesis / 2 && threads <= threads_of_the_thesis
                           : threads == threads_of_the_thesis;
    return asked ? std::vector{point(sse, l3_l2)} : std::vector<Point>{};
}

/// Which versions a group has: all, the thesis's where only its figure wants them, or those with its cubes.
enum class Versions { all, thesis, cubes };

/// Versions in turns.
template <class T>
Group cpu_group(const PlanContext& context, int n, int threads, Versions versions = Versions::all) {
    Group group{fmt::format("{}/{}/{}_threads", n, harness::precision_name<T>, threads), {}};
    for (const CpuVariant& variant : cpu_variants)
        if (versions == Versions::all ||
            (versions == Versions::thesis && variant.origin == launch::Origin::published))
            group.points.push_back(cpu_point<T>(context, variant, n, harness::team_of(context, threads),
                                                given_cut(context), versions_in_group));
    if (sizeof(T) == sizeof(float) && n <= published)
        for (Point& point : points_with_cubes(context, n, threads))
            group.points.push_back(std::move(point));
    if (threads == context.threads) add_cpu_peers<T>(group, context, n);
    return group;
}

/// Thread counts of figure 4.4: each up to eight, then half of all and all. Of `quick` the thesis's alone,
/// which claim H3 is about, beside one and all.
std::set<int> thread_counts(const PlanContext& context) {
    std::set<int> counts{1, context.threads};
    if (context.preset == Preset::quick) {
        counts.insert(std::min(threads_of_the_thesis, context.threads));
        return counts;
    }
    for (int threads = 2; threads <= std::min(8, context.threads); ++threads)
        counts.insert(threads);
    if (context.threads > 16) counts.insert(context.threads / 2);
    return counts;
}

/// The thesis's kernels with one of its choices changed, beta through the texture as there.
std::vector<Kernel> ablations() {
    std::vector<Kernel> kernels;
    for (const GpuVariant<float>& variant : gpu_variants<float>(launch::Executor::host))
        for (const GpuVariant<float>& ablation : variant.ablations())
            kernels.push_back({std::string(variant.name), BetaPath::texture, std::string(ablation.ablation)});
    return kernels;
}

/// All kernels in turns, the thesis's with every one of the paths to beta; ablations at its size, in float.
template <class T>
Group gpu_group(const PlanContext& context, int n, const std::vector<BetaPath>& paths) {
    Group group{fmt::format("{}/{}/gpu", n, harness::precision_name<T>), {}};
    std::vector<Kernel> kernels;
    for (const std::string& variant : kernels_of(launch::Origin::published))
        for (const BetaPath path : paths)
            kernels.push_back({variant, path});
    for (const std::string& variant : kernels_of(launch::Origin::optimised))
        kernels.push_back({variant, BetaPath::load});
    if (n == published && sizeof(T) == sizeof(float))
        std::ranges::copy(ablations(), std::back_inserter(kernels));
    for (const Kernel& kernel : kernels)
        group.points.push_back(gpu_point<T>(context, kernel, n, clocks_of<T>(kernel), kernels.size()));
    add_gpu_peers<T>(group, context, n);
    return group;
}

const std::vector<BetaPath> as_published{BetaPath::texture}, both{BetaPath::texture, BetaPath::load};

/// Claim H7 and the thesis's GB/s: what a step moves to and from the GPU's memory, and the arithmetic
/// instructions that the compiler made of the 29 operations.
harness::ProfiledPoint traffic(const std::string& variant) {
    const double per_point = 1 / (static_cast<double>(published) * published * published);
    harness::ProfiledPoint profiled{base_point<float>(variant, published)};
    profiled.add("texture", {{"beta", "texture"}});
    profiled.on_gpu = true;
    profiled.metrics = {
        {"dram_bytes", "MB", "dram__bytes.sum", "", 1e-6},
        {"dram_bandwidth", "GB/s", "dram__bytes.sum.per_second", "", 1e-9},
        {"dram_share", "%", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"additions", "a point", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "", per_point},
        {"multiplications", "a point", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "", per_point},
        {"fused_multiply_adds", "a point", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "",
         per_point}};
    profiled.kernel = "step_kernel";
    profiled.solve = {"heat", "--variant", variant, "--set", "steps=12"};
    return profiled;
}

/// Claim H17: registers of a thread of the march, as the compiler of the build gave them.
harness::Computed registers(const PlanContext& context) {
    const Kernel kernel{"gpu_no_shared"};
    harness::Computed computed{base_point<float>(kernel.variant, published)};
    computed.add("texture", {{"beta", "texture"}});
    computed.name += "/registers";
    computed.on_gpu = true;
    computed.quantity = "registers";
    computed.unit = "a thread";
    if (context.gpu != nullptr && context.gpu->executor() == launch::Executor::host)
        computed.unavailable = "the host executor has no registers";
    computed.value = [kernel, executor = launch::Executor::gpu] {
        return static_cast<double>(entry_of<float>(executor, kernel).info(kernel.path).value().registers);
    };
    return computed;
}

}  // namespace

harness::Plan plan(const PlanContext& context) {
    const bool full = context.preset == Preset::full;
    harness::Plan plan;
    for (const int threads : std::set<int>{1, context.threads}) {
        for (const int n : smaller)
            plan.groups.push_back(cpu_group<float>(context, n, threads));
        plan.groups.push_back(cpu_group<double>(context, smaller[0], threads));
        if (full) plan.groups.push_back(cpu_group<double>(context, published, threads));
    }
    for (const int threads : thread_counts(context)) {
        const bool between = threads != 1 && threads != context.threads;
        plan.groups.push_back(cpu_group<float>(context, published, threads,
                                               between && !full ? Versions::thesis : Versions::all));
    }
    if (context.threads > threads_of_the_thesis)
        for (const int n : smaller)
            plan.groups.push_back(cpu_group<float>(context, n, threads_of_the_thesis, Versions::cubes));
    for (const int n : smaller)
        plan.groups.push_back(gpu_group<float>(context, n, as_published));
    plan.groups.push_back(gpu_group<float>(context, published, both));
    if (full) plan.groups.push_back(gpu_group<double>(context, published, both));
    add_streamed(plan, context);
    for (const std::string& variant : kernels_of(launch::Origin::published))
        plan.profiled.push_back(traffic(variant));
    plan.computed.push_back(registers(context));
    if (full) {
        plan.groups.push_back(gpu_group<float>(context, large, both));
        plan.groups.push_back(cpu_group<float>(context, large, context.threads));
        plan.groups.push_back(gpu_group<double>(context, large, both));
        plan.groups.push_back(cpu_group<double>(context, large, context.threads));
    }
    return plan;
}

}  // namespace gridmark::heat

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/heat/points.hpp"
#include "experiments/heat/streamed.hpp"
#include "harness/peers/peer_work.hpp"
#include "harness/products.hpp"

namespace gridmark::heat {

harness::Experiment experiment();

namespace {

using harness::Axis;
using harness::AxisValues;
using harness::Group;
using harness::GroupOf;
using harness::Members;
using harness::PlanContext;
using harness::Preset;
using harness::Product;
using harness::Series;
using nlohmann::json;

/// Points a side: the thesis's size, its smaller ones (figure 4.9), and one beyond any cache.
constexpr int smaller[] = {32, 64, 128};
constexpr int large = 512;
/// The thesis's CPU ran this many threads, on half as many cores.
constexpr int threads_of_the_thesis = 8;
constexpr int small_beside_peers = 64;  // a step of NumPy's at the published size takes a second

/// Another framework's step on n^3 points, from the start and with the beta of all versions of that size.
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed) {
    const auto c = shared_case<float>(n, seed);
    const auto k = coefficients<double>(c->problem);
    const std::size_t side = static_cast<std::size_t>(n);
    const std::vector<std::size_t> shape{side, side, side};
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {
        {"dt_12", k.dt_12}, {"inverse_dx2", k.inverse_dx2}, {"boundary", c->problem.boundary}};
    std::ranges::copy(c->beta, problem->arrays.add<float>("beta", shape).begin());
    return harness::peer_work<float>(peer, std::move(problem), shape, c);
}

/// Other frameworks' steps, in float, beside what is in the group.
void add_peers(Group& group, const PlanContext& context, int n, bool on_gpu,
               const std::vector<std::string>& frameworks, int iterations) {
    harness::add_peers(
        group, context,
        {.study = "heat",
         .frameworks = frameworks,
         .on_gpu = on_gpu,
         .iterations = iterations,
         .memory = {.host = host_bytes<float>(n, on_gpu ? 9 : 32), .gpu = 24.0 * n * n * n * sizeof(float)}},
        [n](const std::string& variant) { return base_point<float>(variant, n); },
        [n, seed = context.seed](const harness::Peer& peer) { return peer_work(peer, n, seed); });
}

void add_gpu_peers(Group& group, const PlanContext& context, const AxisValues& values) {
    const int n = std::stoi(values.at("n"));
    if (n >= published && values.at("precision") == "float")
        add_peers(group, context, n, true, {"jax", "torch", "cupy"}, n == published ? 256 : 32);
}

/// Beside all threads; at the large sizes Devito, which is made for such steps: to start its operator takes a
/// millisecond.
void add_cpu_peers(Group& group, const PlanContext& context, const AxisValues& values) {
    const int n = std::stoi(values.at("n"));
    if (values.at("precision") != "float" || values.at("threads") != std::to_string(context.threads)) return;
    if (n == small_beside_peers) add_peers(group, context, n, false, harness::peers_on_cpu, 1);
    if (context.preset == Preset::quick) return;
    if (n == published) add_peers(group, context, n, false, {"jax"}, 1);
    if (n >= published) add_peers(group, context, n, false, {"devito"}, 16);
}

/// Whether a version with the thesis's cubes is one that its claims need. On one thread (claims H4, H5) both
/// readings of its inner level; on several (H3, H6, H8, H12) that of its section 4.6.7.
bool is_with_cubes(const std::string& variant, const AxisValues& values) {
    const int n = std::stoi(values.at("n")), threads = std::stoi(values.at("threads"));
    if (n == published && threads == 1) return true;
    if (variant != "cpu_sse" || values.at("blocks") != l3_l2) return false;
    return n == published ? threads >= threads_of_the_thesis / 2 && threads <= threads_of_the_thesis
                          : threads == threads_of_the_thesis;
}

std::vector<Members> with_cubes() {
    std::vector<Members> members;
    for (const char* variant : {"cpu_blocked", "cpu_sse"})
        members.push_back({.versions = json::object({{"name", variant}}),
                           .axes = {{"blocks", {l3_l1, l3_l2}}},
                           .keeps = is_with_cubes});
    return members;
}

/// CPU versions in turns on the product's threads, with the thesis's cubes beside them up to its size.
GroupOf cpu_group(int n, const char* precision, const json& versions = json::object({{"kind", "cpu"}})) {
    GroupOf group{.name = "{n}/{precision}/{threads}_threads",
                  .members = {{.versions = versions}},
                  .values = {{"n", std::to_string(n)}, {"precision", precision}},
                  .add_peers = add_cpu_peers};
    if (n <= published && precision == std::string("float"))
        std::ranges::copy(with_cubes(), std::back_inserter(group.members));
    return group;
}

/// The kernel clock; of the two kernels that march and of the optimised ones the step clocks as well.
std::vector<Series> gpu_series(const Point& point) {
    const auto word = [&](const char* key) {
        return harness::value_of<std::string>(point.parameters, key, "");
    };
    const bool marches = point.variant == "gpu_no_shared" || point.variant == "gpu_generated_borders",
               reads_both = find_gpu_variant<float>(launch::Executor::host, point.variant)->texture;
    if (word("precision") == "float" && word("ablation").empty() &&
        (word("beta") == "texture" ? marches : !reads_both))
        return all_clocks;
    return {{Series::Clock::kernel}};
}

/// The choices of the thesis that an ablation changes.
Axis ablations() {
    Axis axis{"ablation", {}};
    for (const GpuVariant<float>& variant : gpu_variants<float>(launch::Executor::host))
        for (const GpuVariant<float>& ablation : variant.ablations())
            if (const std::string word(ablation.ablation);
                std::ranges::find(axis.values, word) == axis.values.end())
                axis.values.push_back(word);
    return axis;
}

/// All kernels in turns, the thesis's with every one of the paths to beta, the optimised ones with the array
/// alone; ablations at the thesis's size, in float.
GroupOf gpu_group(int n, const char* precision, const std::vector<std::string>& paths) {
    const json thesis = json::object({{"kind", "cuda"}, {"origin", "published"}}),
               ours = json::object({{"kind", "cuda"}, {"origin", "optimised"}, {"lacks", "streaming"}});
    GroupOf group{.name = "{n}/{precision}/gpu",
                  .members = {{.versions = thesis, .axes = {{"beta", paths}}, .series_of = gpu_series},
                              {.versions = ours, .series_of = gpu_series}},
                  .values = {{"n", std::to_string(n)}, {"precision", precision}},
                  .add_peers = add_gpu_peers};
    if (n == published && precision == std::string("float"))
        group.members.push_back({.versions = thesis, .axes = {ablations()}, .series_of = gpu_series});
    return group;
}

Product on_threads(int threads, std::vector<GroupOf> groups) {
    return {{{"threads", {std::to_string(threads)}}}, std::move(groups)};
}

const std::vector<std::string> as_published{"texture"}, both{"texture", "load"};

/// CPU versions on one thread and on all; at the thesis's size on the thread counts of figure 4.4: each up to
/// eight, half of all and all. Of `quick` the thesis's alone, which claim H3 is about, beside one and all.
/// Between one and all stand the thesis's versions, which its figure wants.
std::vector<Product> on_cpu(const PlanContext& context) {
    const bool full = context.preset == Preset::full;
    const int all = context.threads;
    std::vector<GroupOf> sizes, cubes;
    for (const int n : smaller) {
        sizes.push_back(cpu_group(n, "float"));
        cubes.push_back(sizes.back());
        cubes.back().members = with_cubes();
    }
    sizes.push_back(cpu_group(smaller[0], "double"));
    if (full) sizes.push_back(cpu_group(published, "double"));
    std::vector<Product> products;
    for (const int threads : std::set<int>{1, all})
        products.push_back(on_threads(threads, sizes));
    std::set<int> counts{1, all};
    if (context.preset == Preset::quick) counts.insert(std::min(threads_of_the_thesis, all));
    for (int threads = 2; context.preset != Preset::quick && threads <= std::min(8, all); ++threads)
        counts.insert(threads);
    if (context.preset != Preset::quick && all > 16) counts.insert(all / 2);
    const json thesis = json::object({{"kind", "cpu"}, {"origin", "published"}});
    for (const int threads : counts) {
        const bool between = threads != 1 && threads != all;
        products.push_back(on_threads(threads, {between && !full ? cpu_group(published, "float", thesis)
                                                                 : cpu_group(published, "float")}));
    }
    if (all > threads_of_the_thesis) products.push_back(on_threads(threads_of_the_thesis, cubes));
    return products;
}

std::vector<Product> on_gpu() {
    GroupOf in_memory{.name = "{n}/in_memory",
                      .members = {{.versions = json::object({{"name", "gpu_queue"}})},
                                  {.versions = json::object({{"name", "gpu_blocked_3"}})}},
                      .values = {{"n", std::to_string(4 * published)}, {"precision", "float"}}};
    std::vector<GroupOf> groups;
    for (const int n : smaller)
        groups.push_back(gpu_group(n, "float", as_published));
    groups.push_back(gpu_group(published, "float", both));
    return {{{}, groups}, {{}, {gpu_group(published, "double", both), in_memory}, Preset::full}};
}

/// A size beyond any cache.
std::vector<Product> on_large_grids(int threads) {
    Product product = on_threads(threads, {});
    for (const char* precision : {"float", "double"}) {
        product.groups.push_back(gpu_group(large, precision, both));
        product.groups.push_back(cpu_group(large, precision));
    }
    product.from = Preset::full;
    return {product};
}

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
    const harness::Settings only_cuts(context.set, cut_keys);
    const harness::Experiment study = experiment();
    harness::Plan plan;
    harness::add_products(plan, study, context, on_cpu(context));
    harness::add_products(plan, study, context, on_gpu());
    add_streamed(plan, context);
    for (const harness::Variant& variant : study.variants)
        if (harness::fits(variant, json::object({{"kind", "cuda"}, {"origin", "published"}})))
            plan.profiled.push_back(traffic(variant.name));
    plan.computed.push_back(registers(context));
    harness::add_products(plan, study, context, on_large_grids(context.threads));
    return plan;
}

}  // namespace gridmark::heat

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/ginzburg_landau/case.hpp"
#include "experiments/ginzburg_landau/counts.hpp"
#include "experiments/ginzburg_landau/points.hpp"
#include "harness/peers/peer_work.hpp"
#include "harness/products.hpp"
#include "harness/run/rows.hpp"
#include "harness/settings.hpp"

namespace gridmark::ginzburg_landau {

harness::Experiment experiment();

namespace {

using harness::Axis;
using harness::AxisValues;
using harness::Group;
using harness::GroupOf;
using harness::Plan;
using harness::PlanContext;
using harness::Preset;
using harness::Product;
using nlohmann::json;

/// The largest n of a version that keeps all points on the chip: beyond it they would not fit on most
/// devices.
constexpr int largest_on_chip = 1 << 16;

/// Steps of the slides' test; a sample of the step clock is all of them, for versions that the slides have.
constexpr int published_steps = 30000;

bool is_in_the_slides(const std::string& variant) {
    return variant == "gpu_overlap8" || variant == "gpu_overlap8_listing" || variant == "gpu_relaunch";
}

const std::string throughput = "4194304";  // enough blocks for every multiprocessor many times over

bool is_published(int n) {
    return std::find(std::begin(published), std::end(published), n) != std::end(published);
}

/// Sizes of the sweep over n, without the published ones; the last of `full` is more than four times any L2.
Axis sweep(Preset preset) {
    if (preset == Preset::quick) return {"n", {"1024", "4096"}};
    if (preset == Preset::paper) return {"n", {"1024", "4096", "65536", "262144"}};
    return {"n", {"1024", "4096", "65536", "262144", "1048576", throughput, "16777216"}};
}

/// Threads a block of the sweep over blocks, without the published one.
Axis blocks(Preset preset) {
    if (preset == Preset::quick) return {"block", {"32", "256"}};
    return {"block", {"32", "64", "96", "192", "256", "512", "1024"}};
}

/// Another framework's step, from the start of all versions of that size.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed) {
    const auto c = shared_case<T>(n, seed, verified_steps(1));
    const auto k = coefficients<double>(c->problem);
    const std::vector<std::size_t> shape{2, static_cast<std::size_t>(n)};
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {{"dt", c->problem.dt}, {"d", k.d}, {"da", k.da}, {"b", k.b}};
    return harness::peer_work<T>(peer, std::move(problem), shape, c);
}

/// Other frameworks' steps beside what is in the group, at the first of the published sizes.
template <class T>
void add_peers_of(Group& group, const PlanContext& context, int n, bool on_gpu) {
    harness::add_peers(
        group, context,
        {.study = "ginzburg_landau",
         .frameworks = on_gpu ? std::vector<std::string>{"jax", "torch"} : harness::peers_on_cpu,
         .on_gpu = on_gpu,
         .iterations = on_gpu ? 4096 : 32,
         .memory = {.host = host_bytes<T>(n, on_gpu ? 8 : 58), .gpu = 80.0 * n * sizeof(T)}},
        [n](const std::string& variant) { return base_point<T>(variant, n); },
        [n, seed = context.seed](const harness::Peer& peer) { return peer_work<T>(peer, n, seed); });
}

void add_peers(Group& group, const PlanContext& context, const AxisValues& values) {
    const int n = std::stoi(values.at("n"));
    if (n != published[0]) return;
    const bool on_gpu = group.points.front().on_gpu;
    values.at("precision") == "float" ? add_peers_of<float>(group, context, n, on_gpu)
                                      : add_peers_of<double>(group, context, n, on_gpu);
}

/// Whether a version is measured with n points in such blocks: those that take a block in all of them, those
/// of many steps that choose their own beside the published ones.
bool is_measured(const std::string& name, const AxisValues& values) {
    const auto& variant = *find_gpu_variant<double>(launch::Executor::host, name);
    const int n = std::stoi(values.at("n")), block = std::stoi(values.at("block"));
    if (!variant.sweeps) return block == published_block && is_published(n);
    return variant.takes_block || (block == published_block && (!variant.on_chip || n <= largest_on_chip));
}

/// The kernels of one size and block in turns.
GroupOf on_gpu(const std::vector<Series>& series) {
    return {
        .name = "{n}/{precision}/block_{block}",
        .members = {{.versions = json::object({{"kind", "cuda"}}), .series = series, .keeps = is_measured}}};
}

/// All CPU versions in turns.
GroupOf on_cpu(const std::vector<std::string>& threads) {
    return {.name = "{n}/{precision}/cpu",
            .members = {{.versions = json::object({{"kind", "cpu"}}), .axes = {{"threads", threads}}}}};
}

GroupOf with_peers(GroupOf group) {
    group.add_peers = add_peers;
    return group;
}

/// Where the size is published also with as many threads as the slides' CPU had cores.
std::vector<Product> products(Preset preset, const std::string& precision) {
    const Axis in{"precision", {precision}}, usual_block{"block", {std::to_string(published_block)}};
    GroupOf many = on_gpu({kernel, graph}), one = many;
    one.values = {{"n", std::to_string(published[0])}};
    many.values = {{"n", throughput}};
    many.from = Preset::full;
    return {
        {{in, usual_block, {"n", {std::to_string(published[0]), std::to_string(published[1])}}},
         {with_peers(on_gpu({kernel, stream, graph})),
          with_peers(on_cpu({"all", std::to_string(published_threads)}))}},
        {{in, usual_block, sweep(preset)}, {on_gpu({kernel, stream, graph}), on_cpu({"all"})}},
        {{in, blocks(preset)}, {one, many}},
    };
}

/// What plain launches add to a step's kernels. In a graph kernels overlap at their ends, so that nothing
/// would be left.
void add_synchronisation(Plan& plan, const Group& group) {
    for (const Point& point : group.points) {
        if (point.steps > 1 || point.series.size() < 3) continue;
        harness::Difference difference{point};
        difference.add("synchronisation/stream", {{"launch", "stream"}});
        difference.quantity = "synchronisation";
        difference.minuend = harness::row_name(point, stream);
        difference.subtrahend = harness::row_name(point, kernel);
        plan.differences.push_back(difference);
    }
}

/// What follows from the groups of kernels: how long the slides' versions run, and what their steps cost
/// beyond their kernels, where all clocks are read.
void complete(Plan& plan, Preset preset) {
    for (Group& group : plan.groups) {
        const Point& first = group.points.front();
        if (!first.on_gpu || first.series.size() < 3) continue;
        if (preset != Preset::quick &&
            is_published(static_cast<int>(harness::value_of<std::int64_t>(first.parameters, "n", 0))))
            for (Point& point : group.points)
                if (is_in_the_slides(point.variant)) point.iterations = published_steps / point.steps;
        add_synchronisation(plan, group);
    }
}

/// What the profiler counts of a version while it solves; the metrics are the caller's.
template <class T>
harness::ProfiledPoint profiled_point(const PlanContext& context, const std::string& variant, int n,
                                      int block) {
    harness::ProfiledPoint profiled{gpu_point<T>(context, variant, n, block, {})};
    profiled.memory = {};  // another program's
    profiled.kernel = variant == "gpu_overlap8" ? "step_kernel" : "listing_kernel";
    profiled.solve = {"ginzburg_landau",
                      "--variant",
                      variant,
                      "--set",
                      fmt::format("n={}", n),
                      fmt::format("block={}", block),
                      "steps=12",
                      fmt::format("precision={}", harness::precision_name<T>)};
    return profiled;
}

/// Claim G4: arithmetic instructions a pair of a step.
harness::ProfiledPoint operations(const PlanContext& context, const std::string& variant, int n, int block) {
    auto profiled = profiled_point<double>(context, variant, n, block);
    const auto counter = [](const char* operation) {
        return fmt::format("smsp__sass_thread_inst_executed_op_{}_pred_on.sum", operation);
    };
    profiled.metrics = {{"additions", "a pair", counter("dadd"), "", 1.0 / n},
                        {"multiplications", "a pair", counter("dmul"), "", 1.0 / n},
                        {"fused_multiply_adds", "a pair", counter("dfma"), "", 1.0 / n}};
    return profiled;
}

/// Claims G9 to G11: how the slides' kernel uses memory, by request of a warp. A request of 32 words of 8
/// bytes takes two passes through the banks of shared memory; `bank_conflicts` are the passes that the GPU
/// itself counts as too many.
template <class T>
harness::ProfiledPoint memory_use(const PlanContext& context) {
    auto profiled = profiled_point<T>(context, "gpu_overlap8_listing", published[0], published_block);
    constexpr double a_request = 0.01;  // of a metric with `whole`, which is else in percent
    const std::string shared = "smsp__inst_executed_op_shared_ld.sum",
                      global = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
    profiled.metrics = {
        {"shared_passes", "a request", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", shared,
         a_request},
        {"bank_conflicts", "a request", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", shared,
         a_request},
        {"global_sectors", "a request", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", global, a_request}};
    return profiled;
}

}  // namespace

Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    Plan plan;
    for (const char* precision : {"double", "float"})
        harness::add_products(plan, experiment(), context, products(context.preset, precision));
    complete(plan, context.preset);
    for (const char* variant : {"gpu_overlap8_listing", "gpu_overlap8"})
        plan.profiled.push_back(operations(context, variant, 1024, 1024));  // one block repeats nothing
    plan.profiled.push_back(operations(context, "gpu_overlap8_listing", published[0], published_block));
    for (const int block : {32, 64, published_block, 256, 512, 1024})
        plan.profiled.push_back(operations(context, "gpu_overlap8", published[0], block));
    plan.profiled.push_back(memory_use<double>(context));
    plan.profiled.push_back(memory_use<float>(context));
    for (const int n : published)
        add_counts(plan, n, published_block);
    return plan;
}

}  // namespace gridmark::ginzburg_landau

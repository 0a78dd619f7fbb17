#include <nlohmann/json.hpp>

#include "experiments/jacobi/case.hpp"
#include "experiments/jacobi/points.hpp"
#include "harness/peers/peer_work.hpp"
#include "harness/products.hpp"
#include "harness/settings.hpp"
#include "harness/whole_field.hpp"

namespace gridmark::jacobi {

harness::Experiment experiment();

namespace {

using harness::Axis;
using harness::AxisValues;
using harness::Group;
using harness::GroupOf;
using harness::PlanContext;
using harness::Preset;
using harness::Product;
using harness::Series;
using nlohmann::json;

const std::string paper_size = "512 256";
const std::string beyond_cpu_cache = "4096 4096";  // 201 MB of floats: four times a cache of 48 MiB
const std::string beyond_l2 = "16384 8192";        // 1.6 GB of floats: far more than four times any L2
const std::string of_the_peers = "16384 16384";    // of papers on temporal blocking, in float

/// Table 1's pairs.
const Axis pairs = [] {
    Axis axis{"tile block", {}};
    for (const Tiling& tiling : table_1)
        axis.values.push_back(fmt::format("32x{} 32x{}", tiling.tile_y, tiling.block_y));
    return axis;
}();

/// Tilings of the optimised kernels: how far a warp marches, and warps a block. Few rows where points are
/// few, so that all multiprocessors have work.
const Axis short_marches{"tile block", {"32x1 32x1", "32x2 32x2", "32x4 32x4", "32x8 32x8", "32x8 32x4"}},
    long_marches{"tile block", {"32x32 32x4", "32x64 32x4", "32x64 32x8", "32x128 32x8", "32x256 32x8"}};

const std::vector<Series> kernel_alone{{Series::Clock::kernel}},
    every_clock{{Series::Clock::kernel},
                {Series::Clock::kernel, Series::Launch::none, true},
                {Series::Clock::step, Series::Launch::stream},
                {Series::Clock::step, Series::Launch::graph}};

/// Another framework's sweep from the start, and with the right-hand side, of all variants of that size.
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, Size size, std::uint64_t seed) {
    const auto c = shared_case<float>(size.nx, size.ny, seed, verified_sweeps(1));
    const auto k = coefficients<double>(c->problem);
    const Body& body = c->problem.body;
    const std::vector<std::size_t> shape{static_cast<std::size_t>(size.ny),
                                         static_cast<std::size_t>(size.nx)};
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {{"a", k.a},      {"b", k.b},      {"c", k.c},     {"x1", body.x1},
                        {"y1", body.y1}, {"x2", body.x2}, {"y2", body.y2}};
    std::ranges::copy(c->start, problem->arrays.add<float>("start", shape).begin());
    std::ranges::copy(c->omega, problem->arrays.add<float>("omega", shape).begin());
    return harness::peer_work<float>(peer, std::move(problem),
                                     {c->steps, shape, [c](std::span<const float> answer) {
                                          return harness::compare_whole_field<float>(answer, c->reference,
                                                                                     c->tolerance, c->steps);
                                      }});
}

/// Other frameworks' sweeps, in float, beside what is in the group.
void add_peers(Group& group, const PlanContext& context, const AxisValues& values, bool on_gpu) {
    if (values.at("precision") != "float") return;
    const Size size{std::stoi(values.at("nx")), std::stoi(values.at("ny"))};
    const bool small = size.nx == published.nx;
    harness::add_peers(
        group, context,
        {.study = "jacobi",
         .frameworks = on_gpu ? std::vector<std::string>{"jax", "torch", "cupy"} : harness::peers_on_cpu,
         .on_gpu = on_gpu,
         .iterations = !on_gpu ? 32
                       : small ? 4096
                               : 64,
         .memory = {.host = 2 * host_bytes<float>(size), .gpu = 24 * size.points() * sizeof(float)}},
        [size](const std::string& variant) { return base_point<float>(variant, size); },
        [size, seed = context.seed](const harness::Peer& peer) { return peer_work(peer, size, seed); });
}

void add_cpu_peers(Group& group, const PlanContext& context, const AxisValues& values) {
    if (values.at("nx") == std::to_string(published.nx)) add_peers(group, context, values, false);
}

void add_gpu_peers(Group& group, const PlanContext& context, const AxisValues& values) {
    add_peers(group, context, values, true);
}

/// They stand beside what is best for a small grid.
void add_peers_on_chip(Group& group, const PlanContext& context, const AxisValues& values) {
    if (find_gpu_variant<float>(launch::Executor::host, values.at("variant"))->on_chip)
        add_gpu_peers(group, context, values);
}

/// On one thread and on all.
const GroupOf on_cpu{
    .name = "{nx}x{ny}/{precision}/cpu",
    .members = {{.versions = json::object({{"kind", "cpu"}}), .axes = {{"threads", {"one", "all"}}}}},
    .add_peers = add_cpu_peers};

const std::vector<Axis> both_carveouts{{"carveout", {"shared", "l1"}}};

/// The paper's two kernels at a pair of tile and block, under these carve-outs.
GroupOf pair_group(const std::vector<Axis>& carveouts) {
    return {.name = "{nx}x{ny}/{precision}/{tile}/{block}",
            .members = {{.versions = json::object({{"kind", "cuda"}, {"origin", "published"}}),
                         .axes = carveouts,
                         .series = kernel_alone}}};
}

/// As the paper ran it, under its own carve-out, a kernel has every clock.
std::vector<Series> series_of_published(const Point& point) {
    const auto& kernel = *find_gpu_variant<float>(launch::Executor::host, point.variant);
    const bool is_own =
        harness::value_of<std::string>(point.parameters, "carveout", "") == carveout_name(kernel.carveout);
    return is_own ? every_clock : kernel_alone;
}

GroupOf as_published() {
    GroupOf group = pair_group(both_carveouts);
    group.members[0].series_of = series_of_published;
    return group;
}

/// With the ablations of claim J6.
GroupOf with_ablations(GroupOf group) {
    group.members.push_back({.versions = json::object({{"uses", "ablation"}}), .series = kernel_alone});
    return group;
}

GroupOf rows(const Axis& marches) {
    return {.name = "{nx}x{ny}/{precision}/rows",
            .members = {{.versions = json::object(
                             {{"origin", "optimised"}, {"uses", "tiles"}, {"lacks", "ablation"}}),
                         .axes = {marches},
                         .series = kernel_alone}}};
}

/// The steps of gpu_rows, for peers alone: its other rows have kernel times.
const GroupOf peers_alone{.name = "{nx}x{ny}/{precision}/peers",
                          .members = {{.versions = json::object({{"name", "gpu_rows"}}),
                                       .axes = {{"tile block", {"32x64 32x4"}}},
                                       .series = {{Series::Clock::step, Series::Launch::graph}}}},
                          .add_peers = add_gpu_peers,
                          .peers_alone = true};

/// A version with temporal blocking by itself.
const GroupOf many_steps{
    .name = "{nx}x{ny}/{precision}/{variant}", .members = {{}}, .add_peers = add_peers_on_chip};

std::vector<Product> products(const harness::Experiment& study) {
    const Axis in_float{"precision", {"float"}}, in_double{"precision", {"double"}},
        in_both{"precision", {"float", "double"}}, small{"nx ny", {paper_size}}, large{"nx ny", {beyond_l2}};
    const Axis many = harness::versions_axis(study, json::object({{"uses", "several steps a launch"}})),
               marches = harness::versions_axis(study, json::object({{"uses", "several steps a launch"},
                                                                     {"lacks", "a grid on the chip"}}));
    const GroupOf many_by_kernel{.name = many_steps.name, .members = {{.series = kernel_alone}}};
    return {
        {{{"nx ny", {paper_size, beyond_cpu_cache}}, in_both}, {on_cpu}},
        {{small, in_float, pairs}, {with_ablations(as_published())}},
        {{small, in_float}, {rows(short_marches)}},
        {{small, in_double, pairs}, {as_published()}},
        {{small, in_double}, {rows(short_marches)}},
        {{many, small, in_both}, {many_steps}},
        // Claim J7 at a size that no cache holds, and its other reading: the kernels as published, and every
        // optimised version. `full` measures the same rows and more.
        {{large, in_float, pairs}, {pair_group({})}, Preset::paper, Preset::paper},
        {{large, in_float}, {rows(long_marches)}, Preset::paper, Preset::paper},
        {{marches, large, in_float}, {many_by_kernel}, Preset::paper, Preset::paper},
        {{large, in_float, pairs}, {pair_group(both_carveouts)}, Preset::full},
        {{large, in_float}, {rows(long_marches), peers_alone, on_cpu}, Preset::full},
        {{large, in_double, pairs}, {pair_group(both_carveouts)}, Preset::full},
        {{large, in_double}, {rows(long_marches), on_cpu}, Preset::full},
        {{{"nx ny", {of_the_peers}}, in_float}, {rows(long_marches)}, Preset::full},
        {{marches,
          {"nx ny precision", {beyond_l2 + " float", beyond_l2 + " double", of_the_peers + " float"}}},
         {many_steps},
         Preset::full},
    };
}

}  // namespace

harness::Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    const harness::Experiment study = experiment();
    harness::Plan plan;
    harness::add_products(plan, study, context, products(study));
    add_profiled(plan);
    return plan;
}

}  // namespace gridmark::jacobi

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "experiments/maxwell/points.hpp"
#include "experiments/maxwell/work.hpp"
#include "harness/products.hpp"
#include "harness/settings.hpp"
#include "kernels/maxwell/accuracy.hpp"

namespace gridmark::maxwell {

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

/// Nodes a side of the largest grid, which stands beside time skewing in a part of the memory. It has step
/// times alone, of what does a step in one launch.
constexpr int largest = 768;
/// In so many MiB the paper's size is streamed besides: half of what it takes. The paper chooses the depth by
/// the memory.
constexpr const char* published_budget = "1024";

const std::vector<Series> step_alone{{Series::Clock::step, Series::Launch::stream}};
const Axis of_the_paper{"threads", {std::to_string(base_threads)}},
    parts{"part", {"whole", "transfers", "kernels"}};

/// Versions with everything on the device, and those that stream slabs.
const json in_core_versions = json::object(
               {{"kind", "cuda"}, {"lacks", {"streaming", "coefficients by index", "ablation"}}}),
           papers_slabs = json::object({{"uses", "streaming"}, {"origin", "published"}}),
           our_slabs = json::object(
               {{"uses", "streaming"}, {"origin", "optimised"}, {"lacks", "several steps a pass"}});

json version(const char* name) {
    return json::object({{"name", name}});
}

int side(const AxisValues& values) {
    return std::stoi(values.at("n"));
}

/// Other frameworks' steps, in float, beside what is in the group.
void add_peers(Group& group, const PlanContext& context, int n, bool on_gpu) {
    // What is handed over is there twice.
    const double values = slots<float>(n) * sizeof(float);
    harness::add_peers(
        group, context,
        {.study = "maxwell",
         .frameworks = on_gpu ? std::vector<std::string>{"jax", "torch"} : harness::peers_on_cpu,
         .on_gpu = on_gpu,
         .iterations = !on_gpu    ? 1
                       : n <= 128 ? 256
                                  : 32,
         .memory = {.host = case_bytes<float>(n) + (on_gpu ? 21 : 100) * values, .gpu = 60 * values}},
        [n](const std::string& variant) { return base_point<float>(variant, n, values_fused); },
        [n, seed = context.seed](const harness::Peer& peer) { return peer_work<float>(peer, n, seed); });
}

void add_gpu_peers(Group& group, const PlanContext& context, const AxisValues& values) {
    const int n = side(values);
    if (values.at("precision") == "float" && (n == 128 || n == published || n == 384))
        add_peers(group, context, n, true);
}

void add_cpu_peers(Group& group, const PlanContext& context, const AxisValues& values) {
    if (side(values) == 64) add_peers(group, context, 64, false);
}

/// What the paper says of its versions is tried out at its size alone, where its CPU code stands, too.
bool is_as_published(const std::string&, const AxisValues& values) {
    return side(values) == published && values.at("precision") == "float";
}

bool is_for_the_size(const std::string& variant, const AxisValues& values) {
    return side(values) != largest ||
           find_gpu_variant<float>(launch::Executor::host, variant)->step != nullptr;
}

/// The paper's own streamed version is measured at few depths.
bool is_papers_depth(const std::string&, const AxisValues& values) {
    const auto depth = values.find("slab_depth");
    return side(values) == published &&
           (depth == values.end() || depth->second == "16" || depth->second == "64");
}

/// Where a step takes milliseconds, launches no longer count.
std::vector<Series> in_core_series(const Point& point) {
    const auto n = harness::value_of<std::int64_t>(point.parameters, "nx", 0);
    std::vector<Series> series = point.series;
    series.resize(n == largest ? 1 : n > published ? 2 : 3, step_alone.front());
    return series;
}

/// With the paper's choices, of which all but its own version's may find no room.
const GroupOf in_core{
    .name = "{n}/{precision}/in_core",
    .members = {{.versions = version("gpu_in_core"), .series_of = in_core_series, .keeps = is_for_the_size},
                {.versions = json::object({{"uses", "ablation"}}), .keeps = is_as_published, .yields = true},
                {.versions = in_core_versions, .series_of = in_core_series, .keeps = is_for_the_size},
                {.versions = version("gpu_in_core"),
                 .axes = {{"row_alignment", {std::to_string(unaligned)}}},
                 .series = step_alone,
                 .keeps = is_as_published,
                 .yields = true}},
    .add_peers = add_gpu_peers};

/// Versions that take coefficients by index stand by themselves: they need another body.
const GroupOf by_index{
    .name = "{n}/{precision}/in_core/aircraft",
    .members = {{.versions = json::object({{"uses", "coefficients by index"}, {"lacks", "streaming"}}),
                 .series_of = in_core_series},
                {.versions = version("gpu_single_pass"),
                 .axes = {{"case", {"aircraft"}}},
                 .series = step_alone,
                 .keeps = is_as_published,
                 .yields = true}}};

GroupOf on_cpu(const PlanContext& context) {
    Axis threads{"threads", {}};
    for (const int count : std::set<int>{1, base_threads, context.threads})
        threads.values.push_back(std::to_string(count));
    return {.name = "{n}/{precision}/cpu",
            .members = {{.versions = version("cpu_openmp"), .axes = {threads}},
                        {.versions = json::object({{"kind", "cpu"}, {"origin", "published"}}),
                         .axes = {of_the_paper},
                         .keeps = is_as_published}},
            .add_peers = add_cpu_peers};
}

GroupOf skewed(const char* variant) {
    return {.name = "{n}/{precision}/{variant}",
            .members = {{.axes = {parts}}},
            .values = {{"variant", variant}}};
}

/// Of `quick` the rows of claims M1 and M2: the paper's own versions at its size and the fastest of each
/// kind.
std::vector<GroupOf> headline(const AxisValues& budget) {
    return {{.name = "{n}/{precision}/headline/cpu",
             .members = {{.versions = version("cpu_plain"), .axes = {of_the_paper}},
                         {.versions = version("cpu_openmp")}}},
            {.name = "{n}/{precision}/headline/in_core",
             .members = {{.versions = in_core_versions, .series = step_alone}}},
            {.name = "{n}/{precision}/headline/streamed",
             .members = {{.versions = papers_slabs}, {.versions = version("gpu_streamed_overlapped")}},
             .values = budget}};
}

std::vector<Product> products(const PlanContext& context) {
    using enum Preset;
    using Groups = std::vector<GroupOf>;
    const auto at = [](int n, Groups groups, Preset from = quick, Preset until = full) {
        return Product{
            {{"n", {std::to_string(n)}}, {"precision", {"float"}}}, std::move(groups), from, until};
    };
    // --device-memory takes the place of all depths.
    const bool by_memory = context.device_memory > 0;
    const AxisValues budget = by_memory ? AxisValues{} : AxisValues{{"budget_mib", published_budget}};
    const auto slabs = [&](int n, std::vector<std::string> depths, Preset from = quick, Preset until = full) {
        GroupOf group{.name = "{n}/{precision}/streamed/budget",
                      .members = {{.versions = papers_slabs, .keeps = is_papers_depth},
                                  {.versions = our_slabs, .axes = {parts}}}};
        Product product = at(n, {}, from, until);
        if (!by_memory) {
            group.name = "{n}/{precision}/streamed/{slab_depth}";
            product.each.push_back({"slab_depth", std::move(depths)});
        }
        product.groups = {group};
        return product;
    };
    const GroupOf cpu = on_cpu(context), arrays = skewed("gpu_streamed_skewed"),
                  indexed = skewed("gpu_streamed_skewed_indexed"),
                  half{.name = "{n}/{precision}/streamed/budget",
                       .members = {{.versions = papers_slabs}, {.versions = our_slabs}},
                       .values = budget};
    const auto in_double = [&](int n, Groups groups, Preset from) {
        Product product = at(n, std::move(groups), from);
        product.each[1].values = {"double"};
        return product;
    };
    return {at(64, {in_core, cpu, by_index}),
            at(128, {in_core}),
            slabs(128, {"1", "8", "128"}),
            at(128, {arrays}),
            at(128, {cpu}, paper),
            at(128, {by_index, indexed}),
            at(published, {in_core}, paper),
            slabs(published, {"16", "64", "320"}, paper, paper),
            slabs(published, {"1", "4", "16", "64", "320"}, full),
            at(published, by_memory ? Groups{} : Groups{half}, paper),
            at(published, {arrays, cpu, by_index, indexed}, paper),
            at(384, {in_core, by_index}, full),
            at(512, {in_core}, full),
            slabs(512, {"32"}, full),
            at(512, {arrays, by_index, indexed}, full),
            at(largest, {in_core, arrays, by_index, indexed}, full),
            at(published, headline(budget), quick, quick),
            in_double(64, {in_core}, quick),
            in_double(published, {in_core}, full),
            in_double(64, {by_index}, quick),
            in_double(published, {by_index, cpu}, full)};
}

/// When the GPU sends, computes and fetches.
void add_timelines(Plan& plan, const harness::Experiment& study, const PlanContext& context) {
    AxisValues values{{"n", "128"}};
    if (context.device_memory == 0) values["slab_depth"] = "8";
    for (const harness::Variant& variant : study.variants)
        if (harness::fits(variant, our_slabs))
            for (const Point& point : harness::points_at(study, context, variant, values)) {
                harness::Timeline timeline{point, point.prepare};
                timeline.add("timeline", {});
                plan.timelines.push_back(timeline);
            }
}

/// The observed orders of the scheme, between 20 and 40 cells a unit of length (a wave is two or so long).
void add_orders(Plan& plan) {
    constexpr int coarse = 20, fine = 40;
    struct Both {
        PlateErrors coarse, fine;
    };
    // Both rows of the plate share two solves.
    const auto plate = std::make_shared<std::optional<Both>>();
    const auto of_plate = [plate](double PlateErrors::*error) {
        if (!*plate) *plate = Both{plate_errors(coarse), plate_errors(fine)};
        return observed_order((*plate)->coarse.*error, (*plate)->fine.*error);
    };
    const auto add = [&](const char* name, const harness::Parameters& parameters,
                         std::function<double()> value) {
        plan.computed.push_back({{.name = fmt::format("maxwell/cpu_openmp/order/{}", name),
                                  .variant = "cpu_openmp",
                                  .parameters = parameters},
                                 "order",
                                 "1",
                                 std::move(value)});
    };
    add("plate/reflected", {{"where", "inside"}, {"wave", "reflected"}, {"precision", "double"}},
        [of_plate] { return of_plate(&PlateErrors::reflected); });
    add("plate/transmitted", {{"where", "inside"}, {"wave", "transmitted"}, {"precision", "double"}},
        [of_plate] { return of_plate(&PlateErrors::transmitted); });
    add("boundary", {{"where", "boundary"}, {"wave", "reflected"}, {"precision", "double"}},
        [] { return observed_order(boundary_reflection(coarse), boundary_reflection(fine)); });
    add("boundary/equation_4",
        {{"where", "boundary"}, {"form", "equation 4"}, {"wave", "reflected"}, {"precision", "double"}},
        [] { return observed_order(mean_boundary_reflection(coarse), mean_boundary_reflection(fine)); });
}

}  // namespace

Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    const harness::Experiment study = experiment();
    Plan plan;
    harness::add_products(plan, study, context, products(context));
    for (Group& group : plan.groups)
        for (Point& point : group.points)
            // It stands beside a GPU's rows alone.
            if (group.name.ends_with("headline/cpu") && point.unavailable.empty() && context.gpu == nullptr)
                point.unavailable = context.no_gpu;
    add_timelines(plan, study, context);
    if (context.preset != Preset::quick) add_orders(plan);
    return plan;
}

}  // namespace gridmark::maxwell

#include <fmt/format.h>

#include "experiments/pyramid/box.hpp"
#include "experiments/pyramid/computed.hpp"
#include "experiments/pyramid/points.hpp"
#include "experiments/pyramid/work.hpp"
#include "harness/products.hpp"
#include "harness/settings.hpp"

namespace gridmark::pyramid {

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
using Words = std::vector<std::string>;

/// Other frameworks' steps, in float, beside what is in the group.
void add_peers(Group& group, const PlanContext& context, const AxisValues& values) {
    const bool on_gpu = group.points.front().on_gpu;
    const auto n = static_cast<std::size_t>(std::stoull(values.at("n")));
    const bool is_beside_peers = on_gpu ? n == 1 << 24 || n == 1 << 26 : n == 1 << 20;
    if (values.at("precision") != "float" || !is_beside_peers) return;
    harness::add_peers(
        group, context,
        {.study = "pyramid",
         .frameworks = on_gpu ? std::vector<std::string>{"jax", "torch"} : harness::peers_on_cpu,
         .on_gpu = on_gpu,
         .iterations = on_gpu ? 64 : 1,
         .memory = {.host = host_bytes<float>(n, on_gpu ? 4 : 12),
                    .gpu = 16.0 * static_cast<double>(n * sizeof(float))}},
        [n](const std::string& variant) { return base_point<float>(variant, n, 1); },
        [n, seed = context.seed](const harness::Peer& peer) { return peer_work<float>(peer, n, 1, seed); });
}

/// Versions in memory at an order, or with a medium.
GroupOf rod_group(const char* kind, const char* n, Preset from = Preset::quick,
                  const char* medium = nullptr) {
    GroupOf group{.name = "in_memory/{n}/{precision}",
                  .members = {{.versions = nlohmann::json::object(
                                   {{"kind", kind}, {"lacks", {"streaming", "a box"}}})}},
                  .from = from,
                  .values = {{"n", n}},
                  .add_peers = add_peers};
    if (medium != nullptr) {
        group.name = "medium/{medium}/{n}/{precision}";
        group.members[0].versions["uses"] = "media";
        group.values["medium"] = medium;
        group.add_peers = nullptr;
    }
    if (kind == std::string("cpu")) group.name += "/cpu";
    return group;
}

/// Orders from one that a launch dominates to one far beyond any cache. How long a step takes does not depend
/// on a medium's values; whether it is right does.
std::vector<Product> rods() {
    using enum Preset;
    const Axis precision{"precision", {"float", "double"}};
    return {
        {{precision},
         {rod_group("cuda", "1048576"), rod_group("cuda", "16777216"), rod_group("cuda", "67108864", paper),
          rod_group("cuda", "65536", full), rod_group("cuda", "268435456", full), rod_group("cpu", "1048576"),
          rod_group("cpu", "16777216", paper), rod_group("cpu", "65536", full)}},
        {{precision},
         {rod_group("cuda", "1048576", quick, "layered"), rod_group("cuda", "16777216", paper, "layered"),
          rod_group("cuda", "1048576", paper, "random"),
          rod_group("cuda", "1048576", paper, "nearly_singular"),
          rod_group("cpu", "1048576", quick, "layered"), rod_group("cpu", "1048576", paper, "random"),
          rod_group("cpu", "1048576", paper, "nearly_singular")}}};
}

Words powers_of_two(int last) {
    Words heights;
    for (int h = 1; h <= last; h *= 2)
        heights.push_back(std::to_string(h));
    return heights;
}

/// Times over the height of what is out of core, under budgets in MiB or the one that --device-memory sets.
std::vector<Product> sweeps(const PlanContext& context) {
    using enum Preset;
    const auto by_preset = [&](const Words& in_quick, const Words& in_paper, const Words& in_full) {
        return context.preset == quick ? in_quick : context.preset == paper ? in_paper : in_full;
    };
    // Each rod by its version, n, s, precision and rule.
    const auto sweep = [&](const Words& rods, const Words& budgets, const Words& heights, const Words& parts,
                           Preset from = quick) {
        Product product{{{"variant n s precision padding_rule", rods}}, {}, from};
        std::string budget = fmt::format("{:g}", static_cast<double>(context.device_memory) / 0x1p20);
        if (context.device_memory == 0) {
            product.each.push_back({"budget_mib", budgets});
            budget = "{budget_mib}";
        }
        product.groups = {
            {.name = "{variant}/streamed/{n}/{precision}/s_{s}/" + budget + "_MiB/{padding_rule}_padding",
             .members = {{.axes = {{"height", heights}, {"part", parts}}}}}};
        return product;
    };
    const Words whole{"whole"}, parts{"whole", "transfers", "kernels"}, few{"1", "4", "16", "64"},
        far{"1", "8", "64", "256", "1024"},
        usual = by_preset(few, {"1", "4", "16", "64", "256"}, powers_of_two(256)),
        // Where a step takes so little, a pass must do hundreds of them before its transfers no longer count.
        high = by_preset({"1", "8", "64"}, far, {"1", "8", "64", "256", "1024", "4096"}),
        budgets = by_preset({"64"}, {"64"}, {"8", "64"}),
        on_cpu = by_preset(few, powers_of_two(64), powers_of_two(64));
    return {
        sweep({"gpu_local_inverse 67108864 1 float least"}, budgets, usual, parts),
        sweep({"gpu_local_inverse 67108864 1 double least"}, {"64"}, usual, parts),
        sweep({"gpu_cyclic_reduction_synchronous 67108864 1 float least"}, budgets, usual, whole),
        sweep({"gpu_cyclic_reduction_synchronous 67108864 1 double least",
               "gpu_local_inverse 67108864 0.1 double least", "gpu_local_inverse 67108864 10 double least",
               "gpu_local_inverse 268435456 0.1 float least", "gpu_local_inverse 268435456 10 float least"},
              {"64"}, usual, whole, full),
        sweep({"gpu_local_inverse 268435456 1 float least"}, {"64", "512"}, usual, parts, full),
        sweep({"gpu_local_inverse 268435456 1 double least"}, {"64"}, usual, parts, full),
        sweep({"gpu_marching_8 67108864 1 float least"}, {"64"}, high, parts),
        sweep({"gpu_marching_8 268435456 1 float least"}, {"64", "512"}, high, parts, full),
        // Every solver both ways.
        sweep({"gpu_cyclic_reduction 67108864 1 float least",
               "gpu_cyclic_reduction_one_layer 67108864 1 float least", "gpu_cusparse 67108864 1 float least",
               "gpu_cusparse_synchronous 67108864 1 float least",
               "gpu_local_inverse_synchronous 67108864 1 float least"},
              {"64"}, {"1", "16", "64"}, whole, paper),
        // A device so small that its padding counts: there the paper's height has its best. With minimal
        // padding the device must be smaller still.
        sweep({"gpu_cyclic_reduction_synchronous 2097152 10 float least",
               "gpu_cyclic_reduction_synchronous 2097152 10 float paper"},
              {"1"}, by_preset(far, far, powers_of_two(1024)), whole),
        sweep({"gpu_cyclic_reduction_synchronous 131072 10 float least"}, {"0.03125"}, far, whole),
        sweep({"cpu_pyramid 1048576 1 float least", "cpu_pyramid 1048576 1 double least"}, {"1"}, on_cpu,
              whole),
        sweep({"cpu_pyramid 4194304 1 float least", "cpu_pyramid 4194304 1 double least"}, {"1"}, on_cpu,
              whole, full),
    };
}

/// One pass of 16 steps, optimised and as published.
void add_timelines(Plan& plan, const PlanContext& context) {
    const harness::Settings settings({{"n", "67108864"}, {"budget_mib", "64"}, {"height", "16"}}, axes());
    for (const char* variant : {"gpu_local_inverse", paper_version}) {
        const Point point = points(context, variant, settings).front();
        harness::Timeline timeline{point, point.prepare, point.iterations};
        timeline.add("timeline", {});
        plan.timelines.push_back(timeline);
    }
}

}  // namespace

Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    const harness::Experiment study = experiment();
    Plan plan;
    harness::add_products(plan, study, context, rods());
    add_boxes(plan, context);
    harness::add_products(plan, study, context, sweeps(context));
    add_cores(plan, context);
    const auto made = sweeps_of(plan);
    for (const Sweep& sweep : made) {
        add_best(plan, sweep);
        add_choice(plan, sweep, context.machine);
    }
    for (const Sweep& sweep : made)
        if (sweep.variant == paper_version) {
            add_models(plan, sweep);
            // Exact counts: one device, where padding weighs most, is enough for the engines and the
            // estimate.
            const bool small = sweep.rule == Rule::paper;
            add_traffic(plan, context, sweep, small);
            if (!small) continue;
            add_estimated_counts(plan, sweep);
            add_host_layers(plan, context, sweep);
        }
    add_timelines(plan, context);
    add_errors(plan, context);
    add_paddings(plan);
    return plan;
}

}  // namespace gridmark::pyramid

#include "harness/ranks/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/experiment.hpp"
#include "harness/model/transfers.hpp"
#include "harness/ranks/plan.hpp"
#include "harness/results/json_file.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

double positive(const json& object, const char* key, const std::string& file) {
    const json value = object.value(key, json());
    if (!value.is_number() || !(value.get<double>() > 0))
        throw UsageError(fmt::format("{}: {}: must be a number above 0", file, key));
    return value.get<double>();
}

/// Points that a rank computes in all stages of a block of steps, and those of the first stage that need no
/// ghosts; both as a share of a step's points times stages.
struct RankPoints {
    double all = 0, inside = 0;
};

RankPoints points_of(const RankGrid& grid, const ranks::Cut& cut, int rank, int steps) {
    const auto stages = static_cast<int>(grid.stages.size());
    const ranks::Box own = cut.own(rank);
    RankPoints computed;
    for (int t = 0; t < steps * stages; ++t) {
        ranks::Box box = own;
        for (int later = t + 1; steps > 1 && later < steps * stages; ++later)
            box = grown(box, grid.stages[later % stages].reach);
        computed.all += static_cast<double>(common(box, cut.grid()).points()) / stages;
        if (steps > 1 && t > 0) continue;
        const ranks::Reach& reach = grid.stages[t % stages].reach;
        ranks::Box inside = own;
        for (int axis = 0; axis < ranks::axes; ++axis) {
            if (own.low[axis] > cut.grid().low[axis]) inside.low[axis] += reach.below[axis];
            if (own.high[axis] < cut.grid().high[axis]) inside.high[axis] -= reach.above[axis];
        }
        computed.inside += static_cast<double>(inside.points()) / stages;
    }
    return computed;
}

/// Settings of a row that the study's grid takes.
std::map<std::string, std::string> settings_of(const Row& row, const RankedStudy& study) {
    std::map<std::string, std::string> set;
    for (const auto& [key, value] : row.parameters)
        if (study.keys.contains(key)) set[key] = to_text(value);
    return set;
}

bool is_step(const Row& row) {
    return row.measured() && row.is_time() && value_of<std::string>(row.parameters, "part", "") == "step";
}

/// 1, 2, 4 ... `most`, and those that the set measured.
std::set<int> numbers_of_ranks(const ResultFile& file, int most) {
    std::set<int> numbers;
    for (int ranks = 1; ranks <= most; ranks *= 2)
        numbers.insert(ranks);
    for (const Row& row : file.rows)
        if (is_step(row))
            numbers.insert(static_cast<int>(value_of<std::int64_t>(row.parameters, "ranks", 1)));
    return numbers;
}

/// The median of the set's row of so many ranks, cut as `auto` cuts.
std::optional<double> measured_step(const ResultFile& file, const Row& base, const std::string& size,
                                    const std::string& scaling, int steps, int ranks) {
    for (const Row& row : file.rows)
        if (is_step(row) && row.variant == base.variant &&
            row.name.find(fmt::format("/{}/{}/", size, scaling)) != std::string::npos &&
            value_of<std::int64_t>(row.parameters, "ranks", 0) == ranks &&
            value_of<std::int64_t>(row.parameters, "steps_per_exchange", 0) == steps)
            return row.median;
    return std::nullopt;
}

}  // namespace

RankNetwork read_network(const std::string& file) {
    const json object = read_json_file(file);
    if (!object.is_object()) throw UsageError(fmt::format("{}: must be an object", file));
    const auto text = [&](const char* key) {
        const json value = object.value(key, json());
        if (!value.is_string() || value.get_ref<const std::string&>().empty())
            throw UsageError(fmt::format("{}: {}: must be a text", file, key));
        return value.get<std::string>();
    };
    RankNetwork network{text("name"),
                        text("source"),
                        static_cast<int>(positive(object, "ranks_per_node", file)),
                        {positive(object, "latency_us", file), positive(object, "bandwidth_gb_s", file)},
                        {}};
    if (object.contains("node_latency_us") || object.contains("node_bandwidth_gb_s"))
        network.within_node = MessageCost{positive(object, "node_latency_us", file),
                                          positive(object, "node_bandwidth_gb_s", file)};
    return network;
}

RankStep rank_step(const RankGrid& grid, const ranks::Triple& parts, int steps_per_exchange, double point_us,
                   const MachineLimits& machine, const std::string& variant, double stretch) {
    const ranks::Cut cut(grid.box, parts);
    RankPoints most;
    for (const int rank : looked_at(parts)) {
        const RankPoints computed = points_of(grid, cut, rank, steps_per_exchange);
        if (computed.all > most.all) most = computed;
    }
    const bool on_gpu = variant == ranks_gpu;
    const Exchange exchange = exchange_of(traffic_of(grid, parts, steps_per_exchange), machine, on_gpu);
    const double share = stretch * point_us / steps_per_exchange, inside = share * most.inside;
    RankStep step{share * most.all, exchange.total(), 0, {}};
    step.time = step.computing + std::max(0.0, step.exchange - (on_gpu ? inside : 0));
    step.binds = step.computing >= step.time / 2                         ? "computing"
                 : exchange.latency.total() > exchange.bandwidth.total() ? "latency"
                                                                         : "bandwidth";
    return step;
}

namespace {

/// How much longer CPU ranks take when so many work on one node: they share its memory. With n of them the
/// bandwidth of one falls by 1 + (n - 1) a, where a follows from the ceilings of one thread and of all; that
/// concerns the part of a step that one rank's bandwidth accounts for. 1 where the caches hold all they use.
double stretch_of(const MachineLimits& machine, int threads, const RankGrid& grid, double step_us,
                  int on_node, int ranks) {
    const auto one = machine.ceiling("cpu_triad_one_thread"), all = machine.ceiling("cpu_triad_all_threads");
    if (!one || !all || threads < 2) return 1;
    if (machine.cpu_l3_bytes > 0 && grid.bytes * on_node / ranks <= machine.cpu_l3_bytes) return 1;
    const double a = std::max(0.0, (threads * *one / *all - 1) / (threads - 1)),
                 memory = std::min(1.0, grid.bytes / ranks / (*one * 1e3) / step_us);
    return 1 + memory * a * (on_node - 1);
}

/// The machine with a network's messages in place of its own.
MachineLimits by_network(MachineLimits machine, const std::optional<MessageCost>& message) {
    if (message) {
        machine.ceilings["rank_latency"] = message->latency;
        machine.ceilings["rank_bandwidth"] = message->bandwidth;
    }
    return machine;
}

}  // namespace

std::vector<ScalingPoint> scaling_of(const ResultFile& file, const Experiment& experiment,
                                     const std::optional<RankNetwork>& network, int most) {
    const std::string study = study_of(experiment)["id"];
    if (experiment.ranked == nullptr)
        throw UsageError(fmt::format("{}: not a study that is cut among ranks", study));
    const RankedStudy& ranked = *experiment.ranked;
    const MachineLimits machine = limits_of(file.context);
    const json cpu = file.context.value("cpu", json::object());
    const int threads = cpu.value("threads", json(1)).is_number() ? cpu.value("threads", 1) : 1;
    if (!machine.ceiling("rank_latency") || !machine.ceiling("rank_bandwidth"))
        throw UsageError(fmt::format(
            "{}: its ceilings lack rank_latency and rank_bandwidth: run --ranks with 2 or more", study));
    std::vector<ScalingPoint> points;
    for (const Row& base : file.rows) {
        if (!is_step(base) || value_of<std::int64_t>(base.parameters, "ranks", 0) != 1) continue;
        const auto set = settings_of(base, ranked);
        const std::string scaling = value_of<std::string>(base.parameters, "scaling", "");
        const int steps = static_cast<int>(value_of<std::int64_t>(base.parameters, "steps_per_exchange", 1));
        const auto grid_of = [&](int ranks) {
            return ranked.grid(Settings(set, ranked.keys), scaling == "weak" ? ranks : 1);
        };
        const double point_us = *base.median / static_cast<double>(grid_of(1).box.points());
        const std::set<int> numbers = numbers_of_ranks(file, network ? most : 1);
        const int most_measured = *numbers_of_ranks(file, 1).rbegin();
        for (const int ranks : numbers) {
            try {
                const RankGrid grid = grid_of(ranks);
                // What was measured is held against the machine's own messages.
                std::optional<MessageCost> message;
                if (network && ranks > most_measured) message = network->within_node;
                if (network && ranks > std::max(most_measured, network->ranks_per_node))
                    message = network->between_nodes;
                const int on_node = network ? std::min(ranks, network->ranks_per_node) : ranks;
                const double alone = point_us * static_cast<double>(grid.box.points()) / ranks,
                             stretch = base.variant == ranks_cpu
                                           ? stretch_of(machine, threads, grid, alone, on_node, ranks)
                                           : 1;
                const RankStep step = rank_step(grid, parts_of(grid, "auto", ranks), steps, point_us,
                                                by_network(machine, message), base.variant, stretch);
                const double by = scaling == "strong" ? ranks : 1;
                points.push_back({base.variant, grid_of(1).word, scaling, ranks, steps, step,
                                  100 * *base.median / (step.time * by),
                                  measured_step(file, base, grid.word, scaling, steps, ranks)});
            } catch (const std::invalid_argument&) {
                break;  // more ranks than the grid can be cut among
            }
        }
    }
    if (points.empty()) throw UsageError(fmt::format("{}: no row of one rank: run --ranks 1,2", study));
    return points;
}

}  // namespace gridmark::harness

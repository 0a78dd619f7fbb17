#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/model/predict.hpp"
#include "harness/ranks/ranked.hpp"
#include "harness/results/result_file.hpp"

/// What a step on many ranks will take, from one rank's own time and the ceilings of messages.
namespace gridmark::harness {

struct Experiment;

/// What a message costs: so many microseconds, and its bytes by so many GB/s.
struct MessageCost {
    double latency, bandwidth;
};

/// A machine to forecast: nodes of several ranks each, whose messages to other nodes go by a network.
struct RankNetwork {
    std::string name, source;
    int ranks_per_node;
    MessageCost between_nodes;
    /// Within a node; none: as the set measured it.
    std::optional<MessageCost> within_node;
};
/// From a file {"name", "source", "ranks_per_node", "latency_us", "bandwidth_gb_s"} and, if a node's own link
/// is given, "node_latency_us", "node_bandwidth_gb_s". Throws UsageError for any other.
RankNetwork read_network(const std::string& file);

/// A step of the busiest rank, in microseconds.
struct RankStep {
    double computing;   ///< all points, those of its neighbours that a deep halo makes it compute included
    double exchange;    ///< all messages, were nothing computed meanwhile
    double time;        ///< both, less what is hidden
    std::string binds;  ///< "computing", "latency" or "bandwidth"
};

/// One rank of the variant computes a point in `point_us`, and so many on a node take `stretch` times as
/// long. Messages go by the machine's ceilings `rank_latency` and `rank_bandwidth`; before and behind them
/// lies what a rank does with them. A CPU copies their bytes, a GPU's go over the link, between kernels that
/// pack and unpack. A CPU that computes moves its messages itself; a GPU computes its inside meanwhile.
RankStep rank_step(const RankGrid& grid, const ranks::Triple& parts, int steps_per_exchange, double point_us,
                   const MachineLimits& machine, const std::string& variant, double stretch = 1);

/// One point of a scaling curve.
struct ScalingPoint {
    std::string variant, size, scaling;
    int ranks, steps_per_exchange;
    RankStep predicted;
    double efficiency;               ///< %, against one rank
    std::optional<double> measured;  ///< us, of the set's row; none: extrapolation
};

/// All curves of a set that `run --ranks` made: what it measured beside what the model says, and onwards to
/// `most` ranks on the network. Throws UsageError for a set without a row of one rank or without ceilings of
/// messages.
std::vector<ScalingPoint> scaling_of(const ResultFile& file, const Experiment& experiment,
                                     const std::optional<RankNetwork>& network, int most);

}  // namespace gridmark::harness

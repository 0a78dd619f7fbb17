#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/experiment.hpp"

/// Peers: a study's step as other frameworks have it. Each is a program of its own, checked and timed beside
/// the study's variants; docs/peers.md says how.
namespace gridmark::harness {

/// A peer, and how its program is started.
struct Peer {
    std::string program;  ///< what `run --peers` names; it gets `name` as its argument
    std::string name;     ///< "heat_jax"
    double patience;      ///< seconds in which it must answer
    int device;           ///< number of the GPU that it is to use; -1: none
};

/// What each study has on the CPU.
inline const std::vector<std::string> peers_on_cpu{"numpy", "jax"};

/// The peers of one size.
struct PeerChoice {
    std::string study;
    std::vector<std::string> frameworks;
    bool on_gpu;
    int iterations;                ///< steps of a sample: so many that the wait at their end does not count
    double gpu_bytes, host_bytes;  ///< that they need together
};

/// Adds a point for each of them to a group, so that it is measured in turns with what is there, as variants
/// peer_jax or, on the CPU, peer_jax_cpu; none unless `run --peers` asks for them. `base` gives the point of
/// a variant of that name, with its own name, parameters, bytes and flops; `work` makes it.
void add_peers(Group& group, const PlanContext& context, const PeerChoice& choice,
               const std::function<Point(const std::string& variant)>& base,
               const std::function<std::unique_ptr<Work>(const Peer&)>& work);

}  // namespace gridmark::harness

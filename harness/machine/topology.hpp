#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/expected.hpp"

// Packages, NUMA nodes and where the GPU hangs, as hwloc tells; which of the nodes a run is bound to.
namespace gridmark::harness {

/// A NUMA node and its CPUs, both as the system numbers them.
struct NumaNode {
    int number;
    std::vector<int> cpus;
};

struct Topology {
    int packages = 0;
    std::vector<NumaNode> nodes;
    /// The nodes that the GPU is closest to: one, or those of a package.
    Expected<std::vector<int>> gpu_nodes = unknown<std::vector<int>>("there is no GPU");
};

struct TopologyOptions {
    std::string pci_bus_id = {};      ///< of the GPU, "0000:3b:00.0"; empty: there is none
    bool is_virtual_machine = false;  ///< one without NUMA nodes of its own does not tell of its host's
    std::string xml = {};             ///< hwloc's, instead of this machine: for tests
};

/// Takes some tens of milliseconds, and opens no GPU.
Expected<Topology> read_topology(const TopologyOptions& options);

/// The `topology` part of a result file's context: packages, numa_nodes (each node's CPUs), gpu_numa_nodes
/// and bound_numa_nodes (those of the CPUs in `affinity`), all as lists such as "0-3,8"; and `binding`,
/// binding_remark() where there is one. What is not known is null and its reason goes to
/// reasons["topology...."].
nlohmann::json describe_topology(const Expected<Topology>& topology,
                                 const Expected<std::vector<int>>& affinity, nlohmann::json& reasons);

/// What to say of a run that is bound to other NUMA nodes than the GPU's, from such a part (null or without
/// keys in old files); else "".
std::string binding_remark(const nlohmann::json& topology);

}  // namespace gridmark::harness

#include "harness/machine/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/machine/cpu.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

Expected<std::vector<int>> nodes_of(const Topology& topology, const std::vector<int>& cpus) {
    std::vector<int> nodes;
    for (const NumaNode& node : topology.nodes)
        if (std::find_first_of(node.cpus.begin(), node.cpus.end(), cpus.begin(), cpus.end()) !=
            node.cpus.end())
            nodes.push_back(node.number);
    if (nodes.empty()) return unknown<std::vector<int>>("hwloc finds the CPUs in use on no NUMA node");
    return known(nodes);
}

/// The list under the key, or none.
std::vector<int> numbers_at(const json& topology, const char* key) {
    if (!topology.is_object()) return {};
    const auto found = topology.find(key);
    if (found == topology.end() || !found->is_string()) return {};
    return parse_cpu_list(found->get<std::string>()).value_or(std::vector<int>{});
}

std::string nodes_text(const std::vector<int>& nodes) {
    return fmt::format("node{} {}", nodes.size() == 1 ? "" : "s", format_cpu_list(nodes));
}

}  // namespace

json describe_topology(const Expected<Topology>& topology, const Expected<std::vector<int>>& affinity,
                       json& reasons) {
    json object = json::object();
    put(object, reasons, "topology.packages",
        transform(topology, [](const Topology& t) { return t.packages; }));
    put(object, reasons, "topology.numa_nodes", transform(topology, [](const Topology& t) {
            json nodes = json::object();
            for (const NumaNode& node : t.nodes)
                nodes[std::to_string(node.number)] = format_cpu_list(node.cpus);
            return nodes;
        }));
    const auto no_nodes = unknown<std::vector<int>>(topology.reason);
    put(object, reasons, "topology.gpu_numa_nodes",
        transform(topology ? topology.value->gpu_nodes : no_nodes, format_cpu_list));
    const auto bound = !topology   ? no_nodes
                       : !affinity ? unknown<std::vector<int>>(affinity.reason)
                                   : nodes_of(*topology.value, *affinity.value);
    put(object, reasons, "topology.bound_numa_nodes", transform(bound, format_cpu_list));
    if (std::string remark = binding_remark(object); !remark.empty()) object["binding"] = std::move(remark);
    return object;
}

std::string binding_remark(const json& topology) {
    const std::vector<int> gpu = numbers_at(topology, "gpu_numa_nodes"),
                           bound = numbers_at(topology, "bound_numa_nodes");
    const bool apart = std::find_first_of(gpu.begin(), gpu.end(), bound.begin(), bound.end()) == gpu.end();
    if (gpu.empty() || bound.empty() || !apart) return "";
    return fmt::format(
        "bound to CPUs of NUMA {}, but the GPU hangs on {}: launches and transfers take the way between",
        nodes_text(bound), nodes_text(gpu));
}

}  // namespace gridmark::harness

#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "harness/machine/topology.hpp"

namespace gridmark::harness {
namespace {

using Handle = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

/// Loaded; null where hwloc cannot.
Handle load(const std::string& xml) {
    // What firmware says of itself is often wrong, and hwloc complains of it at length.
    ::setenv("HWLOC_HIDE_ERRORS", "2", 0);
    // Plugins on the machine that a portable folder came to may be of another version, and those for OpenCL
    // and X open GPUs. PCI devices are found without them.
    ::setenv("HWLOC_PLUGINS_PATH", "/dev/null", 0);
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0) return {nullptr, hwloc_topology_destroy};
    Handle handle(topology, hwloc_topology_destroy);
    // CPUs that a control group forbids belong to the machine, too.
    unsigned long flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
    // Threads stay where they are. Before hwloc 2.5 the one part that moved them is left out by its name.
#if HWLOC_API_VERSION >= 0x00020500
    flags |= HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
#else
    ::setenv("HWLOC_COMPONENTS", "-x86", 0);
#endif
    bool done =
        hwloc_topology_set_flags(topology, flags) == 0 &&
        hwloc_topology_set_type_filter(topology, HWLOC_OBJ_PCI_DEVICE, HWLOC_TYPE_FILTER_KEEP_ALL) == 0;
    if (!xml.empty())
        done = done &&
               hwloc_topology_set_xmlbuffer(topology, xml.c_str(), static_cast<int>(xml.size() + 1)) == 0;
    if (!done || hwloc_topology_load(topology) != 0) handle.reset();
    return handle;
}

std::vector<int> numbers(hwloc_const_bitmap_t set) {
    std::vector<int> all;
    for (int i = hwloc_bitmap_first(set); i >= 0; i = hwloc_bitmap_next(set, i))
        all.push_back(i);
    return all;
}

/// A GPU's own memory is a node of some machines; nobody runs there.
bool is_of_cpus(const hwloc_obj* node) {
    return node->subtype == nullptr || std::strcmp(node->subtype, "GPUMemory") != 0;
}

Expected<std::vector<int>> gpu_nodes(hwloc_topology_t topology, const std::vector<NumaNode>& nodes,
                                     const TopologyOptions& options) {
    using Nodes = std::vector<int>;
    if (options.pci_bus_id.empty()) return unknown<Nodes>("there is no GPU");
    if (nodes.size() == 1 && options.is_virtual_machine)
        return unknown<Nodes>("the virtual machine shows one NUMA node, and not where its host has the GPU");
    hwloc_obj* const device = hwloc_get_pcidev_by_busidstring(topology, options.pci_bus_id.c_str());
    if (device == nullptr) return unknown<Nodes>("hwloc finds no device at the GPU's PCI address");
    const hwloc_obj* const place = hwloc_get_non_io_ancestor_obj(topology, device);
    Nodes near;
    for (const NumaNode& node : nodes)
        if (hwloc_bitmap_isset(place->nodeset, static_cast<unsigned>(node.number)) != 0)
            near.push_back(node.number);
    // What hangs on the whole machine is what nothing is known about.
    if (near.empty() || (near.size() == nodes.size() && nodes.size() > 1))
        return unknown<Nodes>(options.is_virtual_machine
                                  ? "the virtual machine does not show which NUMA node the GPU hangs on"
                                  : "the system does not show which NUMA node the GPU hangs on");
    return known(near);
}

}  // namespace

Expected<Topology> read_topology(const TopologyOptions& options) {
    const Handle handle = load(options.xml);
    if (!handle) return unknown<Topology>("hwloc cannot read this machine");
    Topology topology;
    topology.packages = std::max(hwloc_get_nbobjs_by_type(handle.get(), HWLOC_OBJ_PACKAGE), 0);
    for (hwloc_obj* node = nullptr;
         (node = hwloc_get_next_obj_by_type(handle.get(), HWLOC_OBJ_NUMANODE, node)) != nullptr;)
        if (is_of_cpus(node))
            topology.nodes.push_back({static_cast<int>(node->os_index), numbers(node->cpuset)});
    topology.gpu_nodes = gpu_nodes(handle.get(), topology.nodes, options);
    return known(topology);
}

}  // namespace gridmark::harness

#include "harness/machine/topology.hpp"

namespace gridmark::harness {

Expected<Topology> read_topology(const TopologyOptions&) {
    return unknown<Topology>("built without hwloc");
}

}  // namespace gridmark::harness

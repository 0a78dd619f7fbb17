#include "harness/machine/topology.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

using nlohmann::json;

const char* const gpu_address = "0000:3b:00.0";

/// A GPU behind a bridge, as hwloc writes it.
const std::string gpu =
    R"(<object type="Bridge" gp_index="90" bridge_type="0-1" depth="0" bridge_pci="0000:[3a-3f]">
  <object type="PCIDev" gp_index="91" pci_busid="0000:3b:00.0" pci_type="0302 [10de:2330] [10de:16c1] a1"
    pci_link_speed="63.0"/></object>)";

std::string sets(unsigned cpus, unsigned nodes) {
    return fmt::format(R"(cpuset="{0:#010x}" complete_cpuset="{0:#010x}" nodeset="{1:#010x}"
  complete_nodeset="{1:#010x}")",
                       cpus, nodes);
}

/// A package of two CPUs with a NUMA node of its own.
std::string package(unsigned number, const std::string& inside = "", const std::string& subtype = "") {
    const unsigned first = 2 * number, nodes = 1U << number;
    std::string xml = fmt::format(R"(<object type="Package" os_index="{0}" gp_index="{1}" {2}>
  <object type="NUMANode" os_index="{0}" gp_index="{3}" {2} local_memory="1024" {4}/>)",
                                  number, 10 + number, sets(3U << first, nodes), 20 + number,
                                  subtype.empty() ? "" : "subtype=\"" + subtype + '"');
    for (unsigned cpu = first; cpu < first + 2; ++cpu)
        xml += fmt::format(R"(<object type="PU" os_index="{}" gp_index="{}" {}/>)", cpu, 30 + cpu,
                           sets(1U << cpu, nodes));
    return xml + inside + "</object>";
}

/// A machine of these packages, and what hangs on none of them.
std::string machine(unsigned packages, const std::string& inside) {
    const std::string all = sets((1U << 2 * packages) - 1, (1U << packages) - 1);
    return fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0"><object type="Machine" os_index="0" gp_index="1" {}>{}</object></topology>)",
                       all, inside);
}

const std::string two_packages = machine(2, package(0) + package(1, gpu));

Expected<Topology> read(const std::string& xml, bool is_virtual = false,
                        const std::string& address = gpu_address) {
    return read_topology({.pci_bus_id = address, .is_virtual_machine = is_virtual, .xml = xml});
}

bool is_built_with_hwloc() {
    return read_topology({}).reason != "built without hwloc";
}

#define NEEDS_HWLOC() \
    if (!is_built_with_hwloc()) GTEST_SKIP() << "built without hwloc"

TEST(Topology, HasPackagesNodesAndTheGpusNode) {
    NEEDS_HWLOC();
    const auto topology = read(two_packages);
    ASSERT_TRUE(topology) << topology.reason;
    EXPECT_EQ(topology.value->packages, 2);
    ASSERT_EQ(topology.value->nodes.size(), 2U);
    EXPECT_EQ(topology.value->nodes[1].number, 1);
    EXPECT_EQ(topology.value->nodes[1].cpus, (std::vector<int>{2, 3}));
    EXPECT_EQ(topology.value->gpu_nodes.value, std::vector{1});
    json reasons = json::object();
    EXPECT_EQ(describe_topology(topology, known(std::vector{0, 1}), reasons),
              json({{"packages", 2},
                    {"numa_nodes", {{"0", "0-1"}, {"1", "2-3"}}},
                    {"gpu_numa_nodes", "1"},
                    {"bound_numa_nodes", "0"},
                    {"binding",
                     "bound to CPUs of NUMA node 0, but the GPU hangs on node 1: launches and transfers take "
                     "the way between"}}));
    EXPECT_EQ(reasons, json::object());
}

TEST(Topology, SaysWhenARunIsBoundToAnotherNodeThanTheGpus) {
    NEEDS_HWLOC();
    const auto remark = [](const std::vector<int>& cpus) {
        json reasons = json::object();
        const json topology = describe_topology(read(two_packages), known(cpus), reasons);
        EXPECT_EQ(topology.value("binding", ""), binding_remark(topology)) << "the file says it, too";
        return binding_remark(topology);
    };
    EXPECT_EQ(
        remark({0, 1}),
        "bound to CPUs of NUMA node 0, but the GPU hangs on node 1: launches and transfers take the way "
        "between");
    EXPECT_EQ(remark({3}), "");
    EXPECT_EQ(remark({0, 1, 2, 3}), "");
}

TEST(Topology, NoRemarkWhereAPartIsNotKnown) {
    EXPECT_EQ(binding_remark(nullptr), "");
    EXPECT_EQ(binding_remark({{"packages", 2}}), "");
    EXPECT_EQ(binding_remark({{"gpu_numa_nodes", nullptr}, {"bound_numa_nodes", "0"}}), "");
    EXPECT_EQ(binding_remark({{"gpu_numa_nodes", "1"}, {"bound_numa_nodes", nullptr}}), "");
    EXPECT_EQ(binding_remark({{"gpu_numa_nodes", "2-3"}, {"bound_numa_nodes", "0-1"}}).substr(0, 64),
              "bound to CPUs of NUMA nodes 0-1, but the GPU hangs on nodes 2-3:");
}

TEST(Topology, AVirtualMachineThatDoesNotTellSaysSo) {
    NEEDS_HWLOC();
    const auto one = read(machine(1, package(0, gpu)), true);
    EXPECT_EQ(one.value->gpu_nodes.reason,
              "the virtual machine shows one NUMA node, and not where its host has the GPU");
    EXPECT_EQ(read(machine(1, package(0) + gpu)).value->gpu_nodes.value, std::vector{0});
    const std::string nowhere = machine(2, package(0) + package(1) + gpu);
    EXPECT_EQ(read(nowhere, true).value->gpu_nodes.reason,
              "the virtual machine does not show which NUMA node the GPU hangs on");
    EXPECT_EQ(read(nowhere).value->gpu_nodes.reason,
              "the system does not show which NUMA node the GPU hangs on");
    json reasons = json::object();
    EXPECT_TRUE(describe_topology(one, known(std::vector{0}), reasons).at("gpu_numa_nodes").is_null());
    EXPECT_EQ(reasons, json({{"topology.gpu_numa_nodes", one.value->gpu_nodes.reason}}));
}

TEST(Topology, AVirtualMachineThatTellsIsBelieved) {
    NEEDS_HWLOC();
    EXPECT_EQ(read(two_packages, true).value->gpu_nodes.value, std::vector{1});
}

TEST(Topology, SaysWhyThereIsNoGpuNode) {
    NEEDS_HWLOC();
    EXPECT_EQ(read(two_packages, false, "").value->gpu_nodes.reason, "there is no GPU");
    EXPECT_EQ(read(two_packages, false, "0000:99:00.0").value->gpu_nodes.reason,
              "hwloc finds no device at the GPU's PCI address");
}

TEST(Topology, AGpusOwnMemoryIsNoNodeOfCpus) {
    NEEDS_HWLOC();
    const auto topology = read(machine(2, package(0, gpu) + package(1, "", "GPUMemory")));
    ASSERT_EQ(topology.value->nodes.size(), 1U);
    EXPECT_EQ(topology.value->gpu_nodes.value, std::vector{0});
}

TEST(Topology, ThatCannotBeReadIsNullWithReasons) {
    NEEDS_HWLOC();
    const auto broken = read("<topology");
    EXPECT_EQ(broken.reason, "hwloc cannot read this machine");
    json reasons = json::object();
    const json described = describe_topology(broken, known(std::vector{0}), reasons);
    for (const auto& [key, value] : described.items()) {
        EXPECT_TRUE(value.is_null()) << key;
        EXPECT_EQ(reasons.at("topology." + key), broken.reason);
    }
    EXPECT_EQ(reasons.size(), 4U);
}

TEST(Topology, OfCpusThatNoNodeHasIsNotKnown) {
    NEEDS_HWLOC();
    json reasons = json::object();
    EXPECT_TRUE(describe_topology(read(two_packages), known(std::vector{9}), reasons)
                    .at("bound_numa_nodes")
                    .is_null());
    EXPECT_EQ(reasons.at("topology.bound_numa_nodes"), "hwloc finds the CPUs in use on no NUMA node");
}

TEST(Topology, OfThisMachineHasEveryCpuOnANode) {
    NEEDS_HWLOC();
    const auto topology = read_topology({});
    ASSERT_TRUE(topology) << topology.reason;
    EXPECT_GE(topology.value->packages, 1);
    ASSERT_FALSE(topology.value->nodes.empty());
    EXPECT_FALSE(topology.value->nodes.front().cpus.empty());
}

}  // namespace
}  // namespace gridmark::harness

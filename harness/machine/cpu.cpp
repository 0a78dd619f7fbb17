#include "harness/machine/cpu.hpp"

#include <algorithm>
#include <string>

#include "harness/os/affinity.hpp"
#include "harness/os/files.hpp"

namespace gridmark::harness {
namespace {

const std::string cpu_folder = "/sys/devices/system/cpu/cpu";

template <class T>
Expected<T> from_optional(const std::optional<T>& value, const char* why) {
    return value ? known(*value) : unknown<T>(why);
}

// All CPUs in use share one policy nearly always; where they do not, all names are listed.
Expected<std::string> read_governor(const std::vector<int>& cpus) {
    std::vector<std::string> names;
    for (const int cpu : cpus) {
        const auto text = read_text_file(cpu_folder + std::to_string(cpu) + "/cpufreq/scaling_governor",
                                         "a frequency governor (usual inside virtual machines)");
        if (!text) return unknown<std::string>(text.reason);
        const std::string name(trim(*text.value));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (names.empty()) return unknown<std::string>("no CPU to ask for its governor");
    std::string all = names.front();
    for (std::size_t i = 1; i < names.size(); ++i)
        all += ", " + names[i];
    return known(all);
}

// A container's limit is not in /proc/meminfo: version 2 control groups show it as memory.max of the group,
// whose root is mounted as /sys/fs/cgroup inside the container. "max" means no limit.
Expected<std::int64_t> control_group_room() {
    const std::string folder = "/sys/fs/cgroup/";
    const auto number = [&](const char* name) -> std::optional<std::int64_t> {
        const auto text = read_text_file(folder + name, name);
        return text ? parse_byte_size(trim(*text.value)) : std::nullopt;
    };
    const auto limit = number("memory.max");
    const auto used = number("memory.current");
    if (!limit || !used) return unknown<std::int64_t>("no control group limits memory");
    return known(std::max<std::int64_t>(*limit - *used, 0));
}

nlohmann::json describe_caches(nlohmann::json& reasons) {
    const CacheSizes sizes = read_caches();
    constexpr const char* why = "the system does not show this cache";
    nlohmann::json caches = nlohmann::json::object();
    put(caches, reasons, "cpu.caches.l1d", from_optional(sizes.l1d, why));
    put(caches, reasons, "cpu.caches.l2", from_optional(sizes.l2, why));
    put(caches, reasons, "cpu.caches.l3", from_optional(sizes.l3, why));
    put(caches, reasons, "cpu.caches.l3_total", from_optional(sizes.l3_total, why));
    return caches;
}

}  // namespace

CacheSizes read_caches() {
    // From sysfs rather than sysconf: only sysfs says which CPUs share an L3, hence how many there are in
    // all. Inside a virtual machine it is the hypervisor's claim, which may differ from the chip.
    std::vector<CacheText> caches;
    const auto cpus = read_affinity();
    for (const int cpu : cpus.value.value_or(std::vector<int>{0})) {
        for (int index = 0; index < 8; ++index) {
            const auto folder =
                cpu_folder + std::to_string(cpu) + "/cache/index" + std::to_string(index) + "/";
            const auto text = [&](const char* name) {
                return read_text_file(folder + name, name).value.value_or("");
            };
            const CacheText cache{text("level"), text("type"), text("size"), text("shared_cpu_list")};
            if (cache.level.empty()) break;
            caches.push_back(cache);
        }
    }
    return parse_caches(caches);
}

Expected<std::int64_t> read_available_memory() {
    const auto meminfo = read_text_file("/proc/meminfo", "memory sizes");
    if (!meminfo) return unknown<std::int64_t>(meminfo.reason);
    auto system = parse_meminfo(*meminfo.value, "MemAvailable");
    const auto group = control_group_room();
    if (!system || !group) return system;
    return known(std::min(*system.value, *group.value));
}

nlohmann::json describe_cpu(int threads, nlohmann::json& reasons) {
    nlohmann::json cpu = nlohmann::json::object();
    // ISA from /proc/cpuinfo: the kernel masks there what the processor has but the system does not save and
    // restore.
    const auto cpuinfo = read_text_file("/proc/cpuinfo", "the processor");
    const CpuInfo info = parse_cpuinfo(cpuinfo.value.value_or(""));
    put(cpu, reasons, "cpu.model", info.model);
    put(cpu, reasons, "cpu.isa", info.isa);
    put(cpu, reasons, "cpu.physical_cores", info.physical_cores);
    put(cpu, reasons, "cpu.logical_cores", info.logical_cores);
    cpu["threads"] = threads;
    const auto affinity = read_affinity();
    put(cpu, reasons, "cpu.affinity", transform(affinity, format_cpu_list));
    cpu["caches"] = describe_caches(reasons);
    const auto meminfo = read_text_file("/proc/meminfo", "memory sizes");
    put(cpu, reasons, "cpu.memory_bytes", parse_meminfo(meminfo.value.value_or(""), "MemTotal"));
    put(cpu, reasons, "cpu.memory_available_bytes", read_available_memory());
    put(cpu, reasons, "cpu.governor", read_governor(affinity.value.value_or(std::vector<int>{0})));
    return cpu;
}

}  // namespace gridmark::harness

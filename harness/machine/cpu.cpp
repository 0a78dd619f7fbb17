#include "harness/machine/cpu.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "harness/os/files.hpp"
#include "harness/os/limits.hpp"

namespace gridmark::harness {
namespace {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// Calls visit(line) for each line.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        visit(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
}

bool has_word(std::string_view text, std::string_view word) {
    std::istringstream words{std::string(text)};
    return std::find(std::istream_iterator<std::string>(words), {}, word) !=
           std::istream_iterator<std::string>();
}

std::vector<std::string> known_isa(std::string_view flags) {
    std::set<std::string> present;
    std::istringstream words{std::string(flags)};
    for (std::string word; words >> word;)
        present.insert(word);
    std::vector<std::string> isa;
    for (const char* name : {"sse2", "avx", "avx2", "fma", "avx512f", "asimd", "sve"}) {
        if (present.contains(name)) isa.emplace_back(name);
    }
    return isa;
}

/// Processors of aarch64 by implementer and part. Source: MIDR_EL1 of the makers' reference manuals.
struct Part {
    std::string_view implementer, part, name;
};
constexpr Part parts[] = {
    {"0x41", "0xd08", "Cortex-A72"},        {"0x41", "0xd0b", "Cortex-A76"},
    {"0x41", "0xd0c", "Neoverse N1"},       {"0x41", "0xd40", "Neoverse V1"},
    {"0x41", "0xd49", "Neoverse N2"},       {"0x41", "0xd4f", "Neoverse V2"},
    {"0x41", "0xd84", "Neoverse V3"},       {"0x41", "0xd8e", "Neoverse N3"},
    {"0x46", "0x001", "Fujitsu A64FX"},     {"0x48", "0xd01", "Kunpeng 920"},
    {"0x43", "0x0af", "Marvell ThunderX2"}, {"0xc0", "0xac3", "Ampere-1"},
    {"0xc0", "0xac4", "Ampere-1a"},         {"0x4e", "0x004", "NVIDIA Carmel"},
};

std::string name_of_part(std::string_view implementer, std::string_view part) {
    for (const Part& known : parts)
        if (known.implementer == implementer && known.part == part) return std::string(known.name);
    return "implementer " + std::string(implementer) + ", part " + std::string(part);
}

}  // namespace

bool is_emulated(const CpuInfo& info, std::string_view architecture) {
    return info.is_made_up || (!info.architecture.empty() && info.architecture != architecture);
}

CpuInfo parse_cpuinfo(std::string_view text) {
    CpuInfo info{unknown<std::string>("/proc/cpuinfo names no model"),
                 unknown<std::vector<std::string>>("/proc/cpuinfo lists no flags"),
                 unknown<int>("/proc/cpuinfo gives no core ids"),
                 unknown<int>("/proc/cpuinfo lists no processor")};
    int logical = 0;
    std::string socket = "0", implementer;
    std::set<std::pair<std::string, std::string>> cores;  // hyper-threads of a core share both ids
    for_each_line(text, [&](std::string_view line) {
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) return;
        const auto key = trim(line.substr(0, colon));
        const auto value = trim(line.substr(colon + 1));
        if (key == "processor") ++logical;
        if (key == "model name" && !value.empty()) info.model = known(std::string(value));
        if (key == "vendor_id") info.architecture = "x86-64";
        if (key == "CPU implementer") {
            info.architecture = "aarch64";
            implementer = value;
            info.is_made_up = parse_number<int>(value.substr(std::min<std::size_t>(value.size(), 2))) == 0;
        }
        if (key == "CPU part" && !info.model) info.model = known(name_of_part(implementer, value));
        if (key == "Features" && !info.isa) info.isa = known(known_isa(value));
        if (key == "flags" && !info.isa) {
            info.isa = known(known_isa(value));
            info.is_virtual_machine = has_word(value, "hypervisor");
        }
        if (key == "physical id") socket = value;
        if (key == "core id") cores.emplace(socket, value);
    });
    if (logical > 0) info.logical_cores = known(logical);
    if (!cores.empty()) info.physical_cores = known(static_cast<int>(cores.size()));
    return info;
}

CacheSizes parse_caches(const std::vector<CacheText>& caches) {
    CacheSizes sizes;
    std::set<std::string> counted;
    for (const CacheText& cache : caches) {
        const auto bytes = parse_byte_size(trim(cache.size));
        const auto level = trim(cache.level);
        if (!bytes || trim(cache.type) == "Instruction") continue;
        if (level == "1") sizes.l1d = sizes.l1d.value_or(*bytes);
        if (level == "2") sizes.l2 = sizes.l2.value_or(*bytes);
        if (level != "3") continue;
        sizes.l3 = sizes.l3.value_or(*bytes);
        if (counted.insert(std::string(trim(cache.shared_cpu_list))).second) {
            sizes.l3_total = sizes.l3_total.value_or(0) + *bytes;
        }
    }
    return sizes;
}

std::optional<std::int64_t> parse_byte_size(std::string_view text) {
    if (text.empty()) return std::nullopt;
    std::int64_t unit = 1;
    if (text.back() == 'K') unit = std::int64_t{1} << 10;
    if (text.back() == 'M') unit = std::int64_t{1} << 20;
    if (text.back() == 'G') unit = std::int64_t{1} << 30;
    if (unit > 1) text.remove_suffix(1);
    const auto number = parse_number<std::int64_t>(text);
    if (!number || *number < 0) return std::nullopt;
    return *number * unit;
}

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
    std::vector<int> cpus;
    text = trim(text);
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto part = text.substr(0, comma);
        const auto dash = part.find('-');
        const auto first = parse_number<int>(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : parse_number<int>(part.substr(dash + 1));
        constexpr int most_cpus = 1 << 16;
        if (!first || !last || *first < 0 || *last < *first || *last >= most_cpus) return std::nullopt;
        for (int cpu = *first; cpu <= *last; ++cpu)
            cpus.push_back(cpu);
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    }
    return cpus;
}

std::string format_cpu_list(const std::vector<int>& cpus) {
    std::string text;
    for (std::size_t begin = 0; begin < cpus.size();) {
        std::size_t end = begin;
        while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1)
            ++end;
        if (!text.empty()) text += ',';
        text += std::to_string(cpus[begin]);
        if (end > begin) text += '-' + std::to_string(cpus[end]);
        begin = end + 1;
    }
    return text;
}

Expected<CpuTime> parse_cpu_time(std::string_view text) {
    std::istringstream line{std::string(text.substr(0, text.find('\n')))};
    std::string name;
    std::array<double, 8> ticks{};  // user, nice, system, idle, waiting for a disk, two of interrupts, stolen
    line >> name;
    for (double& count : ticks)
        line >> count;
    if (!line || name != "cpu") return unknown<CpuTime>("the system does not show what its host takes");
    constexpr std::size_t idle = 3, waiting = 4, stolen = 7;
    CpuTime time{0, ticks[stolen]};
    for (std::size_t i = 0; i < ticks.size(); ++i)
        if (i != idle && i != waiting) time.wanted += ticks[i];
    return known(time);
}

Expected<CpuTime> read_cpu_time() {
    const auto text = read_text_file("/proc/stat", "CPU times");
    return text ? parse_cpu_time(*text.value) : unknown<CpuTime>(text.reason);
}

Expected<double> stolen_share(const Expected<CpuTime>& before, const Expected<CpuTime>& after) {
    if (!before || !after) return unknown<double>(before ? after.reason : before.reason);
    const double wanted = after.value->wanted - before.value->wanted;
    if (wanted <= 0) return unknown<double>("no CPU time has passed");
    // Ticks are rounded, and some kernels' count of them falls now and then.
    return known(std::clamp((after.value->stolen - before.value->stolen) / wanted, 0.0, 1.0));
}

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

/// Physical cores where /proc/cpuinfo does not number them: threads of one name the same siblings.
Expected<int> cores_by_siblings() {
    const auto present = read_text_file("/sys/devices/system/cpu/present", "which CPUs there are");
    const auto cpus = present ? parse_cpu_list(trim(*present.value)) : std::nullopt;
    if (!cpus) return unknown<int>("the system does not show its cores");
    std::set<std::string> cores;
    for (const int cpu : *cpus) {
        const auto siblings = read_text_file(
            cpu_folder + std::to_string(cpu) + "/topology/thread_siblings_list", "threads of a core");
        if (!siblings) return unknown<int>(siblings.reason);
        cores.insert(*siblings.value);
    }
    return known(static_cast<int>(cores.size()));
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

nlohmann::json describe_cpu(int threads, nlohmann::json& reasons) {
    nlohmann::json cpu = nlohmann::json::object();
    // ISA from /proc/cpuinfo: the kernel masks there what the processor has but the system does not save and
    // restore.
    const auto cpuinfo = read_text_file("/proc/cpuinfo", "the processor");
    const CpuInfo info = parse_cpuinfo(cpuinfo.value.value_or(""));
    cpu["architecture"] = program_architecture();
    cpu["emulated"] = is_emulated(info, program_architecture());
    put(cpu, reasons, "cpu.model", info.model);
    put(cpu, reasons, "cpu.isa", info.isa);
    put(cpu, reasons, "cpu.physical_cores", info.physical_cores ? info.physical_cores : cores_by_siblings());
    put(cpu, reasons, "cpu.logical_cores", info.logical_cores);
    cpu["threads"] = threads;
    const auto affinity = read_affinity();
    put(cpu, reasons, "cpu.affinity", transform(affinity, format_cpu_list));
    if (const auto quota = cpu_quota()) cpu["quota"] = *quota.value;
    if (info.is_virtual_machine)
        put(cpu, reasons, "cpu.company",
            unknown<double>(
                "what the host of a virtual machine runs beside it shows as stolen time at most"));
    cpu["caches"] = describe_caches(reasons);
    const auto meminfo = read_text_file("/proc/meminfo", "memory sizes");
    put(cpu, reasons, "cpu.memory_bytes",
        meminfo ? parse_meminfo(*meminfo.value, "MemTotal") : unknown<std::int64_t>(meminfo.reason));
    put(cpu, reasons, "cpu.memory_available_bytes", read_available_memory());
    put(cpu, reasons, "cpu.governor", read_governor(affinity.value.value_or(std::vector<int>{0})));
    return cpu;
}

}  // namespace gridmark::harness

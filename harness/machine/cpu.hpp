#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/expected.hpp"

// What Linux tells about the processor. What parses is a pure function of the text, so that tests feed it
// canned text.
namespace gridmark::harness {

/// The parts of /proc/cpuinfo that a result file keeps.
struct CpuInfo {
    Expected<std::string> model;
    /// Of sse2, avx, avx2, fma, avx512f, asimd (NEON) and sve: what CPU and kernel both allow.
    Expected<std::vector<std::string>> isa;
    Expected<int> physical_cores;
    Expected<int> logical_cores;
    bool is_virtual_machine = false;  ///< the flag that hypervisors set on x86
    std::string architecture = {};    ///< "x86-64" or "aarch64", by what is listed; empty: unknown
    bool is_made_up = false;          ///< an implementer that no maker of processors has: an emulator's own
};

/// "x86-64" or "aarch64": what this program was compiled for.
constexpr const char* program_architecture() {
#if defined(__aarch64__)
    return "aarch64";
#else
    return "x86-64";
#endif
}

/// Whether a program for `architecture` runs on the described processor through an emulator: it is another's,
/// or none that was ever made. Times are the emulator's then.
bool is_emulated(const CpuInfo& info, std::string_view architecture);

/// Reads /proc/cpuinfo's text. On aarch64 that has numbers in place of a name: implementer and part.
CpuInfo parse_cpuinfo(std::string_view text);

/// One directory cache/indexN of a CPU under /sys: its three texts of interest as read.
struct CacheText {
    std::string level;            ///< "3"
    std::string type;             ///< "Data", "Instruction" or "Unified"
    std::string size;             ///< "32768K"
    std::string shared_cpu_list;  ///< "0-7,64-71"
};

/// Cache sizes in bytes; l3 is one instance's, l3_total the sum over all instances seen.
struct CacheSizes {
    std::optional<std::int64_t> l1d, l2, l3, l3_total;
};

/// Sizes from the caches of all CPUs; the same cache listed by several CPUs counts once.
CacheSizes parse_caches(const std::vector<CacheText>& caches);

/// "48K" -> 49152, "32M", "1G", "512" (bytes); nothing for anything else.
std::optional<std::int64_t> parse_byte_size(std::string_view text);

/// "0-2,5" -> {0, 1, 2, 5}; nothing for malformed text.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

/// {0, 1, 2, 5} -> "0-2,5"; expects ascending numbers.
std::string format_cpu_list(const std::vector<int>& cpus);

/// A virtual machine's CPUs do not run whenever they have something to do: its host gives them to others.
/// Time of all CPUs so far, in ticks of the system's clock.
struct CpuTime {
    double wanted = 0;  ///< in which they had something to do
    double stolen = 0;  ///< of that: in which the host had given them to others
};

/// From the text of /proc/stat.
Expected<CpuTime> parse_cpu_time(std::string_view text);
Expected<CpuTime> read_cpu_time();

/// The share that was stolen in between: 0 to 1.
Expected<double> stolen_share(const Expected<CpuTime>& before, const Expected<CpuTime>& after);

/// The `cpu` part of a result file's context: architecture, emulated, model, isa, cores, threads, affinity,
/// caches and memory in bytes, governor;
/// where a control group limits CPU time its quota, in CPUs. What cannot be read is null and its reason goes
/// to reasons["cpu...."].
nlohmann::json describe_cpu(int threads, nlohmann::json& reasons);

/// Cache sizes of the CPUs that this process may run on; sizes that the system does not show are absent.
CacheSizes read_caches();

}  // namespace gridmark::harness

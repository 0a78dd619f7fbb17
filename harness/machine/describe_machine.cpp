#include "harness/machine/describe_machine.hpp"

#include <elf.h>
#include <fmt/core.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "harness/gpu/kernel_clock.hpp"
#include "harness/gpu/nvml.hpp"
#include "harness/gpu/properties.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/cpu.hpp"
#include "harness/machine/served_gpu.hpp"
#include "harness/machine/topology.hpp"
#include "harness/os/files.hpp"
#include "harness/os/limits.hpp"
#include "harness/papi/papi_counters.hpp"

namespace gridmark::harness {
namespace {

Expected<std::string> text_or(const char* text, const char* why) {
    return *text != '\0' ? known(std::string(text)) : unknown<std::string>(why);
}

std::string hexadecimal(std::span<const unsigned char> bytes) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

// Walks the notes of one PT_NOTE segment: header, name and description, the latter two padded to four bytes.
std::string find_build_id(std::span<const unsigned char> notes) {
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) header;
        std::memcpy(&header, notes.data(), sizeof header);
        const std::size_t description = sizeof header + padded(header.n_namesz);
        const std::size_t next = description + padded(header.n_descsz);
        if (next > notes.size()) break;
        const bool gnu = header.n_namesz == 4 && std::memcmp(notes.data() + sizeof header, "GNU", 4) == 0;
        if (gnu && header.n_type == NT_GNU_BUILD_ID) {
            return hexadecimal(notes.subspan(description, header.n_descsz));
        }
        notes = notes.subspan(next);
    }
    return {};
}

// The loader reports the program itself first; returning non-zero ends its walk there.
int visit_program(dl_phdr_info* info, std::size_t /*size*/, void* result) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_NOTE) continue;
        const auto* begin = reinterpret_cast<const unsigned char*>(info->dlpi_addr + segment.p_vaddr);
        auto id = find_build_id({begin, segment.p_memsz});
        if (!id.empty()) *static_cast<std::string*>(result) = std::move(id);
    }
    return 1;
}

}  // namespace

Expected<std::string> read_build_id() {
    std::string id;
    dl_iterate_phdr(visit_program, &id);
    return text_or(id.c_str(), "linked without a build id");
}

nlohmann::json describe_build(nlohmann::json& reasons) {
    nlohmann::json build = nlohmann::json::object();
    constexpr const char* no_git = "built outside a git checkout or without git";
    constexpr const char* no_cuda = "built without the CUDA toolkit";
    put(build, reasons, "build.commit", text_or(build_info::commit, no_git));
    put(build, reasons, "build.dirty",
        build_info::dirty < 0 ? unknown<bool>(no_git) : known(build_info::dirty == 1));
    put(build, reasons, "build.compiler", text_or(build_info::compiler, "CMake names no compiler"));
    put(build, reasons, "build.flags", text_or(build_info::flags, "no flags beyond the targets' own"));
    put(build, reasons, "build.build_type", text_or(build_info::build_type, "no build type was chosen"));
    put(build, reasons, "build.nvcc", text_or(build_info::nvcc, no_cuda));
    const char* no_cuda_flags = *build_info::nvcc != '\0' ? "no flags beyond the targets' own" : no_cuda;
    put(build, reasons, "build.cuda_flags", text_or(build_info::cuda_flags, no_cuda_flags));
    put(build, reasons, "build.cuda_architectures", text_or(build_info::cuda_architectures, no_cuda));
    put(build, reasons, "build.build_id", read_build_id());
    return build;
}

namespace {

// Only system and release: uname's other fields hold the host's name.
Expected<std::string> read_kernel() {
    utsname name{};
    if (uname(&name) != 0) return unknown<std::string>("uname failed");
    return known(std::string(static_cast<const char*>(name.sysname)) + " " +
                 static_cast<const char*>(name.release));
}

}  // namespace

Expected<std::string> parse_os_release(std::string_view text) {
    constexpr std::string_view key = "PRETTY_NAME=";
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        auto line = trim(text.substr(begin, end - begin));
        begin = end + 1;
        if (!line.starts_with(key)) continue;
        line.remove_prefix(key.size());
        if (line.size() >= 2 && line.front() == '"' && line.back() == '"')
            line = line.substr(1, line.size() - 2);
        return known(std::string(line));
    }
    return unknown<std::string>("the system does not name itself");
}

nlohmann::json describe_software(nlohmann::json& reasons) {
    nlohmann::json software = nlohmann::json::object();
    const auto release = read_text_file("/etc/os-release", "its name");
    put(software, reasons, "software.os", parse_os_release(release.value.value_or("")));
    put(software, reasons, "software.kernel", read_kernel());
    put(software, reasons, "software.driver", read_nvml_driver_version());
    put(software, reasons, "software.cuda_runtime", read_cuda_runtime_version());
    put(software, reasons, "software.cuda_driver_api", read_cuda_driver_version());
    put(software, reasons, "software.cupti", read_cupti_version());
    put(software, reasons, "software.papi", read_papi_version());
    software["glibc"] = gnu_get_libc_version();
    return software;
}

namespace {

using nlohmann::json;

json clocks_of(const NvmlState& state, const std::string& path, json& reasons) {
    json clocks = json::object();
    put(clocks, reasons, path + ".sm_mhz", state.sm_mhz);
    put(clocks, reasons, path + ".memory_mhz", state.memory_mhz);
    return clocks;
}

json pci_of(const NvmlState& state, json& reasons) {
    json pci = json::object();
    // An idle link trains down; the current values mean something only while the GPU works.
    put(pci, reasons, "gpu.pci.link_generation", state.pci_generation);
    put(pci, reasons, "gpu.pci.link_width", state.pci_width);
    put(pci, reasons, "gpu.pci.max_link_generation", state.pci_max_generation);
    put(pci, reasons, "gpu.pci.max_link_width", state.pci_max_width);
    return pci;
}

/// What joins host and GPU, by its kind; how fast it is the ceilings tell.
Expected<std::string> link_name(const NvmlState& state) {
    if (state.c2c && *state.c2c.value) return known<std::string>("NVLink-C2C");
    if (!state.pci_max_generation) return unknown<std::string>(state.pci_max_generation.reason);
    if (!state.pci_max_width) return unknown<std::string>(state.pci_max_width.reason);
    return known(fmt::format("PCIe {} x{}", *state.pci_max_generation.value, *state.pci_max_width.value));
}

}  // namespace

json describe_gpu(const Expected<GpuProperties>& properties, const NvmlState& state, json& reasons) {
    if (!properties) {
        reasons["gpu"] = properties.reason;
        return nullptr;
    }
    const GpuProperties& cuda = *properties.value;
    // CUDA has one spelling for a card's UUID and a slice's; NVML tells them apart.
    const bool is_slice = state.mig.value.value_or(false) && cuda.uuid.starts_with("GPU-");
    json gpu = {{"name", cuda.name},
                {"uuid", is_slice ? "MIG-" + cuda.uuid.substr(4) : cuda.uuid},
                {"compute_capability", cuda.compute_capability},
                {"multiprocessors", cuda.multiprocessors},
                {"l2_bytes", cuda.l2_bytes},
                {"memory_bytes", cuda.memory_bytes},
                {"memory_free_bytes", cuda.memory_free_bytes},
                {"shared_per_multiprocessor", cuda.shared_per_multiprocessor},
                {"ecc", cuda.ecc}};
    put(gpu, reasons, "gpu.power_cap_watts", state.power_cap_watts);
    put(gpu, reasons, "gpu.persistence_mode", state.persistence);
    put(gpu, reasons, "gpu.mig_mode", state.mig);
    json clocks = clocks_of(state, "gpu.clocks", reasons);
    put(clocks, reasons, "gpu.clocks.sm_max_mhz", state.sm_max_mhz);
    put(clocks, reasons, "gpu.clocks.memory_max_mhz", state.memory_max_mhz);
    gpu["clocks"] = clocks;
    gpu["pci"] = pci_of(state, reasons);
    gpu["link"] = {{"coherent", cuda.coherent}};
    put(gpu["link"], reasons, "gpu.link.name", link_name(state));
    return gpu;
}

json read_gpu_clocks(int ordinal, const std::string& path, json& reasons) {
    const auto properties = read_gpu_properties(ordinal);
    if (!properties) {
        reasons[path] = properties.reason;
        return nullptr;
    }
    const NvmlState state = read_nvml(properties.value->pci_bus_id);
    json clocks = clocks_of(state, path, reasons);
    clocks["rated_mhz"] = properties.value->rated_mhz;
    put(clocks, reasons, path + ".temperature_celsius", state.temperature_celsius);
    put(clocks, reasons, path + ".power_watts", state.power_watts);
    put(clocks, reasons, path + ".limited_by", state.clock_limits);
    return clocks;
}

namespace {

json topology_here(const Expected<GpuProperties>& gpu, json& reasons) {
    const auto cpuinfo = read_text_file("/proc/cpuinfo", "the processor");
    TopologyOptions options;
    options.is_virtual_machine = parse_cpuinfo(cpuinfo.value.value_or("")).is_virtual_machine;
    if (gpu) options.pci_bus_id = gpu.value->pci_bus_id;
    return describe_topology(read_topology(options), read_affinity(), reasons);
}

/// What of this program runs on such a GPU, and what is lost where that is no code for its kind.
json served_by(const std::string& compute_capability) {
    const Coverage coverage = coverage_here(compute_capability);
    json found = {{"compiled", coverage.text()}};
    if (const std::string advice = coverage_advice(coverage, compute_capability); !advice.empty())
        found["advice"] = advice;
    return found;
}

/// What a variable says, unless it holds other characters than such names and lists have.
Expected<std::string> plain_word(const Environment& environment, const char* name) {
    const char* const text = environment(name);
    if (text == nullptr || *text == '\0') return unknown<std::string>(fmt::format("{} is not set", name));
    constexpr std::string_view others = "-_.,:[]()/+=";
    const std::string word(text);
    const bool plain = word.size() <= 256 && std::all_of(word.begin(), word.end(), [&](char c) {
                           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                                  (c >= 'A' && c <= 'Z') || others.find(c) != std::string_view::npos;
                       });
    return plain ? known(word) : unknown<std::string>(fmt::format("{} is no plain word", name));
}

Expected<int> whole_number(const Environment& environment, const char* name) {
    const auto word = plain_word(environment, name);
    if (!word) return unknown<int>(word.reason);
    const char *const begin = word.value->data(), *const end = begin + word.value->size();
    int number = 0;
    const auto [stopped, error] = std::from_chars(begin, end, number);
    if (error != std::errc() || stopped != end || number < 0)
        return unknown<int>(fmt::format("{} is no number", name));
    return known(number);
}

}  // namespace

json describe_scheduler(const Environment& environment, json& reasons) {
    if (environment("SLURM_JOB_ID") == nullptr) return nullptr;
    json scheduler = {{"name", "slurm"}};
    const std::pair<const char*, const char*> words[] = {{"cluster", "SLURM_CLUSTER_NAME"},
                                                         {"partition", "SLURM_JOB_PARTITION"},
                                                         {"node", "SLURMD_NODENAME"},
                                                         {"job", "SLURM_JOB_ID"}};
    for (const auto& [key, name] : words)
        put(scheduler, reasons, std::string("scheduler.") + key, plain_word(environment, name));
    put(scheduler, reasons, "scheduler.task", whole_number(environment, "SLURM_PROCID"));
    // Slurm sets it from the first restart on.
    const bool restarted = environment("SLURM_RESTART_COUNT") != nullptr;
    put(scheduler, reasons, "scheduler.restarts",
        restarted ? whole_number(environment, "SLURM_RESTART_COUNT") : known(0));
    // By the numbers of the node; CUDA_VISIBLE_DEVICES may count from 0 in every job.
    const bool of_step = environment("SLURM_STEP_GPUS") != nullptr;
    put(scheduler, reasons, "scheduler.gpus",
        plain_word(environment, of_step ? "SLURM_STEP_GPUS" : "SLURM_JOB_GPUS"));
    return scheduler;
}

nlohmann::json describe_machine(const MachineOptions& options) {
    nlohmann::json reasons = nlohmann::json::object();
    nlohmann::json machine = nlohmann::json::object();
    machine["cpu"] = describe_cpu(options.threads, reasons);
    const auto gpu = read_gpu_properties(options.gpu_ordinal);
    machine["gpu"] = describe_gpu(gpu, gpu ? read_nvml(gpu.value->pci_bus_id) : NvmlState{}, reasons);
    if (gpu) machine["gpu"]["served_by"] = served_by(gpu.value->compute_capability);
    machine["topology"] = topology_here(gpu, reasons);
    machine["software"] = describe_software(reasons);
    machine["build"] = describe_build(reasons);
    const auto environment = [](const char* name) { return std::getenv(name); };
    if (json scheduler = describe_scheduler(environment, reasons); !scheduler.is_null())
        machine["scheduler"] = std::move(scheduler);
    machine["reasons"] = std::move(reasons);
    return machine;
}

}  // namespace gridmark::harness

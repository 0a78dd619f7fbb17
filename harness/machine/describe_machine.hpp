#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/expected.hpp"
#include "harness/gpu/nvml.hpp"
#include "harness/gpu/properties.hpp"

namespace gridmark::harness {

/// The `build` part of a result file's context: commit, dirty flag, compilers, flags, CUDA architectures and
/// the build id. What is not known is null and its reason goes to reasons["build...."].
nlohmann::json describe_build(nlohmann::json& reasons);

/// The linker's identification (a SHA-1 of its contents, in hexadecimal) of the program that runs: equal for
/// equal binaries, so that a run is resumed only by the binary that began it.
Expected<std::string> read_build_id();

/// The `software` part of a result file's context: os, kernel, driver, cuda_runtime, cuda_driver_api, cupti,
/// papi, glibc. What is missing is null and its reason goes to reasons["software...."].
nlohmann::json describe_software(nlohmann::json& reasons);

/// PRETTY_NAME of /etc/os-release's text.
Expected<std::string> parse_os_release(std::string_view text);

/// The `gpu` part of a result file's context from what was read, or null where there is no GPU. What cannot
/// be read goes to reasons["gpu..."]. Sizes in bytes, clocks in MHz, power in watts.
nlohmann::json describe_gpu(const Expected<GpuProperties>& properties, const NvmlState& state,
                            nlohmann::json& reasons);

/// Clocks, temperature, power and what limits the clocks now, for `context.clocks`: read once before and once
/// after a run, with `path` "clocks.before" and "clocks.after", under which reasons go. Null where there is
/// no GPU.
nlohmann::json read_gpu_clocks(int ordinal, const std::string& path, nlohmann::json& reasons);

/// A variable of the environment; nullptr where it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Where a scheduler put this process, the `scheduler` part of a result file's context: name ("slurm"),
/// cluster, partition, node, job, task, restarts (how often it was requeued) and the GPUs it was given. Null
/// outside of a job. What the scheduler does not say is null and its reason goes to reasons["scheduler...."].
nlohmann::json describe_scheduler(const Environment& environment, nlohmann::json& reasons);

struct MachineOptions {
    int threads = 1;      ///< that the CPU variants use
    int gpu_ordinal = 0;  ///< in CUDA's order
};

/// Where a result comes from: {"cpu", "gpu", "topology", "software", "build", "reasons"}, and "scheduler" in
/// a job, to be merged into a result file's `context`. Nothing throws: what cannot be read is null, with its
/// reason under its dotted path. No user names or paths, and no host name but a job's node.
nlohmann::json describe_machine(const MachineOptions& options);

}  // namespace gridmark::harness

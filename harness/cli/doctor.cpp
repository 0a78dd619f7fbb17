#include "harness/cli/doctor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "harness/gpu/kernel_clock.hpp"
#include "harness/gpu/nvml.hpp"
#include "harness/gpu/properties.hpp"
#include "harness/machine/describe_machine.hpp"
#include "harness/machine/served_gpu.hpp"
#include "harness/os/files.hpp"
#include "harness/os/limits.hpp"
#include "harness/os/streams.hpp"
#include "harness/papi/papi_counters.hpp"
#include "harness/run/lost_claims.hpp"
#include "harness/run/registry.hpp"
#include "kernels/launch/error.hpp"
#include "kernels/launch/toolkit.hpp"

namespace gridmark::harness {
namespace {

using ClaimIds = std::vector<std::string>;
constexpr std::size_t screen = 100, indent = 14;

/// Words at most so wide, further lines indented.
void print_wrapped(const std::string& name, const std::string& text) {
    std::string line = fmt::format("{:<{}}", name, indent);
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (line.size() > indent && line.size() + 1 + word.size() > screen) {
            print_out("{}\n", line);
            line.assign(indent, ' ');
        }
        line += (line.size() > indent ? " " : "") + word;
        begin = end + 1;
    }
    print_out("{}\n", line);
}

void mend(const std::string& command) {
    print_wrapped("", "mend: " + command);
}

/// The claims of all studies that stay NOT RUN where these things are lacking, by the published sizes.
class Claims {
  public:
    Claims() {
        for (const auto& [id, experiment] : experiments()) {
            Job job;
            job.experiment = id;
            job.preset = Preset::paper;
            job.threads = start_threads(0).threads;
            studies_.emplace_back(study_of(experiment), naming_plan(job));
            count_ += studies_.back().first["claims"].size();
        }
    }
    ClaimIds lost(const std::set<Need>& lacking) const {
        ClaimIds ids;
        for (const auto& [study, plan] : studies_)
            for (const std::string& id : lost_claims(study, plan, lacking))
                ids.push_back(id);
        return ids;
    }
    std::string cost(const std::set<Need>& lacking) const {
        return fmt::format("{} of {} claims will be NOT RUN", lost(lacking).size(), count_);
    }

  private:
    std::vector<std::pair<nlohmann::json, Plan>> studies_;
    std::size_t count_ = 0;
};

/// "nvcc" or "cuda_architectures" of this program; empty where it was built without CUDA.
std::string built(const char* key) {
    nlohmann::json reasons = nlohmann::json::object();
    const nlohmann::json build = describe_build(reasons);
    return build[key].is_string() ? build[key].get<std::string>() : "";
}

bool is_wsl() {
    const auto version = read_text_file("/proc/version", "the kernel");
    return version && version.value->find("icrosoft") != std::string::npos;
}

bool in_container() {
    return std::filesystem::exists("/.dockerenv") || std::filesystem::exists("/run/.containerenv");
}

/// The toolkit's version that this program was compiled by, as packages write it: "13-0".
std::string packaged_version() {
    const std::string nvcc = built("nvcc");  // "NVIDIA 13.0.88"
    const std::size_t number = nvcc.find_first_of("0123456789"), dot = nvcc.find('.', number);
    if (dot == std::string::npos) return "13-0";
    return nvcc.substr(number, dot - number) + "-" + nvcc.substr(dot + 1, nvcc.find('.', dot + 1) - dot - 1);
}

std::string how_to_see_a_gpu() {
    if (built("nvcc").empty())
        return "install a CUDA toolkit (https://developer.nvidia.com/cuda-downloads), then make build";
    if (const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr)
        return fmt::format("unset CUDA_VISIBLE_DEVICES   (it is \"{}\")", visible);
    if (is_wsl()) return "install NVIDIA's driver in Windows, then wsl --update";
    if (in_container()) return "start the container with --gpus all (Podman: --device nvidia.com/gpu=all)";
    return "sudo apt-get install nvidia-driver   (a login node or a rented CPU has none: go where a GPU "
           "is)";
}

/// Every visible GPU and how this program serves it; whether there is one that it can use.
bool tell_gpus(const Claims& claims) {
    try {
        (void)served_gpu(0);
    } catch (const launch::Error& error) {
        print_wrapped("GPU", fmt::format("missing: {}; {}", error.what(), claims.cost({Need::gpu})));
        const std::string why = error.what();
        if (why.find("CUDAARCHS") == std::string::npos) mend(how_to_see_a_gpu());
        return false;
    }
    std::set<std::string> kinds;
    for (int number = 0;; ++number) {
        const auto gpu = read_gpu_properties(number);
        if (!gpu) break;
        const GpuProperties& found = *gpu.value;
        const Coverage coverage = coverage_here(found.compute_capability);
        kinds.insert(found.name);
        print_wrapped(fmt::format("GPU {}", number),
                      fmt::format("{}, compute capability {}, served by {}", found.name,
                                  found.compute_capability, coverage.text()));
        if (const std::string advice = coverage_advice(coverage, found.compute_capability); !advice.empty())
            print_wrapped("", advice);
        const NvmlState nvml = read_nvml(found.pci_bus_id);
        if (!nvml.sm_mhz)
            print_wrapped("",
                          fmt::format("{}NVML tells no clocks ({}): nobody sees whether they are held down",
                                      is_wsl() ? "WSL2: " : "", nvml.sm_mhz.reason));
        if (found.uuid.starts_with("MIG-") || (nvml.mig && *nvml.mig.value))
            print_wrapped(
                "", "a MIG slice: its ceilings are measured, but clocks and power are the whole card's");
    }
    if (kinds.size() > 1)
        print_wrapped("",
                      "unlike GPUs: each into a folder of its own, make reproduce DEVICE=1 MACHINE=second");
    return true;
}

void tell_kernel_clock(const Claims& claims, bool& missing) {
    const auto version = read_cupti_version();
    missing = !version;
    if (version) return print_wrapped("CUPTI", *version.value);
    print_wrapped("CUPTI", fmt::format("missing: {}; {}", version.reason, claims.cost({Need::kernel_clock})));
    if (!built("nvcc").empty())
        mend(fmt::format("sudo apt-get install cuda-cupti-{}   (NVIDIA's packages)", packaged_version()));
}

/// The driver may keep counters for root.
bool counters_are_kept() {
    const auto parameters = read_text_file("/proc/driver/nvidia/params", "the driver's parameters");
    return ::geteuid() != 0 && parameters &&
           parameters.value->find("RmProfilingAdminOnly: 1") != std::string::npos;
}

void tell_profiler(const Claims& claims, bool& missing) {
    const std::string ncu = launch::find_toolkit_program("ncu");
    missing = ncu.empty() || counters_are_kept();
    if (!missing) return print_wrapped("profiler", ncu);
    const std::string cost = claims.cost({Need::profiler});
    if (ncu.empty()) {
        print_wrapped("profiler", "missing: no ncu on the PATH or in a CUDA toolkit; " + cost);
        return mend(fmt::format("sudo apt-get install cuda-nsight-compute-{}   (NVIDIA's packages)",
                                packaged_version()));
    }
    print_wrapped("profiler", fmt::format("{}, but the driver keeps counters for root; {}", ncu, cost));
    mend(
        "echo options nvidia NVreg_RestrictProfilingToAdminUsers=0 | sudo tee "
        "/etc/modprobe.d/gridmark.conf");
}

void tell_ranks() {
    const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    if (::access((here / "gridmark-ranks").c_str(), X_OK) == 0)
        return print_wrapped("MPI", "gridmark-ranks is built");
    print_wrapped("MPI", "missing when this was built: no --ranks and no make scaling; no claim needs it");
    mend("sudo apt-get install libopenmpi-dev openmpi-bin, then make build");
}

}  // namespace

void print_doctor() {
    const Claims claims;
    const auto driver = read_nvml_driver_version();
    const auto cuda = read_cuda_driver_version();
    print_wrapped("driver", driver || cuda ? fmt::format("{}, CUDA {}",
                                                         driver.value.value_or("version unknown (no NVML)"),
                                                         cuda.value.value_or("unknown"))
                                           : "missing: " + cuda.reason);
    std::set<Need> lacking;
    if (!tell_gpus(claims)) lacking.insert(Need::gpu);
    bool no_kernel_clock = false, no_profiler = false;
    tell_kernel_clock(claims, no_kernel_clock);
    tell_profiler(claims, no_profiler);
    if (no_kernel_clock) lacking.insert(Need::kernel_clock);
    if (no_profiler) lacking.insert(Need::profiler);
    const auto papi = read_papi_version();
    print_wrapped("PAPI", papi ? *papi.value : papi.reason + ": events of the processor are not counted");
    tell_ranks();
    const std::string architectures = built("cuda_architectures");
    print_wrapped("built for", architectures.empty() ? "processors alone" : architectures);
    const ClaimIds lost = claims.lost(lacking);
    print_wrapped("claims", lost.empty() ? "all can be decided here"
                                         : fmt::format("{}: {}", claims.cost(lacking), fmt::join(lost, " ")));
}

}  // namespace gridmark::harness

#include "harness/machine/describe_machine.hpp"

#include "harness/machine/build.hpp"
#include "harness/machine/cpu.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/software.hpp"

namespace gridmark::harness {

nlohmann::json describe_machine(const MachineOptions& options) {
    nlohmann::json reasons = nlohmann::json::object();
    nlohmann::json machine = nlohmann::json::object();
    machine["cpu"] = describe_cpu(options.threads, reasons);
    machine["gpu"] = describe_gpu(options.gpu_ordinal, reasons);
    machine["software"] = describe_software(reasons);
    machine["build"] = describe_build(reasons);
    machine["reasons"] = std::move(reasons);
    return machine;
}

}  // namespace gridmark::harness

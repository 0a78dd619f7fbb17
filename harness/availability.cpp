#include "harness/availability.hpp"

#include <fmt/format.h>

#include "harness/machine/cpu.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

double gibibytes(double bytes) {
    return bytes / 0x1p30;
}

}  // namespace

std::string cpu_unavailable_reason(const PlanContext& context, double host_bytes) {
    const auto free = static_cast<double>(context.host_memory);
    if (host_bytes <= free) return {};
    return fmt::format("needs {:.1f} GiB of memory, {:.1f} are free", gibibytes(host_bytes), gibibytes(free));
}

std::string gpu_unavailable_reason(const PlanContext& context, double gpu_bytes, double host_bytes) {
    if (context.gpu == nullptr) return context.no_gpu;
    const auto free = static_cast<double>(context.host_memory),
               usable = static_cast<double>(context.gpu_memory);
    if (host_bytes > free)
        return fmt::format("its reference needs {:.1f} GiB of host memory, {:.1f} are free",
                           gibibytes(host_bytes), gibibytes(free));
    if (gpu_bytes > usable)
        return fmt::format("needs {:.1f} GiB of GPU memory, {:.1f} may be used", gibibytes(gpu_bytes),
                           gibibytes(usable));
    return {};
}

void require_memory(const std::string& what, double bytes) {
    const auto free = read_available_memory();
    if (free && bytes > static_cast<double>(*free.value))
        throw UsageError(fmt::format("{} need {:.1f} GiB of host memory, {:.1f} are free", what,
                                     gibibytes(bytes), gibibytes(static_cast<double>(*free.value))));
}

}  // namespace gridmark::harness

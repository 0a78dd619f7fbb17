#include <fmt/format.h>

#include "harness/cli/commands.hpp"
#include "harness/usage_error.hpp"
#include "kernels/launch/gpu_count.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {
namespace {

/// Number 0 is the default, and may be named where there is no GPU: then nothing is asked of a driver.
void check_device(int device) {
    if (device == 0) return;
    const int count = device < 0 ? 0 : launch::gpu_count();
    if (device > 0 && device < count) return;
    const std::string there = device < 0   ? "GPUs are numbered from 0"
                              : count == 0 ? launch::gpu_unavailable_reason().value_or("no GPU is visible")
                              : count == 1 ? "1 GPU is visible, number 0"
                                           : fmt::format("{} GPUs are visible, 0 to {}", count, count - 1);
    throw UsageError(fmt::format("--device {}: there is no such GPU ({})", device, there));
}

}  // namespace

void add_device(CLI::App& command, int& device) {
    command
        .add_option_function<int>(
            "--device",
            [&device](int number) {
                check_device(number);
                device = number;
            },
            "GPU number")
        ->default_str(std::to_string(device));
}

}  // namespace gridmark::harness

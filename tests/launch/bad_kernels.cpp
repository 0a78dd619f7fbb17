// gridmark_bad_kernels MISTAKE: makes it once, on the GPU. For scripts/sanitize_gpu.py: a tool of
// compute-sanitizer that does not report the mistake that it is for has seen nothing of the other kernels
// either.

#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <map>

#include "kernels/launch/make_device.hpp"
#include "tests/launch/kernels.hpp"

namespace {

using gridmark::launch::Buffer;
using gridmark::launch::Device;
namespace kernels = gridmark::launch_tests::cuda;

constexpr unsigned threads = 64;  // two warps, for a race or a barrier of one is seen by no tool

const std::map<std::string, std::function<void(Device&)>> mistakes{
    {"out_of_bounds",
     [](Device& gpu) {
         Buffer<float> values(gpu, 1000);
         kernels::write_global(gpu.stream(), values.data(), 1000);
     }},
    {"leak", [](Device& gpu) { (void)gpu.allocate(1000); }},
    {"shared_race",
     [](Device& gpu) {
         Buffer<float> values(gpu, std::vector<float>(threads, 1.0f));
         kernels::reverse_without_barrier(gpu.stream(), values.data(), threads);
     }},
    {"uninitialised_read",
     [](Device& gpu) {
         Buffer<float> values(gpu, 100);
         kernels::neighbour_in_place(gpu.stream(), values.data(), 100);
     }},
    {"divergent_barrier",
     [](Device& gpu) {
         Buffer<float> values(gpu, std::vector<float>(threads, 1.0f));
         kernels::barriers_of_half_warps(gpu.stream(), values.data(), threads);
     }},
};

}  // namespace

int main(int words, char** word) {
    const auto mistake = mistakes.find(words == 2 ? word[1] : "");
    if (mistake == mistakes.end()) {
        std::fputs("gridmark_bad_kernels: one of", stderr);
        for (const auto& [name, make] : mistakes)
            std::fprintf(stderr, " %s", name.c_str());
        std::fputs("\n", stderr);
        return 2;
    }
    try {
        const auto gpu = gridmark::launch::gpu_device();
        mistake->second(*gpu);
        gpu->synchronize();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gridmark_bad_kernels: %s\n", error.what());
        return 1;
    }
    return 0;
}

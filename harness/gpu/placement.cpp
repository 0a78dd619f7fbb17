#include "harness/gpu/placement.hpp"

#include <random>

#include "kernels/launch/error.hpp"

namespace gridmark::harness {

std::vector<std::size_t> placement(std::uint64_t seed, int process) {
    constexpr std::size_t page = std::size_t{2} << 20, alignment = 512, most_pages = 64;
    std::seed_seq seeds{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                        static_cast<std::uint32_t>(process)};
    std::mt19937_64 random(seeds);
    std::vector<std::size_t> sizes(random() % (most_pages + 1), page);
    sizes.push_back(alignment * (1 + random() % (page / alignment / 2)));
    return sizes;
}

std::vector<launch::Buffer<unsigned char>> place(launch::Device& device,
                                                 const std::vector<std::size_t>& sizes) {
    std::vector<launch::Buffer<unsigned char>> taken;
    try {
        for (const std::size_t size : sizes)
            taken.emplace_back(device, size);
    } catch (const launch::OutOfMemory&) {
        return {};
    }
    return taken;
}

}  // namespace gridmark::harness

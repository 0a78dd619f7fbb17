#include "kernels/launch/shape.hpp"

#include "kernels/launch/error.hpp"

namespace gridmark::launch {
namespace {

// Appendix "Compute Capabilities" of the CUDA programming guide; the same since capability 3.0.
constexpr Dim3 largest_grid{2147483647, 65535, 65535};
constexpr Dim3 largest_block{1024, 1024, 64};
constexpr std::uint64_t most_threads = 1024;

void check_sides(const char* what, const Dim3& size, const Dim3& largest) {
    const auto fail = [&](const std::string& why) {
        throw Error(std::string("cannot launch a ") + what + " of " + to_string(size) + ": " + why);
    };
    if (size.x == 0 || size.y == 0 || size.z == 0) fail("a side is zero");
    if (size.x > largest.x || size.y > largest.y || size.z > largest.z)
        fail("the largest sides are " + to_string(largest));
}

}  // namespace

std::string to_string(const Dim3& size) {
    return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")";
}

void check_geometry(const Shape& shape) {
    check_sides("grid", shape.grid, largest_grid);
    check_sides("block", shape.block, largest_block);
    if (volume(shape.block) > most_threads)
        throw Error("cannot launch a block of " + to_string(shape.block) + ": " +
                    std::to_string(volume(shape.block)) + " threads, and " + std::to_string(most_threads) +
                    " are the most");
}

void check_resident(const Shape& shape, int resident) {
    const std::uint64_t blocks = volume(shape.grid);
    if (blocks > static_cast<std::uint64_t>(resident))
        throw Error("cannot launch " + std::to_string(blocks) +
                    " blocks that wait for each other: " + std::to_string(resident) + " of them fit at once");
}

}  // namespace gridmark::launch

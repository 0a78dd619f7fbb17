// What is refused with an error before a device is asked: launches, arrays, copies, textures.
#include <limits>

#include "kernels/launch/device.hpp"
#include "kernels/launch/error.hpp"
#include "kernels/launch/texture.hpp"

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

void check_array(std::size_t count, std::size_t element_bytes) {
    if (count > std::numeric_limits<std::size_t>::max() / element_bytes)
        throw OutOfMemory("an array of " + std::to_string(count) + " elements is larger than any memory");
}

void check_copy(std::size_t host, std::size_t device) {
    if (host != device)
        throw Error("cannot copy between " + std::to_string(host) + " elements on the host and " +
                    std::to_string(device) + " on the device");
}

void check_texture(int nx, int ny, int nz, std::size_t values) {
    if (nx < 1 || ny < 1 || nz < 1 || static_cast<std::size_t>(nx) * ny * nz != values)
        throw Error("a texture's sizes do not fit its values");
}

}  // namespace gridmark::launch

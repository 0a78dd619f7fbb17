#include "kernels/launch/device.hpp"

#include <limits>

#include "kernels/launch/error.hpp"
#include "kernels/launch/texture.hpp"

namespace gridmark::launch {

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

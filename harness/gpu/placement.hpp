#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/launch/device.hpp"

namespace gridmark::harness {

/// Sizes in bytes of what a process takes of the GPU's memory before all else, 130 MiB at most: pages of 2
/// MiB, and a part of one. Where its fields lie then is drawn by the seed and the process's number. It
/// moves a kernel of 2 us by 1 % or 2 (docs/reliability.md), and without this all processes would have
/// the same place.
std::vector<std::size_t> placement(std::uint64_t seed, int process);

/// Takes them; nothing where there is no room.
std::vector<launch::Buffer<unsigned char>> place(launch::Device& device,
                                                 const std::vector<std::size_t>& sizes);

}  // namespace gridmark::harness

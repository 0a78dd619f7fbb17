#pragma once

#include <cstddef>

namespace gridmark::launch {

/// How the L1 cache and shared memory of a multiprocessor divide their common store.
enum class Carveout { prefer_l1, prefer_shared };

/// What the compiler made of a kernel, and how many of its blocks fit on one multiprocessor.
struct KernelInfo {
    int registers = 0;
    std::size_t static_shared = 0;
    int blocks_per_multiprocessor = 0;
    int threads_per_block = 0;
    double occupancy = 0;  ///< their threads' share of those that a multiprocessor holds
};

}  // namespace gridmark::launch

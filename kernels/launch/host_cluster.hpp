#pragma once

#include <cstddef>
#include <span>

#include "kernels/launch/host_block.hpp"

namespace gridmark::launch::executor {

/// Blocks that are alive at once and reach each other's shared memory, in turns on one operating system
/// thread.
class Cluster {
  public:
    /// Of blocks that have been started; each learns its rank.
    explicit Cluster(std::span<Block* const> blocks);

    Block& block(int rank) const { return *blocks_[static_cast<std::size_t>(rank)]; }
    /// For the threads of all blocks: waits for all of them.
    void barrier(Site site);

  private:
    std::span<Block* const> blocks_;
    std::size_t threads_ = 0, arrived_ = 0;
    unsigned long long opened_ = 0;
};

/// For kernels: Cluster::barrier() of the block that runs now. Throws Error where it has no cluster.
void cluster_barrier(Site site);

/// For kernels: where the block of that rank has what this one has at `mine` in its dynamic shared memory.
void* at_rank(int rank, void* mine);

}  // namespace gridmark::launch::executor

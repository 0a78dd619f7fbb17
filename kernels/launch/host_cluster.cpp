#include "kernels/launch/host_cluster.hpp"

#include <string>

#include "kernels/launch/host_thread_sanitizer.hpp"

namespace gridmark::launch::executor {
namespace {

Cluster& this_cluster() {
    Cluster* const cluster = Block::current()->cluster();
    if (cluster == nullptr)
        throw Error("a block without a cluster meets others: only launch_clusters makes clusters");
    return *cluster;
}

}  // namespace

Cluster::Cluster(std::span<Block* const> blocks) : blocks_(blocks) {
    int rank = 0;
    for (Block* block : blocks) {
        block->join(*this, rank++);
        threads_ += block->size();
    }
}

void Cluster::barrier(Site site) {
    Block& block = *Block::current();
    const unsigned long long before = opened_;
    show(this);
    if (++arrived_ == threads_) {
        arrived_ = 0;
        ++opened_;
    }
    while (opened_ == before)
        block.poll(site);
    block.arrived();
    see(this);
}

void cluster_barrier(Site site) {
    this_cluster().barrier(site);
}

void* at_rank(int rank, void* mine) {
    const auto here = static_cast<char*>(Block::current()->shared().dynamic());
    const auto there = static_cast<char*>(this_cluster().block(rank).shared().dynamic());
    return there + (static_cast<char*>(mine) - here);
}

}  // namespace gridmark::launch::executor

#pragma once

#include "harness/model/predict.hpp"
#include "harness/transfers.hpp"

namespace gridmark::harness {

/// What the messages of a rank take: each by itself, and their bytes. A GPU's go over the link, between
/// kernels that pack and unpack; a CPU copies its own before and behind.
struct Exchange {
    Terms latency, bandwidth;

    double total() const { return latency.total() + bandwidth.total(); }
};
Exchange exchange_of(const RankTraffic& traffic, const MachineLimits& machine, bool on_gpu);

/// What the link takes each way, and the host itself. Without a GPU one thread makes the copies.
struct HostWork {
    Terms up, down, host;

    double total() const { return up.total() + down.total() + host.total(); }
};
HostWork host_work(const Transfers& transfers, const MachineLimits& machine, bool on_gpu);

/// Puts what is transferred around a step's kernels, in microseconds a step.
void add_transfers(Prediction& step, const Transfers& transfers, const MachineLimits& machine, bool on_gpu);

}  // namespace gridmark::harness

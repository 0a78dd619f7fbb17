#include "harness/model/transfers.hpp"

#include <algorithm>

namespace gridmark::harness {
namespace {

/// Of the transfers of a pass, what kernels that take longer do not hide. It lies between none and all, for
/// pieces wait for each other's buffers. No ceiling says where, so this is the middle.
constexpr double unhidden_share = 0.5;

}  // namespace

Exchange exchange_of(const RankTraffic& t, const MachineLimits& machine, bool on_gpu) {
    Exchange exchange{Terms(machine), Terms(machine)};
    exchange.latency.times_us("rank_latency", t.messages);
    exchange.bandwidth.at_rate("rank_bandwidth", t.bytes);
    if (on_gpu) {
        exchange.latency.times_us("gpu_launch", 2 * t.messages);
        exchange.bandwidth.at_rate("link_up_pinned", t.bytes);
        exchange.bandwidth.at_rate("link_down_pinned", t.bytes);
    } else {  // read and written each time
        exchange.bandwidth.at_rate("cpu_triad_one_thread", 4 * t.bytes);
    }
    return exchange;
}

HostWork host_work(const Transfers& t, const MachineLimits& machine, bool on_gpu) {
    HostWork work{Terms(machine), Terms(machine), Terms(machine)};
    if (on_gpu) {
        const std::string memory = t.pageable ? "_pageable" : "_pinned";
        work.up.at_rate("link_up" + memory, t.uploaded);
        work.up.times_us("link_copy_start", t.copies_up);
        work.down.at_rate("link_down" + memory, t.downloaded);
        work.down.times_us("link_copy_start", t.copies_down);
        work.host.times_us("gpu_launch", t.waits);
    } else {  // read and written
        work.up.at_rate("cpu_triad_one_thread", 2 * t.uploaded);
        work.down.at_rate("cpu_triad_one_thread", 2 * t.downloaded);
        work.host.times_us("cpu_barrier_all_threads", t.waits);
    }
    work.host.at_rate(t.by_all_threads ? "cpu_triad_all_threads" : "cpu_triad_one_thread", t.host_bytes);
    return work;
}

void add_transfers(Prediction& step, const Transfers& t, const MachineLimits& machine, bool on_gpu) {
    using Order = Transfers::Order;
    const Order order = t.order == Order::drained && t.pieces <= 1 ? Order::in_turn : t.order;
    const auto [up, down, host] = host_work(t, machine, on_gpu);
    Terms both(machine);
    if (on_gpu && order != Order::in_turn && t.uploaded > 0 && t.downloaded > 0)
        both.at_rate("link_both_pinned", t.uploaded + t.downloaded);
    const Exchange exchange = exchange_of(t.exchange, machine, on_gpu);
    const double each = up.total() + down.total(), link = std::max({up.total(), down.total(), both.total()});
    if (order == Order::in_turn)
        step.time += each;
    else if (order == Order::overlapped)
        step.time = std::max(step.time, link);
    else
        step.time = std::max(link, step.time + unhidden_share * link) + each / t.pieces;
    step.time += host.total() + exchange.total();
    for (const Terms& terms : {up, down, both, host, exchange.latency, exchange.bandwidth})
        step.add(terms);
}

}  // namespace gridmark::harness

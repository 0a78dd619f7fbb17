#pragma once

#include "harness/model/predict.hpp"

namespace gridmark::harness {

/// Ten multiprocessors and round numbers.
inline MachineLimits round_machine() {
    MachineLimits limits;
    limits.name = "round";
    limits.multiprocessors = 10;
    limits.l2_bytes = 50e6;
    limits.shared_bytes = 100e3;
    limits.cpu_l1_bytes = 32e3;
    limits.cpu_l2_bytes = 1e6;
    limits.cpu_l3_bytes = 30e6;
    limits.ceilings = {{"gpu_copy_bandwidth", 1000},
                       {"gpu_l2_bandwidth", 4000},
                       {"gpu_l1_bandwidth", 10000},
                       {"gpu_shared_bandwidth", 20000},
                       {"gpu_issue_arithmetic", 1000},
                       {"gpu_fma_peak_float", 50000},
                       {"gpu_fma_peak_double", 25000},
                       {"gpu_block_start", 1},
                       {"gpu_l2_latency", 200},
                       {"gpu_memory_latency", 500},
                       {"gpu_l1_latency", 20},
                       {"gpu_shared_latency", 15},
                       {"gpu_fma_latency_float", 2},
                       {"gpu_fma_latency_double", 4},
                       {"gpu_division_latency", 50},
                       {"gpu_shuffle_latency", 12},
                       {"gpu_warp_issue", 0.1},
                       {"gpu_code_fetch", 50},
                       {"gpu_block_barrier_32", 10},
                       {"gpu_block_barrier_128", 11},
                       {"gpu_block_barrier_256", 13},
                       {"gpu_block_barrier_512", 20},
                       {"gpu_block_barrier_1024", 40},
                       {"gpu_message_latency", 700},
                       {"gpu_grid_sync", 2},
                       {"gpu_empty_kernel", 1},
                       {"gpu_launch", 4},
                       {"gpu_graph_node", 0.5},
                       {"link_up_pinned", 50},
                       {"link_down_pinned", 40},
                       {"link_both_pinned", 80},
                       {"cpu_fma_peak_float_one_thread", 100},
                       {"cpu_fma_peak_float_all_threads", 800},
                       {"cpu_triad_one_thread", 10},
                       {"cpu_triad_all_threads", 40},
                       {"cpu_l1_bandwidth_one_thread", 200},
                       {"cpu_l2_bandwidth_one_thread", 100},
                       {"cpu_l3_bandwidth_one_thread", 25},
                       {"cpu_l1_bandwidth_all_threads", 1600},
                       {"cpu_l2_bandwidth_all_threads", 800},
                       {"cpu_l3_bandwidth_all_threads", 100},
                       {"cpu_barrier_all_threads", 3}};
    return limits;
}

}  // namespace gridmark::harness

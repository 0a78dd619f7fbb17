#pragma once

/// What a step sends and fetches beside its kernels, as data. harness/model alone makes times of it.
namespace gridmark::harness {

/// What the busiest of several ranks sends in a step, on average: the steps of an exchange share it.
struct RankTraffic {
    double bytes = 0, messages = 0;
};

/// Of a step; of a pass of several steps, a step's share.
struct Transfers {
    double uploaded = 0, downloaded = 0;    ///< bytes between host and GPU
    double copies_up = 0, copies_down = 0;  ///< each has to be started; 0: not counted
    double waits = 0;                       ///< of the host for the GPU, each as long as a launch
    bool pageable = false;                  ///< from and to memory that is not pinned
    enum class Order {
        overlapped,  ///< both ways and the kernels at once, from step to step
        drained,  ///< the same in `pieces`, but the first upload and the last download of a pass stand alone
        in_turn   ///< nothing else happens meanwhile, neither the other way nor on the GPU
    } order = Order::overlapped;
    double pieces = 1;            ///< of a pass
    double buffers = 0;           ///< bytes that these take on the device at a time
    double host_bytes = 0;        ///< that the host itself reads and writes, while nothing else happens
    bool by_all_threads = false;  ///< all of the host's threads, not one
    RankTraffic exchange = {};

    bool over_link() const { return uploaded + downloaded > 0; }
};

}  // namespace gridmark::harness

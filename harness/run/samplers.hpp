#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/gpu/kernel_clock.hpp"
#include "harness/run/sampling.hpp"

namespace gridmark::harness {

/// One series of one point that is being measured, and how many iterations make one of its samples.
struct Timed {
    Work* work;
    Series series;
    int wanted = 0;  ///< iterations of a sample that the point asks for; 0: the sampler chooses
    int iterations = 1;
};

/// How many iterations a graph holds that is replayed to make `iterations` in all, and what is left of them:
/// whole replays only.
struct Replays {
    int nodes, iterations;
};
Replays replays_for(int iterations);

/// What a sampler asks of a GPU. A test brings its own, which writes down what is launched.
struct GpuClocks {
    using Body = std::function<void()>;
    std::function<double(const Body&)> seconds;  ///< between events around what `body` launches
    std::function<std::vector<KernelRecord>(const Body&)> record;
    std::function<std::function<void(int times)>(const Body&)> capture;  ///< a graph, and how to replay it
    std::function<void()> wait;
    /// Overwrites the L2; none where there is no room for it. Why empty it before a hot sample, too: how
    /// fields lie in the L2 is decided when they come there, and then lasts. It moves a kernel of 4 us by up
    /// to 2 %, so each sample draws it anew. Fields that leave no room do not fit the L2.
    std::function<void()> flush = {};
    std::exception_ptr no_flush = {};  ///< why there is none
};
GpuClocks clocks_of(launch::Device& gpu);

/// A sampler for members that all use the same clock; warms them up and sets their `iterations`. The wall
/// clock asks nothing of a GPU. Throws what the clocks throw, and `no_flush` where a member is cold.
std::unique_ptr<Sampler> make_sampler(Series::Clock clock, std::vector<Timed>& members, GpuClocks gpu,
                                      const Protocol& protocol);
/// The same on this GPU, which may be null for the wall clock. Throws launch::Error when the GPU fails,
/// launch::Unavailable when a clock cannot be had.
std::unique_ptr<Sampler> make_sampler(Series::Clock clock, std::vector<Timed>& members, launch::Device* gpu,
                                      const Protocol& protocol);

}  // namespace gridmark::harness

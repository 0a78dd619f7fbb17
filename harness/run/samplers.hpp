#pragma once

#include <memory>
#include <vector>

#include "harness/experiment.hpp"
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

/// A sampler for members that all use the same clock; warms them up and sets their `iterations`. `gpu` may be
/// null for the wall clock. Throws launch::Error when the GPU fails, launch::Unavailable when a clock cannot
/// be had.
std::unique_ptr<Sampler> make_sampler(Series::Clock clock, std::vector<Timed>& members, launch::Device* gpu,
                                      const Protocol& protocol);

}  // namespace gridmark::harness

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
    int iterations = 1;
};

/// A sampler for members that all use the same clock; warms them up and sets their `iterations`. `gpu` may be
/// null for the wall clock. Throws launch::Error when the GPU fails, launch::Unavailable when a clock cannot
/// be had.
std::unique_ptr<Sampler> make_sampler(Series::Clock clock, std::vector<Timed>& members, launch::Device* gpu,
                                      const Protocol& protocol);

}  // namespace gridmark::harness

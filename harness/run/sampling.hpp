#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/preset.hpp"

namespace gridmark::harness {

/// Takes samples of several things in turns. One round gives one sample of each, in seconds per iteration.
class Sampler {
  public:
    virtual ~Sampler() = default;
    /// How many things are sampled.
    virtual std::size_t size() const = 0;
    /// `count` rounds: result[round][thing].
    virtual std::vector<std::vector<double>> rounds(int count) = 0;
};

/// The samples of a group: samples[thing][round], and why sampling stopped: "interval" (every interval is
/// narrower than the protocol asks), "budget" (time is used up) or "limit" (the most samples were taken).
struct Sampled {
    std::vector<std::vector<double>> samples;
    std::string stopped;
};

/// Rounds until the protocol's stopping rule holds; never fewer than its least number of samples, or, once
/// the budget is used up, than its fewest.
Sampled sample(Sampler& sampler, const Protocol& protocol);
/// The same by another clock: `passed` gives the seconds since sampling began.
Sampled sample(Sampler& sampler, const Protocol& protocol, const std::function<double()>& passed);

/// Iterations that make a sample about `target` seconds long, between 1 and `most`.
int iterations_for(double seconds_per_iteration, double target, int most);

}  // namespace gridmark::harness

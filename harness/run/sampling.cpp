#include "harness/run/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "harness/elapsed.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

/// Rounds until the next look at the stopping rule: recording kernels has a fixed cost per request. The first
/// look comes after the fewest samples, and so do all while the budget might end before the least.
int rounds_to_a_look(const Protocol& protocol, int taken) {
    const int some = taken < protocol.least_samples ? protocol.fewest_samples : protocol.least_samples;
    return std::max(1, std::min({9, some, protocol.most_samples - taken}));
}

bool narrow_enough(const std::vector<std::vector<double>>& samples, double width) {
    return std::all_of(samples.begin(), samples.end(),
                       [&](const auto& s) { return relative_width(s) < width; });
}

}  // namespace

Sampled sample(Sampler& sampler, const Protocol& protocol) {
    const auto start = std::chrono::steady_clock::now();
    return sample(sampler, protocol, [start] { return seconds_since(start); });
}

Sampled sample(Sampler& sampler, const Protocol& protocol, const std::function<double()>& passed) {
    const double budget = protocol.budget_seconds * static_cast<double>(sampler.size());
    Sampled result{std::vector<std::vector<double>>(sampler.size()), ""};
    int taken = 0;
    while (result.stopped.empty()) {
        const int count = rounds_to_a_look(protocol, taken);
        for (const auto& round : sampler.rounds(count))
            for (std::size_t k = 0; k < round.size(); ++k)
                result.samples[k].push_back(round[k]);
        taken += count;
        const bool used_up = passed() >= budget;
        if (taken < protocol.least_samples && !(used_up && taken >= protocol.fewest_samples)) continue;
        if (narrow_enough(result.samples, protocol.relative_width))
            result.stopped = "interval";
        else if (taken >= protocol.most_samples)
            result.stopped = "limit";
        else if (used_up)
            result.stopped = "budget";
    }
    return result;
}

int iterations_for(double seconds_per_iteration, double target, int most) {
    if (!(seconds_per_iteration > 0)) return most;
    return static_cast<int>(
        std::clamp(std::ceil(target / seconds_per_iteration), 1.0, static_cast<double>(most)));
}

}  // namespace gridmark::harness

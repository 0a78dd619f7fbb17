#include "harness/preset.hpp"

#include "harness/usage_error.hpp"

namespace gridmark::harness {

Preset parse_preset(const std::string& word) {
    for (Preset preset : {Preset::quick, Preset::paper, Preset::full})
        if (word == to_string(preset)) return preset;
    throw UsageError("--preset: " + word + " is none of quick, paper, full");
}

std::string to_string(Preset preset) {
    return preset == Preset::quick ? "quick" : preset == Preset::paper ? "paper" : "full";
}

Protocol protocol(Preset preset) {
    // Its estimates differ more from run to run than a longer budget would show.
    if (preset == Preset::quick)
        return {.processes = 1,
                .budget_seconds = 0.1,
                .warm_up_seconds = 0.02,
                .relative_width = 0.01,
                .most_samples = 60};
    // Three of each of three processes make nine: the published sizes in minutes.
    if (preset == Preset::paper)
        return {.processes = 3,
                .budget_seconds = 0.08,
                .warm_up_seconds = 0.02,
                .relative_width = 0.01,
                .fewest_samples = 3,
                .most_samples = 60};
    return {.processes = 3,
            .budget_seconds = 0.5,
            .warm_up_seconds = 0.02,
            .relative_width = 0.01,
            .most_samples = 60};
}

}  // namespace gridmark::harness

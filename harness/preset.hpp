#pragma once

#include <string>

namespace gridmark::harness {

/// How much a run measures: `quick` a first look (estimates), `paper` the published sizes, `full` the large
/// ones too.
enum class Preset { quick, paper, full };

/// Throws UsageError for any other word.
Preset parse_preset(const std::string& word);
std::string to_string(Preset preset);

/// The rules of measuring that go with a preset.
struct Protocol {
    int processes;           ///< how many processes each row's samples come from
    double budget_seconds;   ///< per row and process
    double warm_up_seconds;  ///< per row and process, before the first sample
    double relative_width;   ///< sampling stops when the 95 % interval is narrower
    int least_samples = 9;   ///< per row and process, as long as the budget lasts
    int fewest_samples = 9;  ///< per row and process, whatever they cost
    int most_samples;        ///< per row and process, so that result files stay small
};
Protocol protocol(Preset preset);

}  // namespace gridmark::harness

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gridmark::harness {

/// What a context says of a GPU's clocks while it was measured.
struct ClockVerdict {
    std::vector<std::string> disturbed;  ///< a set with these is refused: heat, a brake, clocks set by hand
    std::vector<std::string> noted;      ///< what is as usual, or cannot be told
};

/// Judges by cause. The driver's counters of each group decide; a power cap is usual at full load. A clock
/// that is low for no cause is held against the GPU's default one. Where no cause can be read, only a clock
/// below half of that disturbs, and it is noted that nothing could be told.
ClockVerdict judge_clocks(const nlohmann::json& context);

/// Of a group that two processes measured: the lowest clock, the highest temperature and power, all causes.
/// Seconds are added; those that one of them lacks are not known.
nlohmann::json joined_clocks(const nlohmann::json& earlier, const nlohmann::json& later);

}  // namespace gridmark::harness

#pragma once

#include <nlohmann/json.hpp>

#include "harness/gpu/properties.hpp"
#include "harness/gpu/slowdown.hpp"

/// What a GPU's clocks did while a group of rows was measured: a value of `context.clocks.groups`.
namespace gridmark::harness {

class GroupClocks {
  public:
    /// Reads the driver's counters. Made right before a group is measured.
    explicit GroupClocks(const Expected<GpuProperties>& gpu);

    /// Reads them again, and the state that the GPU is in, right after: sm_mhz, rated_mhz, power_watts,
    /// temperature_celsius, limited_by (causes at this moment) and slowed_seconds (by cause, in between).
    /// What cannot be read is left out, and so is the clock of a GPU that rests already; why there are no
    /// slowed_seconds goes to reasons["clocks.slowed_seconds"]. Null without a GPU.
    nlohmann::json after(nlohmann::json& reasons) const;

  private:
    const Expected<GpuProperties>& gpu_;
    Expected<SlowedSeconds> before_;
};

}  // namespace gridmark::harness

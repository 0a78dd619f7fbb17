#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/gpu/gpu_use.hpp"

namespace gridmark::harness {

/// Watches who else uses the GPU that rows are measured on.
class GpuWatch {
  public:
    using Words = std::vector<std::string>;

    /// Made before this process opens the GPU, and after whatever ran before it: who is busy there now is
    /// another. Waits until the driver's utilisation no longer counts what ran before, a second at most.
    explicit GpuWatch(const Expected<std::string>& uuid);

    /// Whom it saw so far, in words; none where there is nobody, or no GPU.
    Words now() const;
    /// Looks at who is there as a group begins, and as it ends: who was there at either end, or was seen in
    /// between. Reads lists alone, in a millisecond, unless somebody may be there who is not listed, and ten
    /// seconds have gone: then it waits as at first.
    void begin();
    Words end();

    /// What it cannot see here, in words, to be said once; empty where it sees all.
    std::string unseen() const;

  private:
    OwnUse own(bool rests) const;
    Words listed(const GpuUse& use) const;
    void look_at_rest();

    std::string uuid_;  ///< empty: there is no GPU
    std::optional<GpuBeacon> beacon_;
    bool opened_ = false;  ///< whether this process may be among those on the GPU
    bool lists_all_ = true;
    std::string unseen_;
    Words listed_, unlisted_;
    std::uint64_t since_ = 0;  ///< of the group that is measured, in microseconds since 1970
    std::chrono::steady_clock::time_point rested_;
};

/// Whether a process is `ancestor` or was started by it, directly or not. False for one that /proc lacks.
bool descends_from(unsigned pid, unsigned ancestor);

}  // namespace gridmark::harness

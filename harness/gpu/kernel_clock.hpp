#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/expected.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {

/// One execution of one kernel, as the GPU saw it.
struct KernelRecord {
    std::string name;           ///< demangled, with its parameters
    std::int64_t start_ns = 0;  ///< on the GPU's clock
    std::int64_t end_ns = 0;
    std::uint32_t stream = 0;
    std::int64_t graph_node = 0;  ///< 0: not launched by a graph
    int registers = 0;
    std::int64_t static_shared = 0, dynamic_shared = 0;  ///< bytes a block
    std::int64_t local_per_thread = 0;                   ///< bytes; spills are among them
    std::array<int, 3> grid{}, block{};

    /// How long the kernel ran, in nanoseconds.
    std::int64_t duration_ns() const { return end_ns - start_ns; }
};

/// One copy between the host and the GPU, as the GPU saw it.
struct CopyRecord {
    enum class Way { up, down };
    Way way = Way::up;
    std::int64_t start_ns = 0;  ///< on the GPU's clock
    std::int64_t end_ns = 0;
    std::uint32_t stream = 0;
    std::int64_t bytes = 0;
};

/// What a GPU did, each kind in order of start.
struct Activities {
    std::vector<KernelRecord> kernels;
    std::vector<CopyRecord> copies;
};

/// A recording that cannot be trusted: records were lost, or CUPTI refused.
class KernelClockError : public launch::Error {
  public:
    using launch::Error::Error;
};

/// The clock `kernel`: GPU time per kernel from CUPTI's activity records, without launch overhead.
///
/// CUPTI is loaded when first asked for, and traces only inside record(). Even so its hooks stay in the
/// process once it has traced, so where both clocks are read, read the step clock first.
class KernelClock {
  public:
    static KernelClock& instance();
    KernelClock(const KernelClock&) = delete;
    KernelClock& operator=(const KernelClock&) = delete;

    /// Whether record() can be expected to work; tries nothing on the GPU.
    bool available();
    /// Why not; empty where it is available. After a record() that CUPTI refused for good, that refusal.
    std::string reason();

    /// Runs `body`, waits for the GPU, and gives every kernel that ran, in order of start. One thread at a
    /// time. Throws launch::Unavailable with the reason, or KernelClockError; passes on what `body` throws.
    /// A graph shows its kernels one by one, provided that it was instantiated inside some record() or after
    /// one.
    std::vector<KernelRecord> record(const std::function<void()>& body);
    /// The same with the copies between host and GPU; those within the GPU, and settings of its memory, are
    /// left out.
    Activities record_activities(const std::function<void()>& body);

  private:
    KernelClock() = default;
    void load();
    Activities trace(bool copies, const std::function<void()>& body);

    bool loaded_ = false;
    std::string reason_;
};

/// The version of CUPTI that the kernel clock would use, such as "13.0.1".
Expected<std::string> read_cupti_version();

}  // namespace gridmark::harness

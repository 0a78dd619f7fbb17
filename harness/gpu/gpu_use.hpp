#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/expected.hpp"

/// Who uses a GPU, or a slice of one.
namespace gridmark::harness {

/// A process that the driver lists.
struct GpuProcess {
    unsigned pid;  ///< in a container at times by the host's numbers
    bool draws;    ///< a desktop or a browser: it sits there without doing anything most of the time
};

/// What the driver says at one moment. Every entry fails on its own: slices, containers and WSL2 lack some.
struct GpuUse {
    Expected<std::vector<GpuProcess>> processes;  ///< each once: compute, graphics and clients of MPS
    Expected<std::int64_t> memory_bytes;          ///< taken by all of them
    Expected<bool> shows_a_desktop;               ///< of which the driver may not list all that it takes
    Expected<unsigned> busy_percent;              ///< in the last sampling period, a second at most
    Expected<std::map<unsigned, unsigned>> busy_by_process;  ///< the most of each since the time given
};

/// Reads it for a UUID. `since`: microseconds since 1970.
GpuUse read_gpu_use(const std::string& uuid, std::uint64_t since);

/// What of it is our own.
struct OwnUse {
    std::function<bool(unsigned pid)> is_ours;
    unsigned self = 0;   ///< this process
    bool holds = false;  ///< it has opened the GPU: it is listed, and some of the memory taken is its own
    bool rests = false;  ///< nothing of ours has run within a sampling period: who is busy is another
};

/// The others that are listed, in words, a clause each: all that compute, and what draws once that keeps the
/// GPU busy.
std::vector<std::string> listed_others(const GpuUse& use, const OwnUse& own);

/// Those that are not, as in a container: who keeps the GPU busy while this program rests, and whose memory
/// is taken before it opens the GPU.
std::vector<std::string> unlisted_others(const GpuUse& use, const OwnUse& own);

/// From this share on others are said to keep a GPU busy: a desktop that redraws a clock stays below.
constexpr unsigned busy_from_percent = 5;

/// Shows other runs of this program that this one is on the GPU, as long as it lives. A name of the network's
/// namespace: it needs no folder that two containers share, and goes with the process, however that ends.
class GpuBeacon {
  public:
    explicit GpuBeacon(const std::string& uuid);
    GpuBeacon(const GpuBeacon&) = delete;
    GpuBeacon& operator=(const GpuBeacon&) = delete;
    ~GpuBeacon();

    /// How many others there are now; 0 also where the system does not show them.
    int others() const;

  private:
    std::string prefix_, name_;
    int socket_;
};

/// How many names in the text of /proc/net/unix begin with the prefix, `own` aside.
int count_beacons(const std::string& text, const std::string& prefix, const std::string& own);

}  // namespace gridmark::harness

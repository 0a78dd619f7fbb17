#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/axes.hpp"
#include "harness/preset.hpp"
#include "harness/results/row.hpp"
#include "harness/settings.hpp"
#include "harness/transfers.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/ranks/cut.hpp"
#include "kernels/ranks/stepping.hpp"
#include "kernels/ranks/transport.hpp"

/// What a study tells of its field cut among ranks (`run --ranks`, `solve --ranks`), and what a rank does for
/// it. The program gridmark-ranks calls these functions; gridmark only plans by them.
namespace gridmark::harness {

/// What a stage of a step needs of others: so many fields, so far.
struct RankStage {
    ranks::Reach reach;
    int fields;
};

/// A grid that ranks share, and what a step on it costs.
struct RankGrid {
    ranks::Box box;
    ranks::Triple order;  ///< which axes of the box are x, y and z
    std::string word;     ///< of a row's name, "4096x4096/float"
    Parameters parameters;
    double bytes, flops;  ///< declared, of a step on the whole grid
    double memory;        ///< bytes that all ranks hold together, without ghosts
    std::vector<RankStage> stages;
    int state_fields;  ///< that travel where an exchange is good for several steps
    std::size_t value_bytes;

    int axes() const { return box.size(2) == 1 ? 2 : 3; }
};

/// Ranks of which one is the busiest: all, or of a large cut those at the ends and in the middle of every
/// axis.
std::vector<int> looked_at(const ranks::Triple& parts);
RankTraffic traffic_of(const RankGrid& grid, const ranks::Triple& parts, int steps_per_exchange);

/// A study's field on all ranks, as one of them sees it. All ranks call the same functions in the same order.
class Ranked {
  public:
    virtual ~Ranked() = default;
    /// Sets the start.
    virtual void start() = 0;
    /// Advances all ranks by so many steps; returns when this rank's are done.
    virtual void steps(int count, ranks::Omit omit) = 0;
    /// Runs a few steps from the start and compares with the reference in double, the same on all ranks.
    virtual Verification verify() = 0;
    /// Rank 0 writes the field into a file that is there: its components one behind the other, each in C
    /// order with the grid's axis 0 fastest. Throws std::system_error.
    virtual void write(const std::string& file) = 0;
    /// What this rank sends in a step, on average.
    virtual RankTraffic traffic() = 0;
};

/// What a rank is given.
struct RankRequest {
    ranks::Transport& transport;
    launch::Device* device;  ///< null: the CPU
    Settings settings;       ///< the study's
    int threads;
    std::uint64_t seed;
    int steps_per_exchange;
    ranks::Triple parts;  ///< of the grid's box
};

struct RankedStudy {
    /// The sizes of a preset, in place of `run --axis`.
    Axes (*axes)(Preset preset);
    std::set<std::string> keys;  ///< of those axes
    /// The grid at these settings, with `times` as many points along its slowest axis: for weak scaling.
    /// Throws UsageError for bad values, std::invalid_argument for a grid that the study does not have.
    RankGrid (*grid)(const Settings& settings, int times);
    /// This rank's part of it.
    std::unique_ptr<Ranked> (*make)(const RankRequest& request, int times);
};

/// The parts of a grid's box for so many ranks, from "auto" or from such as "2x1x4" along x, y and z. Throws
/// UsageError where they do not make so many ranks, std::invalid_argument where the grid has too few points.
ranks::Triple parts_of(const RankGrid& grid, const std::string& cut, int ranks);
/// The same as a word: "2x1x4".
std::string cut_word(const RankGrid& grid, const ranks::Triple& parts);

}  // namespace gridmark::harness

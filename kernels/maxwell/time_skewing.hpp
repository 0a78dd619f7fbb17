#pragma once

#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/staging.hpp"
#include "kernels/maxwell/streamed.hpp"

/// How a grid goes through a device in passes of several steps: which planes a slab steps, and when.
namespace gridmark::maxwell {

/// Slab s of a pass brings planes s depth ... (s + 1) depth - 1 to the device. Each of its steps ends one
/// plane earlier: step k covers `depth` planes from s depth - 1 - k on. A step makes E at x from H at x and
/// x + 1, and H at x from E at x and x - 1. So it finds in front what the slab before has left, and behind
/// what its own last step, or the copy up, has brought. Past the last plane slabs go on, bringing nothing,
/// until all planes have had all steps.
struct TimeSkew {
    int nx;
    int ring;   ///< planes that the device holds
    int depth;  ///< slab depth: planes
    int steps;  ///< per pass

    /// The same window with fewer steps per pass.
    TimeSkew of(int fewer_steps) const { return {nx, ring, depth, fewer_steps}; }
    /// Slabs of a pass.
    int count() const { return (nx + steps + depth - 1) / depth; }
    /// The planes that slab s brings, the ghosts in plane nx among them.
    Slab brought(int s) const { return cut(s * depth, s * depth + depth, nx + 1); }
    /// Those of its step k, perhaps none.
    Slab stepped(int s, int k) const { return cut(s * depth - 1 - k, s * depth + depth - 1 - k, nx); }
    /// Those that leave behind it: they have had all steps.
    Slab finished(int s) const {
        const Slab planes = stepped(s, steps - 1);
        return {planes.first, s + 1 == count() ? nx + 1 : planes.last};
    }
    /// How many planes nobody needs when slab s has left. The last one that left is still read in front of
    /// the next slab.
    int free_after(int s) const {
        const int last = finished(s).last;
        return s + 1 == count() || last == 0 ? last : last - 1;
    }

  private:
    static Slab cut(int first, int last, int end) {
        const auto inside = [end](int x) { return x < 0 ? 0 : x < end ? x : end; };
        return {inside(first), inside(last)};
    }
};

/// Planes of a window in which no copy up waits: one slab that is sent, two that are stepped, one that is
/// fetched. And as many planes as the last step is behind the first.
constexpr int roomy_ring(int depth, int steps) {
    return 4 * depth + steps + 1;
}

/// Bytes of all that lies on the device.
template <class T>
std::size_t device_bytes(const Layout& layout, const CoefficientSize& coefficients, const TimeSkew& skew);

/// Launches of a pass.
int launches(const TimeSkew& skew);

/// The smallest window, and bytes of one that holds the whole grid.
TimeSkew least_time_skew(const Layout& layout);
template <class T>
std::size_t whole_bytes(const Layout& layout, const CoefficientSize& coefficients);

/// A window for slabs of this depth and so many steps per pass. Throws std::invalid_argument where steps are
/// odd and more than one, or the grid has too few planes.
TimeSkew make_time_skew(const Layout& layout, int depth, int steps);

/// The window that fits so many bytes. Throws std::invalid_argument where none does.
template <class T>
TimeSkew time_skew_for(const Layout& layout, const CoefficientSize& coefficients, std::size_t bytes);

/// Passes of several steps, by a variant that does a step in one launch: see time_skewing.cpp.
/// `coefficients`, as the variant takes them, must outlive it. Allocates device_bytes.
template <class T>
std::unique_ptr<StreamedSolver<T>> time_skewed(launch::Device& device, const GpuVariant<T>& variant,
                                               const Problem& problem,
                                               const StreamedCoefficients<T>& coefficients,
                                               const TimeSkew& skew, int threads);

/// Bytes of a step, when all passes are whole ones.
template <class T>
Traffic traffic(const Layout& layout, const CoefficientSize& coefficients, const TimeSkew& skew);

}  // namespace gridmark::maxwell

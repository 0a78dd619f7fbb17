#pragma once

#include <limits>

#include "kernels/launch/device.hpp"
#include "kernels/launch/error.hpp"
#include "kernels/maxwell/grid.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"
#include "kernels/maxwell/source.hpp"

/// What a whole step in one launch works on. It cannot be done in place, since other blocks still read what
/// one would overwrite: the fields go from one set of arrays into another.
namespace gridmark::maxwell {

/// The incident wave on the device, a step ahead of its source: E and H as they are after the step whose
/// current `drive` holds. So a step finds all that it needs of the wave, and makes the next one beside it.
template <class T>
struct Ahead {
    Wave<T> wave;
    Drive* drive;
};

/// Coefficients on a device as numbers of combinations and two tables.
template <class T>
struct Indexed {
    const std::uint8_t* number;  ///< `width` bytes each: 1, 2 or 4
    int width;
    const OfE<T>* of_e;
    const OfH<T>* of_h;
    int combinations;
};

/// Where the planes lie: one behind the other, and behind the last one the first again. So a part of a long
/// grid can move through memory that it leaves at one end and enters at the other.
struct Ring {
    int planes;       ///< that it holds
    int shift;        ///< plane x lies in place (x + shift) % planes
    unsigned values;  ///< of an array

    constexpr unsigned offset(const Layout& l, int x) const {
        return static_cast<unsigned>((x + shift) % planes) * static_cast<unsigned>(l.plane());
    }
    /// From a value's place to that in the plane behind.
    constexpr unsigned behind(unsigned at, unsigned plane) const {
        const unsigned further = at + plane;
        return further < values ? further : further - values;
    }
};

/// A ring of so many planes. Throws launch::Unavailable where its values cannot be numbered.
inline Ring make_ring(const Layout& layout, int planes) {
    const std::size_t values = planes * layout.plane();
    // One plane beyond the last value must not run over either.
    if (values > std::numeric_limits<unsigned>::max() - layout.plane())
        throw launch::Unavailable("more slots a component than 32 bits can number");
    return {planes, 0, static_cast<unsigned>(values)};
}

template <class T>
struct WholeStep {
    Slab planes;              ///< those that take the step
    Ring ring;                ///< how all arrays lie
    Arrays<T> now;            ///< the coefficients' arrays are null where they come by index
    Indexed<T> index;         ///< null where they come as arrays
    Planes<T> e, h;           ///< fields a step later
    Ahead<T> ahead, further;  ///< the wave of this step and of the next
};

/// The incident wave on a device before each of several steps: so many states, in turns.
template <class T>
class WaveStates {
  public:
    WaveStates(launch::Device& device, const Problem& problem, int states)
        : n_(problem.grid.n(2)),
          states_(states),
          values_(device, states * values_of_one()),
          drives_(device, states) {
        Incident<T> incident(problem);
        const Drive drive = incident.drive();
        incident.advance();
        device.upload(values_.data(), incident.wave().e[0], values_of_one() * sizeof(T));
        device.upload(drives_.data(), &drive, sizeof drive);
    }
    /// As this step finds it.
    Ahead<T> at(long step) {
        const std::size_t slots = n_ + 1;
        const long state = step % states_;
        T* const w = values_.data() + state * values_of_one();
        return {{{w, w + slots}, {w + 2 * slots, w + 3 * slots}, n_}, drives_.data() + state};
    }

  private:
    std::size_t values_of_one() const { return 4 * static_cast<std::size_t>(n_ + 1); }
    int n_, states_;
    launch::Buffer<T> values_;
    launch::Buffer<Drive> drives_;
};

}  // namespace gridmark::maxwell

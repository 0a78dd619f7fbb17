#pragma once

#include "kernels/launch/device.hpp"
#include "kernels/maxwell/pass.hpp"
#include "kernels/maxwell/solver.hpp"

namespace gridmark::maxwell {

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

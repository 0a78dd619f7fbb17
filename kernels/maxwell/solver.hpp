#pragma once

#include <optional>
#include <vector>

#include "kernels/launch/kernel_info.hpp"
#include "kernels/maxwell/faces.hpp"
#include "kernels/maxwell/grid.hpp"
#include "kernels/maxwell/source.hpp"

namespace gridmark::maxwell {

/// What all versions compute: fields on a grid, driven by a source, c dt at a time.
struct Problem {
    Grid grid;
    double dct;
    Source source;
};

/// The components in the order in which they are numbered: Ex Ey Ez Hx Hy Hz.
inline constexpr int components = 6;

/// A version with its six fields in place. All are 0 at first, ghosts included, and the wave has not begun.
template <class T>
class Solver {
  public:
    virtual ~Solver() = default;
    /// Sets or reads a component in plane x (0 ... nx): (ny + 1)(nz + 1) values, z fastest.
    virtual void set_plane(int component, int x, const T* values) = 0;
    virtual void get_plane(int component, int x, T* values) = 0;
    /// The value of a component at an index.
    virtual T value(int component, int x, int y, int z) = 0;
    /// Does `count` steps, or puts them into the device's stream.
    virtual void steps(int count) = 0;
    virtual std::optional<launch::KernelInfo> kernel_info() const { return std::nullopt; }
};

/// Inverse spacings of a grid as all half steps read them.
template <class T>
class Spacings {
  public:
    explicit Spacings(const Grid& grid) {
        for (const auto& nodes : grid.nodes)
            axes_.push_back(inverse_spacings<T>(nodes));
    }
    const InverseSpacings<T>& operator[](int axis) const { return axes_[axis]; }
    void enter(Arrays<T>& arrays) const {
        for (int axis = 0; axis < 3; ++axis) {
            arrays.half[axis] = axes_[axis].half.data();
            arrays.node[axis] = axes_[axis].node.data();
        }
    }

  private:
    std::vector<InverseSpacings<T>> axes_;
};

/// The incident wave on the CPU, in lockstep with the 3-D problem.
template <class T>
class Incident {
  public:
    explicit Incident(const Problem& problem)
        : drive_(start(problem.source, problem.dct, 1 / half_distance(problem.grid.nodes[2], 0))),
          spacings_(inverse_spacings<T>(problem.grid.nodes[2])),
          dct_(static_cast<T>(problem.dct)),
          n_(problem.grid.n(2)),
          values_(4 * static_cast<std::size_t>(n_ + 1)) {}

    /// Of this step.
    const Drive& drive() const { return drive_; }
    Wave<T> wave() {
        T* const v = values_.data();
        const std::ptrdiff_t slots = n_ + 1;
        return {{v, v + slots}, {v + 2 * slots, v + 3 * slots}, n_};
    }
    void advance() {
        maxwell::advance(wave(), drive_, spacings_.half.data(), spacings_.node.data(), dct_);
        drive_ = advanced(drive_);
    }

  private:
    Drive drive_;
    InverseSpacings<T> spacings_;
    T dct_;
    int n_;
    std::vector<T> values_;
};

}  // namespace gridmark::maxwell

#pragma once

#include <algorithm>
#include <array>

#include "kernels/maxwell/grid.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"
#include "kernels/storage.hpp"

/// Fields in the host's memory: as users have them, and as versions do.
namespace gridmark::maxwell {

/// Values of a plane from which threads pay.
inline constexpr std::size_t worth_threads = 50000;

/// Between tight planes, as users have them, and a layout's padded rows.
template <class T>
void store_plane(const Layout& layout, const T* tight, T* padded) {
#pragma omp parallel for schedule(static) if (layout.plane() > worth_threads)
    for (int y = 0; y < layout.rows(); ++y) {
        T* const row = padded + static_cast<std::size_t>(y) * layout.pitch;
        std::copy_n(tight + static_cast<std::size_t>(y) * (layout.n[2] + 1), layout.n[2] + 1, row);
        std::fill(row + layout.n[2] + 1, row + layout.pitch, T(0));
    }
}

template <class T>
void load_plane(const Layout& layout, const T* padded, T* tight) {
#pragma omp parallel for schedule(static) if (layout.plane() > worth_threads)
    for (int y = 0; y < layout.rows(); ++y)
        std::copy_n(padded + static_cast<std::size_t>(y) * layout.pitch, layout.n[2] + 1,
                    tight + static_cast<std::size_t>(y) * (layout.n[2] + 1));
}

/// An array of zeros, each plane first written by the thread that will step it.
template <class T>
Storage<T> zeros(const Layout& layout, int threads) {
    Storage<T> array(layout.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int x = 0; x < layout.planes(); ++x)
        std::fill_n(array.data() + x * layout.plane(), layout.plane(), T(0));
    return array;
}

/// What versions have in common whose fields live in the host's memory.
template <class T>
class HostSolver : public Solver<T> {
  public:
    void set_plane(int component, int x, const T* values) override {
        store_plane(arrays_.layout, values, row(component, x, 0));
    }
    void get_plane(int component, int x, T* values) override {
        load_plane(arrays_.layout, row(component, x, 0), values);
    }
    T value(int component, int x, int y, int z) override { return row(component, x, y)[z]; }
    /// The incident wave after the steps so far.
    Wave<T> wave() { return incident_.wave(); }

  protected:
    HostSolver(const Problem& problem, int threads, int alignment = row_alignment)
        : threads_(threads), spacings_(problem.grid), incident_(problem) {
        arrays_.layout = make_layout<T>(problem.grid, alignment);
        arrays_.dct = static_cast<T>(problem.dct);
        spacings_.enter(arrays_);
    }
    /// Where the six components lie; they hold zeros.
    void use(const std::array<T*, components>& fields) {
        for (int c = 0; c < 3; ++c) {
            arrays_.e.data[c] = fields[c];
            arrays_.h.data[c] = fields[3 + c];
        }
    }
    void use(const Coefficients<T>& k) {
        arrays_.eps = k.planes(k.eps);
        arrays_.sigma = k.planes(k.sigma);
        arrays_.mu = k.planes(k.mu);
    }
    int nx() const { return arrays_.layout.n[0]; }
    T* row(int component, int x, int y) const {
        return (component < 3 ? arrays_.e : arrays_.h).row(arrays_.layout, component % 3, x, y);
    }

    Arrays<T> arrays_{};
    int threads_;
    Spacings<T> spacings_;
    Incident<T> incident_;
};

/// Six arrays of zeros in ordinary memory.
template <class T>
class OwnFields {
  public:
    OwnFields(const Layout& layout, int threads) {
        for (int c = 0; c < components; ++c) {
            fields_[c] = zeros<T>(layout, threads);
            data[c] = fields_[c].data();
        }
    }
    std::array<T*, components> data;

  private:
    Storage<T> fields_[components];
};

}  // namespace gridmark::maxwell

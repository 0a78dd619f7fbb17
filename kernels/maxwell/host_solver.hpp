#pragma once

#include <array>

#include "kernels/maxwell/averages.hpp"
#include "kernels/maxwell/solver.hpp"
#include "kernels/maxwell/stored.hpp"

namespace gridmark::maxwell {

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
    HostSolver(const Problem& problem, int threads)
        : threads_(threads), spacings_(problem.grid), incident_(problem) {
        arrays_.layout = make_layout<T>(problem.grid);
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

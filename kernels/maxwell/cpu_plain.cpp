// The CPU code that the paper shows: loops under `omp parallel for`, an array without padding for each
// component, and index() for every value. No blocking, no explicit vectors; what the compiler makes of the
// loops is left to it. Source: paper, section 3 (class Grid) and the listings of section 6.
#include "kernels/maxwell/cpu.hpp"
#include "kernels/maxwell/host_solver.hpp"
#include "kernels/maxwell/scheme.hpp"

namespace gridmark::maxwell {
namespace {

/// The paper's Grid::index.
class Index {
  public:
    explicit Index(const Layout& layout) : ny_(layout.n[1]), nz_(layout.n[2]) {}
    std::size_t operator()(int ix, int iy, int iz) const {
        return std::size_t{1} * ix * (ny_ + 1) * (nz_ + 1) + std::size_t{1} * iy * (nz_ + 1) + iz;
    }
    /// The same place one further along an axis, or one back.
    std::size_t further(int axis, int ix, int iy, int iz) const {
        return (*this)(ix + (axis == 0), iy + (axis == 1), iz + (axis == 2));
    }
    std::size_t back(int axis, int ix, int iy, int iz) const {
        return (*this)(ix - (axis == 0), iy - (axis == 1), iz - (axis == 2));
    }

  private:
    int ny_, nz_;
};

/// Materials from the nine arrays of the paper's class Model.
template <class T>
class NineArrays {
  public:
    NineArrays(const Coefficients<T>& k, const Layout& layout, int threads)
        : k_(in_layout(k, layout, threads)), index_(layout) {}
    template <int c>
    OfEdge<T> of_e(int ix, int iy, int iz) const {
        return {k_.eps[c][index_(ix, iy, iz)], k_.sigma[c][index_(ix, iy, iz)]};
    }
    template <int c>
    T of_h(int ix, int iy, int iz) const {
        return k_.mu[c][index_(ix, iy, iz)];
    }

  private:
    Coefficients<T> k_;
    Index index_;
};

/// Materials of the cells, averaged in every step.
template <class T>
class LookUp {
  public:
    LookUp(const Grid& grid, const Body& body, const Layout& layout)
        : materials_(grid, body, layout), lookup_(materials_.lookup()) {}
    LookUp(const LookUp&) = delete;
    template <int c>
    OfEdge<T> of_e(int ix, int iy, int iz) const {
        return lookup_.template of_e<c>(ix, iy, iz);
    }
    template <int c>
    T of_h(int ix, int iy, int iz) const {
        return lookup_.template of_h<c>(ix, iy, iz);
    }

  private:
    const CellMaterials<T> materials_;
    const CellLookup<T> lookup_;
};

template <class T, class Materials>
class Plain final : public HostSolver<T> {
  public:
    template <class Source>
    Plain(const Problem& problem, const Source& source, int threads)
        : HostSolver<T>(problem, threads, unaligned),
          index_(this->arrays_.layout),
          materials_(made(problem, source, this->arrays_.layout, threads)),
          fields_(this->arrays_.layout, threads) {
        this->use(fields_.data);
    }

    void steps(int count) override {
        const int nx = this->nx();
        for (int step = 0; step < count; ++step) {
            add_current(this->arrays_, this->incident_.drive(), 0, nx, this->threads_);
            step_e<0>();
            step_e<1>();
            step_e<2>();
            step_h<0>();
            step_h<1>();
            step_h<2>();
            this->incident_.advance();
            set_ghosts(this->arrays_, this->incident_.wave(), 0, nx, this->threads_);
        }
    }

  private:
    static Materials made(const Problem&, const Coefficients<T>& k, const Layout& layout, int threads) {
        return {k, layout, threads};
    }
    static Materials made(const Problem& problem, const Body& body, const Layout& layout, int) {
        return {problem.grid, body, layout};
    }

    template <int c>
    void step_e() {
        constexpr int a = next(c), b = before(c);
        const int nx = this->nx(), ny = this->arrays_.layout.n[1], nz = this->arrays_.layout.n[2];
        const T dct = this->arrays_.dct;
        T* const e = fields_.data[c];
        const T *const hb = fields_.data[3 + b], *const ha = fields_.data[3 + a];
        const T *const inverse_a = this->arrays_.half[a], *const inverse_b = this->arrays_.half[b];
#pragma omp parallel for num_threads(this->threads_) schedule(static)
        for (int ix = first_e(c, 0); ix < nx; ix++) {
            for (int iy = first_e(c, 1); iy < ny; iy++) {
                for (int iz = first_e(c, 2); iz < nz; iz++) {
                    const int at[3] = {ix, iy, iz};
                    const T rot =
                        rotation(hb[index_(ix, iy, iz)], hb[index_.further(a, ix, iy, iz)], inverse_a[at[a]],
                                 ha[index_(ix, iy, iz)], ha[index_.further(b, ix, iy, iz)], inverse_b[at[b]]);
                    const OfEdge<T> m = materials_.template of_e<c>(ix, iy, iz);
                    e[index_(ix, iy, iz)] = next_e(e[index_(ix, iy, iz)], rot, m.eps, m.sigma, dct);
                }
            }
        }
    }

    template <int c>
    void step_h() {
        constexpr int a = next(c), b = before(c);
        const int nx = this->nx(), ny = this->arrays_.layout.n[1], nz = this->arrays_.layout.n[2];
        const T dct = this->arrays_.dct;
        T* const h = fields_.data[3 + c];
        const T *const eb = fields_.data[b], *const ea = fields_.data[a];
        const T *const inverse_a = this->arrays_.node[a], *const inverse_b = this->arrays_.node[b];
#pragma omp parallel for num_threads(this->threads_) schedule(static)
        for (int ix = first_h(c, 0); ix < nx; ix++) {
            for (int iy = first_h(c, 1); iy < ny; iy++) {
                for (int iz = first_h(c, 2); iz < nz; iz++) {
                    const int at[3] = {ix, iy, iz};
                    const T rot =
                        rotation(eb[index_.back(a, ix, iy, iz)], eb[index_(ix, iy, iz)], inverse_a[at[a]],
                                 ea[index_.back(b, ix, iy, iz)], ea[index_(ix, iy, iz)], inverse_b[at[b]]);
                    h[index_(ix, iy, iz)] =
                        next_h(h[index_(ix, iy, iz)], rot, materials_.template of_h<c>(ix, iy, iz), dct);
                }
            }
        }
    }

    const Index index_;
    const Materials materials_;
    OwnFields<T> fields_;
};

}  // namespace

template <class T>
std::unique_ptr<Solver<T>> cpu_plain(const Problem& problem, const Coefficients<T>& coefficients,
                                     int threads) {
    return std::make_unique<Plain<T, NineArrays<T>>>(problem, coefficients, threads);
}

template <class T>
std::unique_ptr<Solver<T>> cpu_plain_lookup(const Problem& problem, const Body& body, int threads) {
    return std::make_unique<Plain<T, LookUp<T>>>(problem, body, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                 \
    template std::unique_ptr<Solver<T>> cpu_plain(const Problem&, const Coefficients<T>&, int); \
    template std::unique_ptr<Solver<T>> cpu_plain_lookup(const Problem&, const Body&, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell

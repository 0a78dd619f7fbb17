#include "kernels/maxwell/cpu.hpp"

#include "kernels/isa.hpp"
#include "kernels/maxwell/cpu_row.hpp"
#include "kernels/maxwell/host_solver.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "kernels/precision.hpp"

namespace gridmark::maxwell {
namespace {

constexpr int along_z = 2;

}  // namespace

template <class T>
UpdateRow<T> widest_e_row() {
    return for_precision<T>(for_widest_isa(GRIDMARK_VERSIONS(e_row_float)),
                            for_widest_isa(GRIDMARK_VERSIONS(e_row_double)));
}

template <class T>
UpdateRow<T> widest_h_row() {
    return for_precision<T>(for_widest_isa(GRIDMARK_VERSIONS(h_row_float)),
                            for_widest_isa(GRIDMARK_VERSIONS(h_row_double)));
}

Along along(int c) {
    return next(c) == along_z ? Along::a : before(c) == along_z ? Along::b : Along::neither;
}

namespace {

/// Component c of E in row (x, y), from the first value that is updated.
template <class T>
Row<T> e_row(const Arrays<T>& a, int c, int x, int y) {
    const Layout& l = a.layout;
    const int p = next(c), q = before(c), first = first_e(c, along_z), at[2] = {x, y};
    const auto h = [&](int component, int axis) {
        return a.h.row(l, component, x + (axis == 0), y + (axis == 1)) + (axis == along_z) + first;
    };
    return {a.e.row(l, c, x, y) + first,
            h(q, -1),
            h(q, p),
            h(p, -1),
            h(p, q),
            a.eps.row(l, c, x, y) + first,
            a.sigma.row(l, c, x, y) + first,
            a.half[along_z] + first,
            p == along_z ? T(0) : a.half[p][at[p]],
            q == along_z ? T(0) : a.half[q][at[q]],
            a.dct,
            l.n[along_z] - first};
}

template <class T>
Row<T> h_row(const Arrays<T>& a, int c, int x, int y) {
    const Layout& l = a.layout;
    const int p = next(c), q = before(c), first = first_h(c, along_z), at[2] = {x, y};
    const auto e = [&](int component, int axis) {
        return a.e.row(l, component, x - (axis == 0), y - (axis == 1)) - (axis == along_z) + first;
    };
    return {a.h.row(l, c, x, y) + first,
            e(q, p),
            e(q, -1),
            e(p, q),
            e(p, -1),
            a.mu.row(l, c, x, y) + first,
            nullptr,
            a.node[along_z] + first,
            p == along_z ? T(0) : a.node[p][at[p]],
            q == along_z ? T(0) : a.node[q][at[q]],
            a.dct,
            l.n[along_z] - first};
}

template <class T>
class Cpu final : public HostSolver<T> {
  public:
    Cpu(const Problem& problem, const Coefficients<T>& coefficients, int threads)
        : HostSolver<T>(problem, threads), fields_(this->arrays_.layout, threads) {
        this->use(fields_.data);
        this->use(coefficients);
    }

    void steps(int count) override {
        const int nx = this->nx();
        for (int step = 0; step < count; ++step) {
            add_current(this->arrays_, this->incident_.drive(), 0, nx, this->threads_);
            half_step(e_row<T>, first_e, widest_e_row<T>());
            half_step(h_row<T>, first_h, widest_h_row<T>());
            this->incident_.advance();
            set_ghosts(this->arrays_, this->incident_.wave(), 0, nx, this->threads_);
        }
    }

  private:
    template <class MakeRow, class DoRow>
    void half_step(MakeRow make, int (*first)(int, int), DoRow row) {
        const int nx = this->nx(), ny = this->arrays_.layout.n[1];
#pragma omp parallel for num_threads(this->threads_) schedule(static) collapse(2)
        for (int x = 0; x < nx; ++x)
            for (int y = 0; y < ny; ++y)
                for (int c = 0; c < 3; ++c)
                    if (x >= first(c, 0) && y >= first(c, 1)) row(make(this->arrays_, c, x, y), along(c));
    }

    OwnFields<T> fields_;
};

}  // namespace

template <class T>
std::unique_ptr<Solver<T>> cpu_openmp(const Problem& problem, const Coefficients<T>& coefficients,
                                      int threads) {
    return std::make_unique<Cpu<T>>(problem, coefficients, threads);
}

#define GRIDMARK_INSTANTIATE(T)           \
    template UpdateRow<T> widest_e_row(); \
    template UpdateRow<T> widest_h_row(); \
    template std::unique_ptr<Solver<T>> cpu_openmp(const Problem&, const Coefficients<T>&, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell

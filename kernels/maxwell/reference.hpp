#pragma once

#include "kernels/maxwell/host_solver.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"

/// What versions are verified against, and how far from it they may be.
namespace gridmark::maxwell {

/// The scheme as the paper prints it: six loops over whole fields, computed in T from coefficients of type C.
/// The planes of a loop do not depend on each other and may be shared by threads; the answer has the same
/// bits. `coefficients` must outlive it.
template <class T, class C = T>
class Reference final : public HostSolver<T> {
  public:
    Reference(const Problem& problem, const Coefficients<C>& coefficients, int threads = 1);
    void steps(int count) override;

  private:
    void advance_e(int c);
    void advance_h(int c);

    const Coefficients<C>& coefficients_;
    OwnFields<T> fields_;
};

/// How far T's rounding can take `steps` steps from exact ones, when no value is above `largest` at first.
/// Each half step multiplies earlier errors by no more than its coefficients, and adds its own roundings.
template <class T>
double rounding_bound(const Problem& problem, const Body& body, int steps, double largest);

}  // namespace gridmark::maxwell

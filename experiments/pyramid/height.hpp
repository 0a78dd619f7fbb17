#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/pyramid/stepper.hpp"
#include "harness/model/predict.hpp"

/// What a pass of h steps asks of a machine, and which height makes a step fastest. The time is
/// harness/model's.
///
/// It keeps the parts of the paper's estimate as corrected (cost_model.hpp): pieces, padding, and transfers
/// that a pass makes once for its h steps. In place of its two fitted costs stand a machine's ceilings. They
/// are measured with all of the GPU's cores at work, so mu is in them.
namespace gridmark::pyramid {

/// A version's passes over a rod, with s or a medium's three diagonals.
struct Passes {
    Version version;
    double s;
    bool is_medium = false;
};

/// Declares on a point what a step of passes of h steps solves and transfers.
template <class T>
void declare_pass(harness::Point& point, const Passes& passes, const GpuVariant<T>& solver,
                  const Pieces& pieces, int h);

/// A height, its pieces, and what is predicted of a step, in microseconds: of passes without end, whole and
/// in parts; `step`: of all steps, the last pass shorter. Of a solver that declares no demand, as another's
/// library, the solves are what its bytes take at least.
struct HeightEstimate {
    int height;
    Pieces pieces;
    double whole, solves, transfers;
    double step;
};

/// Of `steps` steps; of passes without end where 0.
template <class T>
HeightEstimate estimate_height(const Passes& passes, const GpuVariant<T>& solver,
                               const harness::MachineLimits& machine, const Pieces& pieces, int h, int steps);

/// Powers of two up to `most`, and `most`.
std::vector<int> heights_up_to(int most);

/// The highest height whose padding adds at most a tenth to the rows that a step solves; the lowest where all
/// add more. What can be said without ceilings: a pass moves the rod once, and a height pays with padding.
const HeightEstimate& highest_with_little_padding(std::span<const HeightEstimate> estimates);

/// The lowest height whose step takes at most 2 % more than the best one's. `estimates` in the order of
/// heights, at least one.
const HeightEstimate& best_height(std::span<const HeightEstimate> estimates);

}  // namespace gridmark::pyramid

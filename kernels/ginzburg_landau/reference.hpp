#pragma once

#include <span>
#include <vector>

#include "kernels/ginzburg_landau/problem.hpp"

namespace gridmark::ginzburg_landau {

/// The contract of every version: `steps` classical Runge-Kutta steps, serial, from a state of 2 n values;
/// returns the last state. In double it is the study's reference; in float it rounds as the versions do.
/// `largest`, where given, receives the largest absolute value of any state or stage.
template <class T>
std::vector<T> reference_solve(const Problem& problem, std::span<const T> state, int steps,
                               T* largest = nullptr);

}  // namespace gridmark::ginzburg_landau

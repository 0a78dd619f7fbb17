#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/ginzburg_landau/problem.hpp"

namespace gridmark::ginzburg_landau {

/// The contract of every version: `steps` classical Runge-Kutta steps, stage by stage, from a state of 2 n
/// values; returns the last state. In double it is the study's reference; in float it rounds as the versions
/// do. Threads share large states; the bits do not depend on how many there are.
/// `largest`, where given, receives the largest absolute value of any state or stage.
template <class T>
std::vector<T> reference_solve(const Problem& problem, std::span<const T> state, int steps,
                               T* largest = nullptr);

/// How far rounding to T may take a run of many steps from `exact`, the double reference's answer, in any
/// value: four times as far as it takes the reference to move every value of every step's state by up to four
/// roundings of T at random. rounding_bound() bounds the worst case, in which no two errors ever cancel, and
/// means nothing after many steps; this asks the equation itself what it makes of errors.
template <class T>
double rounding_spread(const Problem& problem, std::span<const T> start, int steps,
                       std::span<const double> exact, std::uint64_t seed);

}  // namespace gridmark::ginzburg_landau

#pragma once

#include <cstddef>
#include <span>

#include "kernels/pyramid/pieces.hpp"

/// The paper's estimate of a run's time,
///   tau = 2 (T I / (M - 2 r)) (2 M / mu + log2(M / mu)) tau_CR + 2 (M - r) (T I / (M - 2 r)) tau_T,
/// with I values, T steps, pieces of M values padded by r at either side, and mu cores. As printed its second
/// term lacks the 1 / h of a pass that advances h steps: height would bring nothing. Both forms are kept.
namespace gridmark::pyramid {

/// Times of a reduction on one core and of moving one value, in one unit.
struct Costs {
    double reduction, transfer;
};

enum class Form { printed, corrected };

/// Time of a step in passes of h steps over these pieces on mu cores. A last, shorter piece counts as a part
/// of a piece: there are I / (M - 2 r) in all.
double step_time(const Costs& costs, const Pieces& pieces, int h, double mu, Form form);

/// A measured step.
struct Timed {
    Pieces pieces;
    int height;
    double time;
};

/// The costs, none below 0, that make the form's relative errors smallest (by least squares). Needs two steps
/// of different heights.
Costs fit(std::span<const Timed> steps, double mu, Form form = Form::corrected);

}  // namespace gridmark::pyramid

#include "kernels/pyramid/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace gridmark::pyramid {
namespace {

/// What the two costs are multiplied with.
Costs amounts(const Pieces& pieces, int h, double mu, Form form) {
    const auto m = static_cast<double>(pieces.longest()),
               count = static_cast<double>(pieces.n) / static_cast<double>(pieces.length);
    const double moved = 2 * (m - static_cast<double>(pieces.padding)) * count;
    return {2 * (2 * m / mu + std::log2(m / mu)) * count, form == Form::printed ? moved : moved / h};
}

}  // namespace

double step_time(const Costs& costs, const Pieces& pieces, int h, double mu, Form form) {
    const Costs a = amounts(pieces, h, mu, form);
    return a.reduction * costs.reduction + a.transfer * costs.transfer;
}

Costs fit(std::span<const Timed> steps, double mu, Form form) {
    // Normal equations of (a.reduction x + a.transfer y) / time = 1.
    double rr = 0, rt = 0, tt = 0, r1 = 0, t1 = 0;
    for (const Timed& step : steps) {
        const Costs a = amounts(step.pieces, step.height, mu, form);
        const double r = a.reduction / step.time, t = a.transfer / step.time;
        rr += r * r;
        rt += r * t;
        tt += t * t;
        r1 += r;
        t1 += t;
    }
    const double determinant = rr * tt - rt * rt;
    const Costs free{(r1 * tt - t1 * rt) / determinant, (t1 * rr - r1 * rt) / determinant};
    if (free.reduction < 0) return {0, t1 / tt};
    if (free.transfer < 0) return {r1 / rr, 0};
    return free;
}

}  // namespace gridmark::pyramid

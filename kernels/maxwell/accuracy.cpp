#include "kernels/maxwell/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "kernels/maxwell/cases.hpp"
#include "kernels/maxwell/cpu.hpp"
#include "kernels/maxwell/reference.hpp"

namespace gridmark::maxwell {
namespace {

using Complex = std::complex<double>;

constexpr double length = 62, front = 30, back = 32, index_of_refraction = 2, pulse = 4;
constexpr double wave_lengths[] = {1.8, 2.3};
/// Where the reflected and the transmitted wave are looked at, until the lagged boundaries at the grid's ends
/// answer, with their first order.
constexpr double before_plate = 26, behind_plate = 36, last_moment = 2 * front + before_plate - 2;
static_assert(last_moment < 2 * length - behind_plate);

Complex turn(double angle) {
    return std::polar(1.0, angle);
}

/// The exact shares of a wave, with the phase of the reflected one at the front, and that of the transmitted
/// one less what the way through vacuum would have given.
Complex reflected_share(double k) {
    constexpr double r = (1 - index_of_refraction) / (1 + index_of_refraction);
    const Complex through = turn(2 * index_of_refraction * k * (back - front));
    return r * (1.0 - through) / (1.0 - r * r * through);
}
Complex transmitted_share(double k) {
    constexpr double r = (1 - index_of_refraction) / (1 + index_of_refraction);
    const Complex through = turn(index_of_refraction * k * (back - front));
    return (1 - r * r) * through / (1.0 - r * r * through * through) * turn(-k * (back - front));
}

/// Sideways the cells are long: what the plate's ends do wrong does not reach the middle in time.
Grid long_grid(double along_z, int cells_per_unit) {
    Grid grid = uniform_grid(5, 5, static_cast<int>(along_z) * cells_per_unit + 1, 1.0 / cells_per_unit);
    for (int axis = 0; axis < 2; ++axis)
        for (int i = 0; i < grid.n(axis); ++i)
            grid.nodes[axis][i] = 16.0 * i;
    return grid;
}

Problem pulse_on(const Grid& grid, const Body& body, int cells_per_unit) {
    // The same share of a cell for all, so that refinement refines time, too.
    const double dct = 0.5 / cells_per_unit;
    if (dct > stable_dct(grid, body)) throw std::logic_error("an unstable step");
    return {grid, dct, {{1, 0}, std::numbers::pi, pulse}};
}

}  // namespace

PlateErrors plate_errors(int cells_per_unit) {
    const Grid grid = long_grid(length, cells_per_unit);
    Body body = empty_box(grid);
    body.materials.push_back({index_of_refraction * index_of_refraction, 1, 0});
    for (int x = 0; x < grid.n(0) - 1; ++x)
        for (int y = 0; y < grid.n(1) - 1; ++y)
            for (int z = static_cast<int>(front) * cells_per_unit;
                 z < static_cast<int>(back) * cells_per_unit; ++z)
                body.cells[body.index(grid, x, y, z)] = 1;
    const auto coefficients = average<double>(grid, body, 1);
    const Problem problem = pulse_on(grid, body, cells_per_unit);
    const auto solver = cpu_openmp<double>(problem, coefficients, 1);
    Problem thin = problem;
    thin.grid.nodes[0] = thin.grid.nodes[1] = {0, 1};
    const auto nothing = average<double>(thin.grid, empty_box(thin.grid), 1);
    Reference<double> incident(thin, nothing);

    const int at[] = {static_cast<int>(before_plate) * cells_per_unit,
                      static_cast<int>(behind_plate) * cells_per_unit};
    Complex sent[2][2] = {}, scattered[2] = {}, passed[2] = {};  // [wave length] of the Fourier sums
    for (int step = 1; step <= static_cast<int>(last_moment / problem.dct); ++step) {
        solver->steps(1);
        incident.steps(1);
        const double wave[] = {incident.wave().e[0][at[0]], incident.wave().e[0][at[1]]};
        for (int w = 0; w < 2; ++w) {
            const Complex phase = turn(2 * std::numbers::pi / wave_lengths[w] * step * problem.dct);
            for (int place = 0; place < 2; ++place)
                sent[w][place] += phase * wave[place];
            scattered[w] += phase * (solver->value(0, 2, 2, at[0]) - wave[0]);
            passed[w] += phase * solver->value(0, 2, 2, at[1]);
        }
    }
    PlateErrors errors;
    for (int w = 0; w < 2; ++w) {
        const double k = 2 * std::numbers::pi / wave_lengths[w];
        const Complex reflected = scattered[w] / sent[w][0] * turn(-2 * k * (front - before_plate));
        errors.reflected = std::max(errors.reflected, std::abs(reflected - reflected_share(k)));
        errors.transmitted =
            std::max(errors.transmitted, std::abs(passed[w] / sent[w][1] - transmitted_share(k)));
        errors.reflects = std::max(errors.reflects, std::abs(reflected));
    }
    return errors;
}

double boundary_reflection(int cells_per_unit) {
    constexpr double end = 16, place = 8;
    // The pulse has passed the place, and not come back yet; then what has come back has passed it.
    constexpr double passed = place + pulse + 1, last = 2 * end - place + pulse;
    static_assert(passed < 2 * end - place);
    const Grid grid = long_grid(end, cells_per_unit);
    const Body body = empty_box(grid);
    const auto vacuum = average<double>(grid, body, 1);
    const Problem problem = pulse_on(grid, body, cells_per_unit);
    const auto solver = cpu_openmp<double>(problem, vacuum, 1);
    double sent = 0, came_back = 0;
    for (int step = 1; step <= static_cast<int>(last / problem.dct); ++step) {
        solver->steps(1);
        const double e = std::abs(solver->value(0, 2, 2, static_cast<int>(place) * cells_per_unit));
        double& largest = step * problem.dct < passed ? sent : came_back;
        largest = std::max(largest, e);
    }
    return came_back / sent;
}

double mean_boundary_reflection(int cells_per_unit) {
    constexpr double end = 16, place = 8, passed = place + pulse + 1, last = 2 * end - place + pulse;
    constexpr double courant = 0.35;  // stable up to some 0.4
    const int nodes = static_cast<int>(end) * cells_per_unit + 1;
    const auto at = static_cast<std::size_t>(place) * cells_per_unit;
    std::vector<double> e(nodes), h(nodes + 1);  // h[k] lies before e[k]; the first and the last are ghosts
    double sent = 0, came_back = 0;
    for (int step = 1; step * courant / cells_per_unit < last; ++step) {
        const double time = (step - 0.5) * courant / cells_per_unit;
        // The end cells are half as long. What enters is a pulse of two waves, softly begun and ended.
        const double phase = std::numbers::pi * std::min(time / pulse, 1.0);
        e.front() += 2 * courant * std::pow(std::sin(phase), 2) * std::sin(pulse * phase);
        for (int k = 0; k < nodes; ++k)
            e[k] -= (k == 0 || k == nodes - 1 ? 2 : 1) * courant * (h[k + 1] - h[k]);
        for (int k = 1; k < nodes; ++k)
            h[k] -= courant * (e[k] - e[k - 1]);
        h.front() = -2 * e.front() - h[1];
        h.back() = 2 * e.back() - h[nodes - 1];
        double& largest = time < passed ? sent : came_back;
        largest = std::max(largest, std::abs(e[at]));
    }
    return came_back / sent;
}

double observed_order(double coarse, double fine) {
    return std::log2(coarse / fine);
}

}  // namespace gridmark::maxwell

#include <fmt/format.h>

#include "harness/availability.hpp"
#include "harness/ranks/ranked_field.hpp"
#include "kernels/jacobi/problem.hpp"
#include "kernels/jacobi/ranks.hpp"
#include "kernels/precision.hpp"

/// The channel cut among ranks (`run --ranks`, `solve --ranks`).
namespace gridmark::jacobi {
namespace {

using harness::Settings;

Problem problem_of(const Settings& settings, int times) {
    const auto nx = settings.integer("nx", 512, 3, 1 << 24), ny = settings.integer("ny", 256, 3, 1 << 24);
    if (ny * times >= 1LL << 31) throw std::invalid_argument("ny must be below 2^31");
    return channel_among_ranks(static_cast<int>(nx), static_cast<int>(ny * times));
}

harness::Axes axes(harness::Preset preset) {
    const std::string side = preset == harness::Preset::quick ? "2048" : "16384";
    return {{{"nx", {side}}, {"ny", {side}}, {"precision", {"float"}}}, {}};
}

template <class T>
harness::RankGrid grid_in(const Problem& p) {
    const double points = static_cast<double>(p.nx) * p.ny;
    return {.box = grid_box(p),
            .order = {0, 1, 2},
            .word = fmt::format("{}x{}/{}", p.nx, p.ny, harness::precision_name<T>),
            .parameters = {{"nx", std::int64_t{p.nx}},
                           {"ny", std::int64_t{p.ny}},
                           {"precision", harness::precision_name<T>}},
            .bytes = points * bytes_per_point<T>,
            .flops = points * flops_per_point,
            .memory = 3 * points * sizeof(T),
            .stages = {{sweep_reach(), 1}},
            .state_fields = 1,
            .value_bytes = sizeof(T)};
}

harness::RankGrid grid(const Settings& settings, int times) {
    const Problem problem = problem_of(settings, times);
    return harness::in_precision(settings, [&](auto zero) { return grid_in<decltype(zero)>(problem); });
}

/// Psi at a window after some sweeps, by the reference on the window and all points that reach it. What the
/// edges of that smaller channel do wrong comes no further than the sweeps carry it.
template <class T>
std::vector<double> reference_at(const Problem& p, std::uint64_t seed, int sweeps, const ranks::Box& window) {
    const ranks::Reach reach{{sweeps + 1, sweeps + 1, 0}, {sweeps + 1, sweeps + 1, 0}};
    const ranks::Box around = common(grown(window, reach), grid_box(p));
    const int left = around.low[0], bottom = around.low[1];
    Problem part = p;
    part.nx = around.size(0);
    part.ny = around.size(1);
    part.body = {p.body.x1 - left, p.body.y1 - bottom, p.body.x2 - left, p.body.y2 - bottom};
    Storage<double> psi(around.points()), omega(around.points());
    for (int j = 0; j < part.ny; ++j)
        for (int i = 0; i < part.nx; ++i) {
            const std::size_t at = i + static_cast<std::size_t>(j) * part.nx;
            psi[at] = static_cast<T>(initial_psi_at(p, seed, left + i, bottom + j));
            omega[at] =
                static_cast<T>(random_omega_at(seed, left + i + static_cast<std::size_t>(bottom + j) * p.nx));
        }
    const auto answer = reference_solve(part, psi, omega, sweeps);
    std::vector<double> values;
    for (int j = window.low[1]; j < window.high[1]; ++j)
        for (int i = window.low[0]; i < window.high[0]; ++i)
            values.push_back(answer[(i - left) + static_cast<std::size_t>(j - bottom) * part.nx]);
    return values;
}

template <class T>
std::unique_ptr<harness::Ranked> make_in(const harness::RankRequest& r, const Problem& p) {
    const ranks::Cut cut(grid_box(p), r.parts);
    const ranks::Box stored =
        ranks::Stepping<T>::stored_box(cut, r.transport.rank(), sweep_reach(), r.steps_per_exchange);
    const int sweeps = harness::checked_steps(r.steps_per_exchange);
    harness::RankedCase<T> field{
        .part = r.device == nullptr ? cpu_part<T>(p, stored, r.seed, r.threads)
                                    : gpu_part<T>(*r.device, p, stored, r.seed),
        .steps = sweeps,
        // Psi starts between -0.1 and 1.1.
        .tolerance = rounding_bound<T>(sweeps, 1.1, std::abs(coefficients<double>(p).c)),
        .reference = [p, seed = r.seed, sweeps](const ranks::Box& window) {
            return std::vector<std::vector<double>>{reference_at<T>(p, seed, sweeps, window)};
        }};
    return std::make_unique<harness::RankedField<T>>(r, cut, std::move(field));
}

std::unique_ptr<harness::Ranked> make(const harness::RankRequest& request, int times) {
    const Problem problem = problem_of(request.settings, times);
    return harness::in_precision(request.settings,
                                 [&](auto zero) { return make_in<decltype(zero)>(request, problem); });
}

}  // namespace

extern const harness::RankedStudy ranked_study;
const harness::RankedStudy ranked_study{axes, {"nx", "ny", "precision"}, grid, make};

}  // namespace gridmark::jacobi

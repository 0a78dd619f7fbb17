#include "kernels/heat/ranks.hpp"

#include <fmt/format.h>

#include "experiments/heat/case.hpp"
#include "harness/availability.hpp"
#include "harness/points.hpp"
#include "harness/ranks/ranked_field.hpp"
#include "kernels/heat/reference.hpp"

/// The tissue cut among ranks (`run --ranks`, `solve --ranks`).
namespace gridmark::heat {
namespace {

using harness::Settings;

constexpr int longest = 1 << 24;  // a side

const std::set<std::string> ranked_keys{"n",  "nx", "ny", "nz",       "precision", "dt",
                                        "dx", "dy", "dz", "boundary", "start"};

Problem problem_of(const Settings& settings, int times) {
    const Size size = harness::grid_size_of(settings, 256, longest);
    if (static_cast<long long>(size.nz) * times > longest)
        throw std::invalid_argument("nz must be at most 2^24");
    const double dx = settings.number("dx", 1e-3);
    return tissue_among_ranks(size.nx, size.ny, size.nz * times, settings.number("dt", 1e-4),
                              {dx, settings.number("dy", dx), settings.number("dz", dx)},
                              settings.number("boundary", 37.0));
}

harness::Axes sizes_of(harness::Preset preset) {
    return {{{"n", {preset == harness::Preset::quick ? "128" : "512"}}, {"precision", {"float"}}}, {}};
}

template <class T>
harness::RankGrid grid_in(const Problem& p) {
    const auto points = static_cast<double>(p.points());
    return {.box = grid_box(p),
            .order = {0, 1, 2},
            .word = fmt::format("{}x{}x{}/{}", p.nx, p.ny, p.nz, harness::precision_name<T>),
            .parameters = {{"nx", std::int64_t{p.nx}},
                           {"ny", std::int64_t{p.ny}},
                           {"nz", std::int64_t{p.nz}},
                           {"precision", harness::precision_name<T>}},
            .bytes = points * bytes_per_point<T>,
            .flops = points * flops_per_point,
            .memory = 3 * points * sizeof(T),
            .stages = {{star_reach(), 1}},
            .state_fields = 1,
            .value_bytes = sizeof(T)};
}

harness::RankGrid grid(const Settings& settings, int times) {
    const Problem problem = problem_of(settings, times);
    return harness::in_precision(settings, [&](auto zero) { return grid_in<decltype(zero)>(problem); });
}

/// The temperature at a window after some steps, by the reference on the window and all points that reach it.
/// The fixed temperature outside of that smaller tissue comes no further than the steps carry it.
template <class T>
std::vector<double> reference_at(const Problem& p, const StartFunction<T>& start, int steps,
                                 const ranks::Box& window) {
    const int reach = 2 * (steps + 1);
    const ranks::Box around =
        common(grown(window, {{reach, reach, reach}, {reach, reach, reach}}), grid_box(p));
    Problem part = p;
    part.nx = around.size(0);
    part.ny = around.size(1);
    part.nz = around.size(2);
    std::vector<T> t0, beta;
    for (int k = around.low[2]; k < around.high[2]; ++k)
        for (int j = around.low[1]; j < around.high[1]; ++j)
            for (int i = around.low[0]; i < around.high[0]; ++i) {
                const StartPoint<T> point = start(i, j, k);
                t0.push_back(point.temperature);
                beta.push_back(point.beta);
            }
    const auto from = [&](int axis) { return window.low[axis] - around.low[axis]; };
    return reference_window<T>(part, t0, beta, {from(0), from(1), from(2)},
                               {window.size(0), window.size(1), window.size(2)}, steps);
}

template <class T>
std::unique_ptr<harness::Ranked> make_in(const harness::RankRequest& r, const Problem& p) {
    const bool random = r.settings.word("start", "random", {"random", "phantom"}) == "random";
    const StartFunction<T> start = [p, random, seed = r.seed](int i, int j, int k) {
        return random ? random_start_at<T>(p, seed, random_ratio, i, j, k) : phantom_at<T>(p, seed, i, j, k);
    };
    const ranks::Cut cut(grid_box(p), r.parts);
    const ranks::Box stored = stored_box(p, cut.own(r.transport.rank()), r.steps_per_exchange);
    const int steps = harness::checked_steps(r.steps_per_exchange);
    harness::RankedCase<T> field{
        .part = r.device == nullptr ? cpu_part<T>(p, stored, start, r.threads)
                                    : gpu_part<T>(*r.device, p, stored, start),
        .steps = steps,
        .tolerance = rounding_bound<T>(steps, hottest, random_ratio),
        .reference = [p, start, steps](const ranks::Box& window) {
            return std::vector<std::vector<double>>{reference_at<T>(p, start, steps, window)};
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
const harness::RankedStudy ranked_study{sizes_of, ranked_keys, grid, make};

}  // namespace gridmark::heat

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/jacobi/points.hpp"
#include "experiments/jacobi/stepper.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/ranks/plan.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::jacobi {

extern const harness::RankedStudy ranked_study;

namespace {

using harness::Settings;
using harness::Solution;
using harness::SolveRequest;
using harness::UsageError;

/// Start, source, both of a stepper and its own copy of the source, the last two fields, and what is written.
constexpr double host_arrays = 10;

/// How many sweeps lie between two looks at the residual.
constexpr int look_every = 500;

template <class T>
double largest_change(const std::vector<T>& a, const std::vector<T>& b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        most = std::max(most, std::abs(static_cast<double>(a[k]) - b[k]));
    return most;
}

/// The last field, and what of it a user asks for.
template <class T>
struct Answer {
    std::vector<T> psi;
    int iterations = 0;
    double largest_last_change = 0;
};

/// Sweeps until `iterations` are done or, where a residual is asked for, no point moves by more than it in
/// one sweep. The last sweep before a look is a launch of its own: the field before it is wanted as well.
template <class T>
Answer<T> advance(Stepper<T>& stepper, const std::vector<T>& psi0, int iterations, double residual) {
    Answer<T> answer{psi0};
    std::vector<T> previous(psi0.size());
    stepper.start(psi0, psi0);
    while (answer.iterations < iterations) {
        const int left = iterations - answer.iterations,
                  count = residual > 0 ? std::min(look_every, left) : left;
        stepper.steps(count - 1);
        stepper.read(previous);
        stepper.steps(1);
        stepper.read(answer.psi);
        answer.iterations += count;
        answer.largest_last_change = largest_change(answer.psi, previous);
        if (residual > 0 && answer.largest_last_change <= residual) break;
    }
    return answer;
}

template <class T>
Answer<T> advance(const SolveRequest& request, const Settings& settings, const Problem& p,
                  const Tiling& tiling, const std::vector<T>& psi0, const std::vector<T>& omega,
                  int iterations, double residual) {
    const std::optional<launch::Carveout> requested = carveout_of(settings);
    if (request.ranks != nullptr) {
        settings.refuse({"omega", "tile_y", "block_y", "tile", "block", "carveout"}, "--ranks");
        const std::map<std::string, std::string> set{{"nx", std::to_string(p.nx)},
                                                     {"ny", std::to_string(p.ny)},
                                                     {"precision", harness::precision_name<T>}};
        const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
        return advance(*harness::ranked_stepper<T>(request, "jacobi", ranked_study, set, settings, seed),
                       psi0, iterations, residual);
    }
    if (request.device == nullptr)
        return advance(*cpu_stepper<T>(p, request.variant, request.threads, omega), psi0, iterations,
                       residual);
    launch::Device& device = *request.device;
    const launch::Buffer<T> source(device, std::span<const T>(omega));
    const launch::Carveout carveout =
        requested.value_or(find_gpu_variant<T>(device.executor(), request.variant)->carveout);
    return advance(*gpu_stepper<T>(device, p, request.variant, tiling, carveout, source.data()), psi0,
                   iterations, residual);
}

template <class T>
Solution solve_in(const SolveRequest& request, const Settings& settings, const Problem& p,
                  const Tiling& tiling) {
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    const int iterations = static_cast<int>(settings.integer("iterations", 1000, 0, 100'000'000));
    const std::string source = settings.word("omega", "random", {"random", "zero"});
    const double residual = settings.number("residual", 0);
    if (residual < 0) throw UsageError("--set residual: must not be negative");

    harness::require_memory(fmt::format("--set nx, ny: {} x {} points", p.nx, p.ny),
                            host_arrays * static_cast<double>(p.nx) * p.ny * sizeof(T));

    const auto made_psi = initial_psi<T>(p, seed), made_omega = random_omega<T>(p, seed);
    const std::vector<T> psi0(made_psi.begin(), made_psi.end());
    std::vector<T> omega(made_omega.begin(), made_omega.end());
    if (source == "zero") std::fill(omega.begin(), omega.end(), T{0});

    auto answer = advance(request, settings, p, tiling, psi0, omega, iterations, residual);

    const auto k = coefficients<T>(p);
    Solution solution;
    solution.parameters = {{"nx", p.nx},
                           {"ny", p.ny},
                           {"hx", p.hx},
                           {"hy", p.hy},
                           {"a", k.a},
                           {"b", k.b},
                           {"c", k.c},
                           {"body_x1", p.body.x1},
                           {"body_y1", p.body.y1},
                           {"body_x2", p.body.x2},
                           {"body_y2", p.body.y2},
                           {"tile_y", tiling.tile_y},
                           {"block_y", tiling.block_y},
                           {"precision", sizeof(T) == sizeof(float) ? "float" : "double"},
                           {"seed", seed},
                           {"omega", source},
                           {"residual", residual},
                           {"variant", request.variant},
                           {"iterations", answer.iterations},
                           {"largest_last_change", answer.largest_last_change}};

    const std::vector<std::size_t> sizes{static_cast<std::size_t>(p.ny), static_cast<std::size_t>(p.nx)};
    solution.fields = {{"psi", sizes, std::move(answer.psi)},
                       {"psi0", sizes, psi0},
                       {"omega", sizes, omega},
                       {"mask", sizes, mask(p)}};
    return solution;
}

}  // namespace

std::set<std::string> solve_keys() {
    return {"nx",   "ny",    "iterations", "tile_y",   "block_y",  "tile", "block",
            "seed", "omega", "precision",  "residual", "carveout", "cut",  "steps_per_exchange"};
}

Solution solve(const SolveRequest& request) {
    if (request.input) throw UsageError("--input: jacobi makes its own start; it reads no file");
    const Settings settings(request.set, solve_keys());
    const Tiling tiling{side_of(settings, "tile", 32), side_of(settings, "block", 4)};
    const Problem p = channel(static_cast<int>(settings.integer("nx", 512, 3, 1 << 24)),
                              static_cast<int>(settings.integer("ny", 256, 3, 1 << 24)));
    return harness::in_precision(
        settings, [&](auto zero) { return solve_in<decltype(zero)>(request, settings, p, tiling); });
}

}  // namespace gridmark::jacobi

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/ginzburg_landau/stepper.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"
#include "kernels/ginzburg_landau/problem.hpp"

namespace gridmark::ginzburg_landau {
namespace {

using harness::Settings;
using harness::Solution;
using harness::SolveRequest;
using harness::UsageError;

constexpr int default_block = 128;
constexpr int default_n = 16384;
constexpr int most_n = 1 << 29;

/// Values a pair: start, last and what is written, and a stepper's states and stages.
constexpr double host_arrays = 20;
/// Of a frame, which lies in an array that grows by doubling.
constexpr double frame_arrays = 3;

/// The problem that the settings describe, of n pairs where they do not say how many.
Problem problem_of(const Settings& settings, int n) {
    const Problem defaults = medium(2);
    const Problem p = medium(static_cast<int>(settings.integer("n", n, 2, most_n)),
                             settings.number("dt", defaults.dt), settings.number("d", defaults.d),
                             settings.number("a", defaults.a), settings.number("b", defaults.b));
    const double stable = stable_dt(p);
    if (stable == 0)
        throw std::invalid_argument(
            fmt::format("no dt is stable with d {:g}, a {:g} and b {:g}", p.d, p.a, p.b));
    if (stable < p.dt)
        throw std::invalid_argument(
            fmt::format("dt {:g} is unstable with d {:g}, a {:g} and b {:g}; choose dt <= {:.3g}", p.dt, p.d,
                        p.a, p.b, 0.999 * stable));
    return p;
}

/// A start, the problem of its size, and what a result file says of the start beside it.
template <class T>
struct Start {
    Problem problem;
    std::vector<T> state;
    nlohmann::json about;
};

/// The start in the datasets /u0 and /v0 of an HDF5 file, both [n].
template <class T>
Start<T> start_from_file(const std::filesystem::path& path, const Settings& settings) {
    settings.refuse({"start", "seed"}, "--input");
    auto fields = harness::read_input<T>(path, {{"u0", 1}, {"v0", 1}});
    const std::size_t n = fields[0].values.size(), other = fields[1].values.size();
    if (n != other)
        throw UsageError(
            fmt::format("{}: /u0 is [{}] and /v0 [{}]; they must be of one size", path.string(), n, other));
    if (n < 2 || n > most_n)
        throw UsageError(
            fmt::format("{}: /u0 is [{}]; between 2 and {} points are possible", path.string(), n, most_n));
    const Problem p = problem_of(settings, static_cast<int>(n));
    if (static_cast<std::size_t>(p.n) != n)
        throw UsageError(fmt::format("--set n: {} holds {} points", path.string(), n));
    std::vector<T> state = std::move(fields[0].values);
    state.insert(state.end(), fields[1].values.begin(), fields[1].values.end());
    return {p, std::move(state), {{"start", "input"}, {"input", path.filename().string()}}};
}

template <class T>
Start<T> made_start(const Settings& settings) {
    const Problem p = problem_of(settings, default_n);
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    const std::string kind = settings.word("start", "random", {"random", "wave"});
    return {p,
            kind == "random" ? random_state<T>(p, seed, 0.1) : wave_state<T>(p, 4),
            {{"start", kind}, {"seed", seed}}};
}

template <class T>
std::unique_ptr<Stepper<T>> stepper_of(const SolveRequest& request, const Problem& p, int block) {
    if (request.device == nullptr) return cpu_stepper<T>(p, request.variant, request.threads);
    return gpu_stepper<T>(*request.device, p, request.variant, block);
}

/// u or v of a state.
template <class T>
std::vector<T> half_of(const std::vector<T>& state, int which) {
    const auto n = static_cast<std::ptrdiff_t>(state.size() / 2);
    return {state.begin() + which * n, state.begin() + (which + 1) * n};
}

/// The state after `steps` steps, and |W| after each of `frames` equal parts of them and before the first.
template <class T>
struct History {
    std::vector<T> last, amplitude;

    History(Stepper<T>& stepper, std::vector<T> start, int steps, int frames) : last(std::move(start)) {
        if (frames == 0) {
            harness::advance(stepper, last, steps);
            return;
        }
        stepper.start(last, last);
        add_frame();
        for (int frame = 0; frame < frames; ++frame) {
            stepper.steps(steps / frames);
            stepper.read(last);
            add_frame();
        }
    }

  private:
    void add_frame() {
        const std::size_t n = last.size() / 2;
        for (std::size_t i = 0; i < n; ++i)
            amplitude.push_back(std::hypot(last[i], last[n + i]));
    }
};

template <class T>
Solution solve_in(const SolveRequest& request, const Settings& settings) {
    const int block = static_cast<int>(settings.integer("block", default_block, 1, 1024));
    const int steps = static_cast<int>(settings.integer("steps", 30000, 0, 1'000'000'000)),
              frames = static_cast<int>(settings.integer("frames", 0, 0, 100'000));
    if (frames > 0 && steps % frames != 0)
        throw UsageError(fmt::format("--set frames: {} does not divide {} steps", frames, steps));
    const auto require_memory = [&](int n) {
        harness::require_memory(
            fmt::format("--set n, frames: {} pairs and {} frames of them", n, frames),
            static_cast<double>(n) * sizeof(T) * (host_arrays + frame_arrays * static_cast<double>(frames)));
    };
    if (!request.input) require_memory(problem_of(settings, default_n).n);
    const auto [p, start, about] =
        request.input ? start_from_file<T>(*request.input, settings) : made_start<T>(settings);
    require_memory(p.n);
    auto [last, amplitude] = History<T>(*stepper_of<T>(request, p, block), start, steps, frames);
    if (!std::all_of(last.begin(), last.end(), [](T value) { return std::isfinite(value); }))
        throw UsageError(fmt::format("the state left the range of {}", harness::precision_name<T>));

    Solution solution;
    solution.parameters = {{"n", p.n},
                           {"steps", steps},
                           {"dt", p.dt},
                           {"d", p.d},
                           {"a", p.a},
                           {"b", p.b},
                           {"block", block},
                           {"precision", harness::precision_name<T>},
                           {"variant", request.variant}};
    solution.parameters.update(about);
    const std::vector<std::size_t> size{static_cast<std::size_t>(p.n)};
    solution.fields = {{"u", size, half_of(last, 0)},
                       {"v", size, half_of(last, 1)},
                       {"u0", size, half_of(start, 0)},
                       {"v0", size, half_of(start, 1)}};
    if (frames > 0) {
        const int steps_a_frame = steps / frames;
        solution.parameters.update({{"frames", frames}, {"frame_time", p.dt * steps_a_frame}});
        solution.fields.push_back(
            {"amplitude", {static_cast<std::size_t>(frames) + 1, size.front()}, std::move(amplitude)});
    }
    return solution;
}

}  // namespace

std::set<std::string> solve_keys() {
    return {"n", "steps", "dt", "d", "a", "b", "block", "precision", "seed", "start", "frames"};
}

Solution solve(const SolveRequest& request) {
    const Settings settings(request.set, solve_keys());
    return harness::in_precision(
        settings, [&](auto zero) { return solve_in<decltype(zero)>(request, settings); }, "double");
}

}  // namespace gridmark::ginzburg_landau

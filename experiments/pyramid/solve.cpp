#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/pyramid/case.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/pieces.hpp"
#include "kernels/pyramid/thomas.hpp"

namespace gridmark::pyramid {
namespace {

using harness::Settings;
using harness::Solution;
using harness::SolveRequest;
using harness::UsageError;

/// The start, the answer, two fields in pinned memory and what is written, of n values each.
constexpr double host_arrays = 6;

/// What was requested.
struct Request {
    Problem problem;
    int steps, height;
    std::size_t device_values;
    double tolerance;
    std::int64_t padding;  ///< -1: as much as the tolerance needs
    std::uint64_t seed;
    std::string start;
};

/// Values of device memory: `device_values`, or as many as `budget_mib` MiB hold.
template <class T>
std::size_t device_values_of(const Settings& settings) {
    const double budget = settings.number("budget_mib", 0);
    if (budget == 0) return static_cast<std::size_t>(settings.integer("device_values", 8192, 1, 1LL << 40));
    settings.refuse({"device_values"}, "budget_mib");
    const double values = budget * 0x1p20 / sizeof(T);
    if (!(values >= 1 && values <= 0x1p40))
        throw UsageError(fmt::format("--set budget_mib={:g}: must hold a value, and at most 2^40", budget));
    return static_cast<std::size_t>(values);
}

template <class T>
Request read(const Settings& settings) {
    const Problem problem =
        rod(static_cast<std::size_t>(settings.integer("n", 20000, 1, 1LL << 40)), settings.number("s", 1));
    const int steps = static_cast<int>(settings.integer("steps", 64, 0, 1'000'000'000)),
              height = static_cast<int>(settings.integer("height", 16, 1, 1'000'000));
    harness::require_memory(fmt::format("--set n: {} values", problem.n),
                            host_arrays * static_cast<double>(problem.n) * sizeof(T));
    return {problem,
            steps,
            std::max(1, std::min(height, steps)),
            device_values_of<T>(settings),
            settings.number("tolerance", 1e-6),
            settings.integer("padding", -1, 0, 1LL << 40),
            static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53)),
            settings.word("start", "random", {"random", "sine"})};
}

template <class T>
std::vector<T> start_of(const Request& request) {
    std::vector<T> u(request.problem.n);
    for (std::size_t i = 0; i < u.size(); ++i)
        u[i] = request.start == "random"
                   ? start_value<T>(request.seed, i)
                   : static_cast<T>(std::sin(std::numbers::pi * static_cast<double>(i + 1) /
                                             static_cast<double>(u.size() + 1)));
    return u;
}

/// The requested padding, or the minimal one with which the errors of all passes stay below `truncation`.
std::size_t padding_for(const Request& r, double truncation) {
    if (r.padding >= 0) return static_cast<std::size_t>(r.padding);
    // More than the device holds would take long to find, and be refused then.
    if (const double spread = std::sqrt(2 * r.problem.s * r.height);
        spread > static_cast<double>(r.device_values))
        throw UsageError(
            fmt::format("--set height: {} steps with s {:g} spread a value over {:.0f} others, more than "
                        "device_values {}",
                        r.height, r.problem.s, spread, r.device_values));
    const int passes = std::max(1, (r.steps + r.height - 1) / r.height);
    return minimal_padding(r.problem.s, r.height, truncation / passes);
}

/// Pieces with the requested padding, or with one that keeps the tolerance, rounding included.
template <class T>
Pieces pieces_for_tolerance(const Request& r, const Version& version, const GpuVariant<T>& solver) {
    const double rounding = solver.rounding * rounding_bound<T>(r.problem.s, r.steps);
    if (r.padding < 0 && !(r.tolerance > 2 * rounding && r.tolerance <= 1))
        throw UsageError(
            fmt::format("--set tolerance: {:g} must lie above {:.2g}, twice what rounding to {} "
                        "can do in {} steps, and at most at 1",
                        r.tolerance, 2 * rounding, harness::precision_name<T>, r.steps));
    const Pieces whole{r.problem.n, r.problem.n, 0};
    if (device_values_of(version, solver, whole) <= r.device_values) return whole;
    return pieces_of(version, solver, r.problem.n, padding_for(r, r.tolerance - rounding), r.device_values);
}

/// A stepper and how it cuts the rod.
template <class T>
struct Setup {
    Pieces pieces;
    std::unique_ptr<Stepper<T>> stepper;
};

template <class T>
Setup<T> setup_for(const SolveRequest& request, launch::Device& device, const Request& r) {
    if (find_cpu_variant(request.variant) != nullptr)
        return {{r.problem.n, r.problem.n, 0}, cpu_stepper<T>(r.problem, request.variant, request.threads)};
    const Version version = version_of(request.variant);
    const auto& solver = *find_gpu_variant<T>(device.executor(), version.solver);
    if (const std::string why = solver.unavailable_reason(r.problem.s); !why.empty())
        throw UsageError(fmt::format("{}: {}", request.variant, why));
    const Pieces pieces = pieces_for_tolerance(r, version, solver);
    const auto stage = std::make_shared<Stage<T>>(
        device, r.problem.n, device_values_of(version, solver, pieces), version.one_layer);
    return {pieces,
            streamed_stepper<T>(stage, version, solver, r.problem.s, pieces, r.height, request.threads)};
}

template <class T>
Solution solve_in(const SolveRequest& request, const Settings& settings) {
    const Request r = read<T>(settings);
    const auto host = launch::host_device();
    const Setup<T> setup = setup_for<T>(request, request.device == nullptr ? *host : *request.device, r);
    const auto start = start_of<T>(r);
    auto last = start;
    setup.stepper->start(start, start);
    setup.stepper->steps(r.steps);
    setup.stepper->read(last);
    Solution solution;
    solution.parameters = {{"n", r.problem.n},
                           {"steps", r.steps},
                           {"s", r.problem.s},
                           {"height", r.height},
                           {"padding", setup.pieces.padding},
                           {"pieces", setup.pieces.count()},
                           {"device_values", r.device_values},
                           {"tolerance", r.tolerance},
                           {"precision", harness::precision_name<T>},
                           {"seed", r.seed},
                           {"start", r.start},
                           {"variant", request.variant}};
    solution.fields = {{"u", {r.problem.n}, std::move(last)}, {"u0", {r.problem.n}, start}};
    return solution;
}

}  // namespace

std::set<std::string> solve_keys() {
    return {"n",         "steps",      "s",         "height", "padding", "device_values",
            "tolerance", "budget_mib", "precision", "seed",   "start"};
}

Solution solve(const SolveRequest& request) {
    if (request.input) throw UsageError("--input: pyramid makes its own start; it reads no file");
    const Settings settings(request.set, solve_keys());
    try {
        return settings.word("precision", "double", {"float", "double"}) == "float"
                   ? solve_in<float>(request, settings)
                   : solve_in<double>(request, settings);
    } catch (const std::invalid_argument& error) {
        throw UsageError(std::string("--set: ") + error.what());
    }
}

}  // namespace gridmark::pyramid

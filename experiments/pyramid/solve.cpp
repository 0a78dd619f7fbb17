#include <fmt/format.h>

#include <cmath>

#include "experiments/pyramid/box.hpp"
#include "experiments/pyramid/request.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/os/streams.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"
#include "kernels/launch/make_device.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/medium.hpp"
#include "kernels/pyramid/pieces.hpp"
#include "kernels/pyramid/thomas.hpp"

namespace gridmark::pyramid {
namespace {

using harness::Solution;
using harness::SolveRequest;
using harness::UsageError;

/// The requested padding, or the minimal one with which the errors of all passes stay below `truncation`.
template <class T>
std::size_t padding_for(const Request<T>& r, double truncation) {
    if (r.padding >= 0) return static_cast<std::size_t>(r.padding);
    const double each = truncation / std::max(1, (r.steps + r.height - 1) / r.height);
    if (r.is_medium()) return medium_padding(r.matrix().medium, r.height, each);
    // More than the device holds would take long to find, and be refused then.
    if (const double spread = std::sqrt(2 * r.s * r.height); spread > static_cast<double>(r.device_values))
        throw UsageError(fmt::format(
            "--set height: {} steps with s {:g}, whose inverse decays by {:.6g} from point to point, "
            "spread a value over {:.0f} others, more than device_values {}",
            r.height, r.s, decay(r.s), spread, r.device_values));
    return minimal_padding(r.s, r.height, each);
}

/// Pieces with the requested padding, or with one that keeps the tolerance, rounding included.
template <class T>
Pieces pieces_for_tolerance(const Request<T>& r, const Version& version, const GpuVariant<T>& solver) {
    const double rounding =
        solver.rounding *
        (r.is_medium() ? medium_rounding_bound(r.matrix().medium, r.steps) : rounding_bound<T>(r.s, r.steps));
    if (r.padding < 0) require_tolerance<T>(r.tolerance, rounding, r.steps);
    const Pieces whole{r.n, r.n, 0};
    if (device_values_of(version, solver, whole) <= r.device_values) return whole;
    return pieces_of(version, solver, r.n, padding_for(r, r.tolerance - rounding), r.device_values);
}

/// A medium in pinned memory, for transfers that overlap.
template <class T>
struct PinnedMedium {
    launch::Pinned<T> lower, diagonal, upper;

    PinnedMedium(launch::Device& device, const Medium<T>& from)
        : lower(device, from.size()), diagonal(device, from.size()), upper(device, from.size()) {
        std::copy(from.lower.begin(), from.lower.end(), lower.span().begin());
        std::copy(from.diagonal.begin(), from.diagonal.end(), diagonal.span().begin());
        std::copy(from.upper.begin(), from.upper.end(), upper.span().begin());
    }
    Medium<T> medium() const { return {lower.span(), diagonal.span(), upper.span()}; }
};

/// The solver of a version for this matrix. Throws UsageError where it has none.
template <class T>
const GpuVariant<T>& solver_for(const Request<T>& r, const Version& version, const launch::Device& device) {
    const GpuVariant<T>* solver = find_gpu_variant<T>(device.executor(), version.solver);
    if (r.is_medium()) solver = solver->medium;
    if (solver == nullptr)
        throw UsageError(fmt::format("{} solves with constant coefficients alone", version.name));
    if (const std::string why = solver->unavailable_reason(r.s); !why.empty())
        throw UsageError(fmt::format("{}: {}", version.name, why));
    return *solver;
}

/// Steps r.steps from `start` and puts the field there; adds what it did to the parameters.
template <class T>
void run_streamed(Request<T>& r, launch::Device& device, int threads, const Version& version,
                  std::vector<T>& u) {
    const GpuVariant<T>& solver = solver_for(r, version, device);
    const PinnedMedium<T> medium(device, r.matrix().medium);
    const auto matrix = r.is_medium() ? Matrix<T>(medium.medium()) : r.matrix();
    const auto pieces_at = [&](int height) {
        r.height = height;
        return pieces_for_tolerance(r, version, solver);
    };
    if (r.auto_height && r.steps > 0) {
        const auto [height, reason] = choose_height<T>(
            {device, threads, version, solver, matrix, u, r.steps, r.device_values, pieces_at});
        harness::complain(reason);
        r.height = height;
        r.parameters.update({{"height", height}, {"chosen", "auto"}});
    }
    const Pieces pieces = pieces_at(r.height);
    const auto stage =
        std::make_shared<Stage<T>>(device, r.n, device_values_of(version, solver, pieces), version.one_layer);
    const auto stepper = streamed_stepper<T>(stage, version, solver, matrix, pieces, r.height, threads);
    stepper->start(u, u);
    stepper->steps(r.steps);
    stepper->read(u);
    const Traffic traffic = stepper->traffic();
    r.parameters.update({{"padding", pieces.padding},
                         {"pieces", pieces.count()},
                         {"bytes_up", traffic.moved.up},
                         {"bytes_down", traffic.moved.down},
                         {"rows_solved", traffic.solved}});
}

template <class T>
Solution solve_in(const SolveRequest& request, const harness::Settings& settings) {
    Request<T> r = read_request<T>(request, settings);
    auto u = r.to_rod();
    if (find_cpu_variant(request.variant) != nullptr) {
        const auto stepper = cpu_stepper<T>(r.n, r.matrix(), request.variant, request.threads);
        harness::advance(*stepper, u, r.steps);
        r.parameters.update({{"padding", 0}, {"pieces", 1}});
    } else {
        const auto host = launch::host_device();
        run_streamed(r, request.device == nullptr ? *host : *request.device, request.threads,
                     version_of(request.variant), u);
    }
    r.from_rod(u);
    Solution solution;
    solution.parameters = r.parameters;
    solution.fields = {{"u", {r.n}, std::move(u)}, {"u0", {r.n}, r.start}};
    if (r.is_medium()) {
        solution.fields.push_back({"lower", {r.n}, std::move(r.lower)});
        solution.fields.push_back({"diagonal", {r.n}, std::move(r.diagonal)});
        solution.fields.push_back({"upper", {r.n}, std::move(r.upper)});
    }
    return solution;
}

}  // namespace

std::set<std::string> solve_keys() {
    auto keys = rod_keys();
    keys.merge(box_solve_keys());
    return keys;
}

Solution solve(const SolveRequest& request) {
    // Keys that a variant does not use are accepted.
    const harness::Settings settings(request.set, solve_keys());
    if (find_box_version(request.variant) != nullptr) return solve_box(request, settings);
    return harness::in_precision(
        settings, [&](auto zero) { return solve_in<decltype(zero)>(request, settings); }, "double");
}

}  // namespace gridmark::pyramid

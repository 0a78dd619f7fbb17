// `height=auto`: the model (height.hpp) by a machine's ceilings, and a short trial.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <iterator>
#include <stdexcept>

#include "experiments/pyramid/height.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "experiments/pyramid/sweep.hpp"
#include "harness/ceilings/ceilings.hpp"
#include "harness/elapsed.hpp"
#include "harness/gpu/properties.hpp"
#include "harness/machine/describe_machine.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::pyramid {
namespace {

using harness::MachineLimits;
using Estimates = std::vector<HeightEstimate>;

/// Paddings of higher ones take long to find, and `run` times whole passes.
constexpr int highest_solved = 1 << 16, highest_run = 1 << 12;

/// With ceilings that are measured briefly; nothing of the CPU, whose triads take many seconds, and of the
/// host executor, which gives no times.
MachineLimits measured_machine(launch::Device& device, int threads) {
    if (device.executor() != launch::Executor::gpu) return {};
    nlohmann::json context =
        harness::describe_machine({.threads = threads, .gpu_ordinal = harness::gpu_ordinal(device)});
    context["ceilings"] = harness::measure_ceilings({.threads = threads, .gpu = &device, .quick = true});
    return harness::limits_of(context);
}

std::string time_text(double microseconds) {
    return microseconds < 1e3 ? fmt::format("{:.3g} us", microseconds)
                              : fmt::format("{:.3g} ms", microseconds * 1e-3);
}

/// "height 64 (padding 41, 24 pieces)".
std::string name_of(const HeightEstimate& e) {
    return fmt::format("height {} (padding {}, {} piece{})", e.height, e.pieces.padding, e.pieces.count(),
                       e.pieces.count() == 1 ? "" : "s");
}

/// "transfers 1.2 ms a step hide behind solves 1.3 ms".
std::string parts_of(const HeightEstimate& e, const Version& version) {
    const std::string solves = time_text(e.solves), transfers = time_text(e.transfers);
    if (!version.overlapped || e.pieces.count() == 1)
        return fmt::format("a step of {} is solves {}, and transfers and work of the host {}",
                           time_text(e.whole), solves, transfers);
    return e.solves > e.transfers
               ? fmt::format("transfers {} a step hide behind solves {}", transfers, solves)
               : fmt::format("solves {} a step hide behind transfers {}", solves, transfers);
}

bool is_known(const MachineLimits& machine, bool is_on_cpu) {
    return machine.ceilings.contains(is_on_cpu ? "cpu_triad_all_threads" : "link_up_pinned");
}

/// The best by the model; by the padding where the machine is not known.
const HeightEstimate& chosen_of(const Estimates& estimates, bool is_known) {
    return is_known ? best_height(estimates) : highest_with_little_padding(estimates);
}

std::string reason_of(const HeightEstimate& e, const Version& version, bool is_known) {
    if (is_known) return fmt::format("{}: {}, by this machine's ceilings", name_of(e), parts_of(e, version));
    const auto rows = static_cast<double>(e.pieces.n), all = static_cast<double>(e.pieces.padded());
    return fmt::format("{}: padding adds {:.2g} % to the rows of a step; no ceilings say what it takes",
                       name_of(e), 100 * (all / rows - 1));
}

/// Those that have pieces, with the others skipped; throws what the first one threw where none has.
template <class EstimateAt>
Estimates estimates_up_to(int most, const EstimateAt& estimate_at) {
    Estimates estimates;
    std::exception_ptr first;
    for (const int h : heights_up_to(most)) {
        try {
            estimates.push_back(estimate_at(h));
        } catch (const std::exception&) {
            // Padding grows with the height.
            if (!estimates.empty()) break;
            if (!first) first = std::current_exception();
        }
    }
    if (estimates.empty()) std::rethrow_exception(first);
    return estimates;
}

/// The same solver behind the other driver; empty where there is none.
std::string other_driver(const Version& version) {
    if (!version.overlapped) return std::string(version.solver);
    for (const Version& other : synchronous_versions)
        if (other.solver == version.solver && !other.one_layer) return std::string(other.name);
    return {};
}

/// Says which driver would be faster, where another one is by a twentieth.
template <class T>
std::string faster_driver(const HeightQuestion<T>& q, const MachineLimits& machine,
                          const Estimates& estimates, const HeightEstimate& chosen) {
    const std::string name = q.solver.on_cpu ? "" : other_driver(q.version);
    if (name.empty()) return {};
    const Version other = version_of(name);
    const Passes passes{other, q.matrix.s, q.matrix.medium.size() > 0};
    double best = chosen.step;
    for (const HeightEstimate& e : estimates) {
        try {
            const Pieces pieces =
                pieces_of<T>(other, q.solver, e.pieces.n, e.pieces.padding, q.device_values);
            best = std::min(best, estimate_height(passes, q.solver, machine, pieces, e.height, q.steps).step);
        } catch (const std::invalid_argument&) {
            break;
        }
    }
    if (best > 0.95 * chosen.step) return {};
    return fmt::format("; {} is predicted to be faster, {} a step in place of {}", name, time_text(best),
                       time_text(chosen.step));
}

constexpr int trial_passes = 2;

/// With memory for all of these.
template <class T>
std::shared_ptr<Stage<T>> stage_for(const HeightQuestion<T>& q, std::span<const HeightEstimate> some) {
    std::size_t values = 0;
    for (const HeightEstimate& e : some)
        values = std::max(values, device_values_of(q.version, q.solver, e.pieces));
    return std::make_shared<Stage<T>>(q.device, some.front().pieces.n, values, q.version.one_layer);
}

/// Microseconds of a step, by the device's own passes.
template <class T>
double timed_step(const HeightQuestion<T>& q, const std::shared_ptr<Stage<T>>& stage,
                  const HeightEstimate& e) {
    const auto stepper =
        streamed_stepper<T>(stage, q.version, q.solver, q.matrix, e.pieces, e.height, q.threads);
    stepper->start(q.start, q.start);
    stepper->steps(e.height);  // what is made at first use
    const auto start = std::chrono::steady_clock::now();
    stepper->steps(trial_passes * e.height);
    const double step = harness::seconds_since(start) * 1e6 / (trial_passes * e.height);
    // The last pass of all steps may be a shorter one.
    return e.whole > 0 ? step * e.step / e.whole : step;
}

/// Why there is no trial of these heights; empty where there is one. A step takes what the model says, and
/// where it says nothing as long as one by the lowest height.
template <class T>
std::string no_trial(const HeightQuestion<T>& q, std::span<const HeightEstimate> some,
                     const HeightEstimate& chosen, const HeightEstimate& lowest) {
    if (q.device.executor() == launch::Executor::host && !q.solver.on_cpu)
        return "the host executor gives no times";
    double step = 0;
    if (chosen.step == 0) step = timed_step(q, stage_for(q, {&lowest, 1}), lowest);
    double trial = 0;
    for (const HeightEstimate& e : some)
        trial += (1 + trial_passes) * e.height * std::max(e.whole, step);
    constexpr double short_enough = 1e6;
    const double all = q.steps * std::max(chosen.step, step);
    if (trial <= std::max(short_enough, all / 2)) return {};
    return fmt::format("it would take {} beside {} for all steps", time_text(trial), time_text(all));
}

/// The estimate that the trial finds fastest, and what it found.
template <class T>
std::pair<const HeightEstimate*, std::string> tried(const HeightQuestion<T>& q, const Estimates& estimates,
                                                    const HeightEstimate& chosen) {
    const auto at = &chosen - estimates.data();
    const auto first = estimates.begin() + std::max<std::ptrdiff_t>(at - 1, 0),
               last = estimates.begin() + std::min<std::ptrdiff_t>(at + 2, std::ssize(estimates));
    const std::span<const HeightEstimate> some(first, last);
    if (const std::string why = no_trial(q, some, chosen, estimates.front()); !why.empty())
        return {&chosen, "; no trial: " + why};
    const auto stage = stage_for(q, some);
    const HeightEstimate* fastest = &chosen;
    double least = 0;
    std::string text;
    for (auto e = first; e != last; ++e) {
        const double step = timed_step(q, stage, *e);
        text += fmt::format("{} {} {}", text.empty() ? "; trial:" : ",", e->height, time_text(step));
        if (least > 0 && step >= least) continue;
        least = step;
        fastest = &*e;
    }
    return {fastest, text};
}

}  // namespace

template <class T>
HeightChoice choose_height(const HeightQuestion<T>& q) {
    const auto machine = measured_machine(q.device, q.threads);
    const bool known = is_known(machine, q.solver.on_cpu);
    const Passes passes{q.version, q.matrix.s, q.matrix.medium.size() > 0};
    const auto estimates = estimates_up_to(std::min(q.steps, highest_solved), [&](int h) {
        return estimate_height(passes, q.solver, machine, q.pieces_at(h), h, q.steps);
    });
    const HeightEstimate& chosen = chosen_of(estimates, known);
    const auto [fastest, trial] = tried(q, estimates, chosen);
    const std::string other = known ? faster_driver(q, machine, estimates, chosen) : "";
    return {fastest->height, reason_of(*fastest, q.version, known) + trial + other};
}

namespace {

HeightEstimate estimate_of(const Sweep& sweep, const MachineLimits& machine, int h) {
    const Passes passes{version_of(sweep.variant), sweep.s};
    const auto by = [&](const auto* solver) {
        return estimate_height(passes, *solver, machine, sweep.pieces(h), h, 0);
    };
    return sweep.precision == "float"
               ? by(find_gpu_variant<float>(launch::Executor::host, passes.version.solver))
               : by(find_gpu_variant<double>(launch::Executor::host, passes.version.solver));
}

bool is_on_cpu(const Sweep& sweep) {
    return find_gpu_variant<float>(launch::Executor::host, version_of(sweep.variant).solver)->on_cpu;
}

}  // namespace

AutoHeight auto_height(const Sweep& sweep, const MachineLimits& machine) {
    const auto estimates = estimates_up_to(highest_run, [&](int h) {
        if (std::sqrt(2 * sweep.s * h) > static_cast<double>(sweep.device_values()))
            throw std::invalid_argument(
                fmt::format("{} steps with s {:g} spread a value over more than budget_mib {:g} holds", h,
                            sweep.s, sweep.budget));
        return estimate_of(sweep, machine, h);
    });
    const bool known = is_known(machine, is_on_cpu(sweep));
    const HeightEstimate& chosen = chosen_of(estimates, known);
    AutoHeight choice{chosen.height, {}, reason_of(chosen, version_of(sweep.variant), known)};
    const auto at = &chosen - estimates.data();
    if (at > 0) choice.neighbours.push_back(estimates[at - 1].height);
    if (at + 1 < std::ssize(estimates)) choice.neighbours.push_back(estimates[at + 1].height);
    return choice;
}

int modelled_height(const Sweep& sweep, const MachineLimits& machine) {
    if (!is_known(machine, is_on_cpu(sweep)))
        throw launch::Unavailable(is_on_cpu(sweep) ? "the CPU's ceilings are not known"
                                                   : "the GPU's ceilings are not known");
    Estimates estimates;
    for (const int h : sweep.heights)
        estimates.push_back(estimate_of(sweep, machine, h));
    return best_height(estimates).height;
}

template HeightChoice choose_height(const HeightQuestion<float>&);
template HeightChoice choose_height(const HeightQuestion<double>&);

}  // namespace gridmark::pyramid

// `height=auto`: the model of kernels/pyramid/height.hpp fed with a machine's ceilings, and a short trial.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <iterator>
#include <stdexcept>

#include "experiments/pyramid/points.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "experiments/pyramid/sweep.hpp"
#include "harness/ceilings/ceilings.hpp"
#include "harness/elapsed.hpp"
#include "harness/gpu/properties.hpp"
#include "kernels/launch/error.hpp"
#include "kernels/pyramid/height.hpp"

namespace gridmark::pyramid {
namespace {

using Ceilings = std::map<std::string, double>;
using Estimates = std::vector<HeightEstimate>;

/// Paddings of higher ones take long to find, and `run` times whole passes.
constexpr int highest_solved = 1 << 16, highest_run = 1 << 12;

/// What the model needs of the ceilings; the usual ones in place of those that are not there.
Rates rates_of(const Ceilings& ceilings) {
    const auto value = [&](const char* name, double scale, double usual) {
        const auto found = ceilings.find(name);
        return found == ceilings.end() ? usual : found->second * scale;
    };
    constexpr double giga = 1e9, micro = 1e-6;
    return {.up = value("link_up_pinned", giga, usual_rates.up),
            .down = value("link_down_pinned", giga, usual_rates.down),
            .both = value("link_both_pinned", giga, usual_rates.both),
            .memory = value("gpu_copy_bandwidth", giga, usual_rates.memory),
            .l2 = value("gpu_l2_bandwidth", giga, usual_rates.l2),
            .l2_bytes = value("gpu_l2_bytes", 1, usual_rates.l2_bytes),
            .launch = value("gpu_launch", micro, usual_rates.launch),
            .barrier = value("gpu_grid_sync", micro, usual_rates.barrier),
            .host = value("cpu_triad_all_threads", giga, usual_rates.host),
            .host_thread = value("cpu_triad_one_thread", giga, usual_rates.host_thread),
            .host_barrier = value("cpu_barrier_all_threads", micro, usual_rates.host_barrier)};
}

/// Those of a GPU, measured briefly; none of the host executor's.
Ceilings measured_ceilings(launch::Device& device, int threads) {
    Ceilings values;
    if (device.executor() != launch::Executor::gpu) return values;
    for (const auto& ceiling : harness::measure_ceilings({.threads = threads, .gpu = &device, .quick = true}))
        if (ceiling.value) values[ceiling.name] = *ceiling.value;
    if (const auto gpu = harness::read_gpu_properties(harness::gpu_ordinal(device)))
        values["gpu_l2_bytes"] = static_cast<double>(gpu.value->l2_bytes);
    return values;
}

std::string time_text(double seconds) {
    return seconds < 1e-3 ? fmt::format("{:.3g} us", seconds * 1e6) : fmt::format("{:.3g} ms", seconds * 1e3);
}

/// "height 64 (padding 41, 24 pieces): transfers 1.2 ms a step hide behind solves 1.3 ms".
std::string text_of(const HeightEstimate& e, Driver driver) {
    const auto a_step = [&](double seconds) { return time_text(seconds / e.height); };
    const double link = std::max(e.pass.upload, e.pass.download);
    std::string text = fmt::format("height {} (padding {}, {} piece{}): ", e.height, e.pieces.padding,
                                   e.pieces.count(), e.pieces.count() == 1 ? "" : "s");
    if (driver != Driver::overlapped || e.pieces.count() == 1)
        return text + fmt::format("a step of {} is transfers {}, solves {} and work of the host {}",
                                  a_step(e.pass.whole), a_step(e.pass.upload + e.pass.download),
                                  a_step(e.pass.solves), a_step(e.pass.adds));
    return text + (e.pass.solves > link ? fmt::format("transfers {} a step hide behind solves {}",
                                                      a_step(link), a_step(e.pass.solves))
                                        : fmt::format("solves {} a step hide behind transfers {}",
                                                      a_step(e.pass.solves), a_step(link)));
}

bool are_known(const Ceilings& ceilings, bool is_on_cpu) {
    return ceilings.contains(is_on_cpu ? "cpu_triad_all_threads" : "link_up_pinned");
}

std::string source_of(const Ceilings& ceilings, bool is_on_cpu) {
    return are_known(ceilings, is_on_cpu) ? "by this machine's ceilings"
                                          : "by the usual ceilings, an NVIDIA H200's";
}

void require_ceilings(const Ceilings& ceilings, bool is_on_cpu) {
    if (!are_known(ceilings, is_on_cpu))
        throw launch::Unavailable(is_on_cpu ? "the CPU's ceilings are not known"
                                            : "the GPU's ceilings are not known");
}

/// Those that have pieces, with the others skipped; throws what the first one threw where none has.
template <class PiecesAt>
Estimates estimates_of(const Streaming& streaming, const Rates& rates, int most, int steps,
                       const PiecesAt& pieces_at) {
    Estimates estimates;
    std::exception_ptr first;
    for (const int h : heights_up_to(most)) {
        try {
            estimates.push_back(estimate_height(streaming, rates, pieces_at(h), h, steps));
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
std::string faster_driver(const HeightQuestion<T>& q, const Rates& rates, const Estimates& estimates,
                          const HeightEstimate& chosen) {
    const std::string name = q.solver.on_cpu ? "" : other_driver(q.version);
    if (name.empty()) return {};
    const Version other = version_of(name);
    const Streaming streamed = streaming(other.driver(), q.solver, q.matrix.medium.size() > 0);
    double best = chosen.step;
    for (const HeightEstimate& e : estimates) {
        try {
            const Pieces pieces =
                pieces_of<T>(other, q.solver, e.pieces.n, e.pieces.padding, q.device_values);
            best = std::min(best, estimate_height(streamed, rates, pieces, e.height, q.steps).step);
        } catch (const std::invalid_argument&) {
            break;
        }
    }
    if (best > 0.95 * chosen.step) return {};
    return fmt::format("; {} is predicted to be faster, {} a step in place of {}", name, time_text(best),
                       time_text(chosen.step));
}

constexpr int trial_passes = 2;

/// Seconds of a step, by the device's own passes.
template <class T>
double timed_step(const HeightQuestion<T>& q, const std::shared_ptr<Stage<T>>& stage,
                  const HeightEstimate& e) {
    const auto stepper =
        streamed_stepper<T>(stage, q.version, q.solver, q.matrix, e.pieces, e.height, q.threads);
    stepper->start(q.start, q.start);
    stepper->steps(e.height);  // what is made at first use
    const auto start = std::chrono::steady_clock::now();
    stepper->steps(trial_passes * e.height);
    const double pass = harness::seconds_since(start) / trial_passes;
    // The last pass of all steps may be a shorter one.
    return pass * e.step / e.pass.whole;
}

/// The estimate that the trial finds fastest, and what it found.
template <class T>
std::pair<const HeightEstimate*, std::string> tried(const HeightQuestion<T>& q, const Estimates& estimates,
                                                    const HeightEstimate& chosen) {
    const auto at = &chosen - estimates.data();
    const auto first = estimates.begin() + std::max<std::ptrdiff_t>(at - 1, 0),
               last = estimates.begin() + std::min<std::ptrdiff_t>(at + 2, std::ssize(estimates));
    if (q.device.executor() == launch::Executor::host && !q.solver.on_cpu)
        return {&chosen, "; no trial: the host executor gives no times"};
    double seconds = 0;
    std::size_t values = 0;
    for (auto e = first; e != last; ++e) {
        seconds += (1 + trial_passes) * e->pass.whole;
        values = std::max(values, device_values_of(q.version, q.solver, e->pieces));
    }
    constexpr double short_enough = 1;
    if (const double all = q.steps * chosen.step; seconds > std::max(short_enough, all / 2))
        return {&chosen, fmt::format("; no trial: it would take {} beside {} for all steps",
                                     time_text(seconds), time_text(all))};
    const auto stage = std::make_shared<Stage<T>>(q.device, chosen.pieces.n, values, q.version.one_layer);
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
    const Ceilings ceilings = measured_ceilings(q.device, q.threads);
    const Rates rates = q.solver.on_cpu ? rates_on_cpu(rates_of(ceilings)) : rates_of(ceilings);
    const Streaming streamed = streaming(q.version.driver(), q.solver, q.matrix.medium.size() > 0);
    const auto estimates =
        estimates_of(streamed, rates, std::min(q.steps, highest_solved), q.steps, q.pieces_at);
    const HeightEstimate& best = best_height(estimates);
    const auto [fastest, trial] = tried(q, estimates, best);
    return {fastest->height, text_of(*fastest, q.version.driver()) + ", " +
                                 source_of(ceilings, q.solver.on_cpu) + trial +
                                 faster_driver(q, rates, estimates, best)};
}

namespace {

template <class T>
int modelled_height_in(const Sweep& sweep, const Ceilings& ceilings) {
    const Version version = version_of(sweep.variant);
    const GpuVariant<T>& solver = *find_gpu_variant<T>(launch::Executor::host, version.solver);
    require_ceilings(ceilings, solver.on_cpu);
    const Rates rates = solver.on_cpu ? rates_on_cpu(rates_of(ceilings)) : rates_of(ceilings);
    const auto streamed = streaming(version.driver(), solver);
    Estimates estimates;
    for (const int h : sweep.heights)
        estimates.push_back(estimate_height(streamed, rates, sweep.pieces(h), h, 0));
    return best_height(estimates).height;
}

template <class T>
AutoHeight auto_height_in(const Sweep& sweep, const Ceilings& ceilings) {
    const Version version = version_of(sweep.variant);
    const GpuVariant<T>& solver = *find_gpu_variant<T>(launch::Executor::host, version.solver);
    const Rates rates = solver.on_cpu ? rates_on_cpu(rates_of(ceilings)) : rates_of(ceilings);
    const auto pieces_at = [&](int h) {
        if (std::sqrt(2 * sweep.s * h) > static_cast<double>(sweep.device_values()))
            throw std::invalid_argument(
                fmt::format("{} steps with s {:g} spread a value over more than "
                            "budget_mib {:g} holds",
                            h, sweep.s, sweep.budget));
        return sweep.pieces(h);
    };
    const auto estimates =
        estimates_of(streaming(version.driver(), solver), rates, highest_run, 0, pieces_at);
    const HeightEstimate& best = best_height(estimates);
    AutoHeight choice{
        best.height, {}, text_of(best, version.driver()) + ", " + source_of(ceilings, solver.on_cpu)};
    const auto at = &best - estimates.data();
    if (at > 0) choice.neighbours.push_back(estimates[at - 1].height);
    if (at + 1 < std::ssize(estimates)) choice.neighbours.push_back(estimates[at + 1].height);
    return choice;
}

}  // namespace

AutoHeight auto_height(const Sweep& sweep, const Ceilings& ceilings) {
    return sweep.precision == "float" ? auto_height_in<float>(sweep, ceilings)
                                      : auto_height_in<double>(sweep, ceilings);
}

int modelled_height(const Sweep& sweep, const Ceilings& ceilings) {
    return sweep.precision == "float" ? modelled_height_in<float>(sweep, ceilings)
                                      : modelled_height_in<double>(sweep, ceilings);
}

namespace {

/// A solve of m values, `count` steps, in the device's memory.
template <class T>
Point solve_point(const GpuVariant<T>& solver, double s, std::size_t m, int count, double stands) {
    Point point = base_point<T>(std::string(solver.name), m, s);
    point.steps = count;
    point.share_bytes(count);
    point.working_set = stands;
    point.demands = [&solver, s, m, count](const launch::Chip& chip) {
        return solver.demand(s, m, count, chip);
    };
    return point;
}

/// Of h steps, and what binds the first launches of them.
template <class T>
harness::Term solve_term(const GpuVariant<T>& solver, double s, std::size_t m, int h, double stands,
                         const harness::MachineLimits& machine) {
    harness::Term solve{{}, 0};
    for (int left = h; left > 0;) {
        const int count = solver.steps_per_launch.next(left), launches = left / count;
        const auto step = predict(solve_point(solver, s, m, count, stands),
                                  {Series::Clock::step, Series::Launch::stream}, machine);
        if (!step) return {{}, 0};
        if (solve.ceiling.empty()) solve.ceiling = step->binding().ceiling;
        solve.microseconds += launches * count * step->time;
        left -= launches * count;
    }
    return solve;
}

template <class T>
std::optional<harness::Prediction> modelled_pass_in(const Sweep& sweep, int height, Part part,
                                                    const harness::MachineLimits& machine) {
    const Version version = version_of(sweep.variant);
    const GpuVariant<T>& solver = *find_gpu_variant<T>(launch::Executor::host, version.solver);
    Ceilings ceilings = machine.ceilings;
    ceilings["gpu_l2_bytes"] = machine.l2_bytes;
    if (!are_known(ceilings, solver.on_cpu)) return std::nullopt;
    const Rates rates = solver.on_cpu ? rates_on_cpu(rates_of(ceilings)) : rates_of(ceilings);
    Streaming streamed = streaming(version.driver(), solver);
    const Pieces pieces = sweep.pieces(height);
    const double stands = static_cast<double>(streamed.device_values(pieces)) * sizeof(T);
    std::string solves = solver.on_cpu                    ? "cpu_triad_all_threads"
                         : stands <= machine.l2_bytes / 2 ? "gpu_l2_bandwidth"
                                                          : "gpu_copy_bandwidth";
    if (solver.demand != nullptr && machine.ceiling("gpu_issue_arithmetic")) {
        const auto of = [&](std::size_t m, int h) {
            return solve_term(solver, sweep.s, m, h, 2 * stands, machine);
        };
        if (const harness::Term longest = of(pieces.longest(), height); longest.microseconds > 0) {
            solves = longest.ceiling;
            streamed.solve_seconds = [of](std::size_t m, int h) { return of(m, h).microseconds * 1e-6; };
        }
    }
    const PassTime pass = pass_time(streamed, rates, pieces, height);
    const bool both = version.overlapped && pieces.count() > 1;
    const double link = both ? std::max(pass.upload, pass.download) : pass.upload + pass.download,
                 seconds = part == Part::kernels     ? pass.solves
                           : part == Part::transfers ? link
                                                     : pass.whole;
    const auto a_step = [&](double s) { return s * 1e6 / height; };
    harness::Prediction prediction{a_step(seconds), {}, {}};
    const char* const copies = solver.on_cpu ? "cpu_triad_one_thread"
                               : both        ? "link_both_pinned"
                                             : "link_up_pinned";
    if (part != Part::transfers) prediction.terms.push_back({solves, a_step(pass.solves)});
    if (part != Part::kernels) prediction.terms.push_back({copies, a_step(link)});
    if (part == Part::whole) prediction.terms.push_back({"cpu_triad_all_threads", a_step(pass.adds)});
    std::ranges::sort(prediction.terms, std::ranges::greater{}, &harness::Term::microseconds);
    // The usual rates stand in for these.
    for (const char* name : {"link_down_pinned", "link_both_pinned", "gpu_launch", "cpu_triad_one_thread",
                             "cpu_triad_all_threads"})
        if (!solver.on_cpu && !machine.ceiling(name)) prediction.missing.emplace_back(name);
    return prediction;
}

}  // namespace

std::optional<harness::Prediction> modelled_pass(const Sweep& sweep, int height, Part part,
                                                 const harness::MachineLimits& machine) {
    return sweep.precision == "float" ? modelled_pass_in<float>(sweep, height, part, machine)
                                      : modelled_pass_in<double>(sweep, height, part, machine);
}

template HeightChoice choose_height(const HeightQuestion<float>&);
template HeightChoice choose_height(const HeightQuestion<double>&);

}  // namespace gridmark::pyramid

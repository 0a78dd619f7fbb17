#include "experiments/pyramid/height.hpp"

#include <algorithm>

#include "experiments/pyramid/points.hpp"

namespace gridmark::pyramid {
namespace {

/// Words a value that the host reads or writes. Clearing a field writes a line that it reads first; adding
/// reads two and writes one.
constexpr double words_cleared = 2, words_added = 3, words_copied = 3;

/// Of a piece: sent, solved, fetched.
constexpr double waits = 3;

/// A step's share of the h solves of all pieces. Of a solver that declares no demand it is the bytes that it
/// must move, and its operations.
template <class T>
std::vector<launch::Demand> solves_of(const GpuVariant<T>& solver, double s, const Pieces& pieces, int h,
                                      const launch::Chip& chip) {
    std::vector<launch::Demand> all;
    const auto add = [&](std::size_t m, std::size_t times) {
        for (int left = times > 0 ? h : 0; left > 0;) {
            const int count = solver.steps_per_launch.next(left), launches = left / count;
            const auto rows = static_cast<double>(m);
            std::vector<launch::Demand> kernels{{.blocks = launch::pieces(rows, 256), .block_threads = 256}};
            if (solver.demand != nullptr) kernels = solver.demand(s, m, count, chip);
            kernels = launch::repeated(std::move(kernels), static_cast<double>(times) * launches / h,
                                       bytes_per_value<T> * rows, flops_per_value * rows * count);
            all.insert(all.end(), kernels.begin(), kernels.end());
            left -= launches * count;
        }
    };
    const std::size_t count = pieces.count();
    add(pieces.longest(), count - 1);
    add(pieces[count - 1].padded(), 1);
    return all;
}

template <class T>
harness::Transfers transfers_of(const Passes& passes, const Pieces& pieces, int h) {
    using Order = harness::Transfers::Order;
    const auto n = static_cast<double>(pieces.n), padded = static_cast<double>(pieces.padded()),
               count = static_cast<double>(pieces.count());
    const double values_up = passes.is_medium ? 4 * n : n, word = sizeof(T);
    harness::Transfers step{.uploaded = values_up * word / h,
                            .downloaded = padded * word / h,
                            .order = passes.version.overlapped ? Order::drained : Order::in_turn,
                            .pieces = count};
    std::size_t at_once = pieces.longest();
    if (passes.version.overlapped) {
        at_once = 2 * pieces.padding;
        step.host_bytes = 2 * (padded - n) * words_added * word / h;
    } else {
        const double words = passes.version.one_layer ? n * words_copied + (padded - n) * words_added
                                                      : n * words_cleared + padded * words_added;
        step.host_bytes = words * word / h;
        step.waits = waits * count / h;
    }
    step.by_all_threads = static_cast<std::ptrdiff_t>(at_once) > worth_threads;
    return step;
}

/// Microseconds of a step; 0 of what the machine's ceilings say nothing of.
double time_of(const harness::Point& point, const harness::MachineLimits& machine) {
    const auto step = predict(point, point.series.front(), machine);
    return step ? step->time : 0;
}

}  // namespace

template <class T>
void declare_pass(harness::Point& point, const Passes& passes, const GpuVariant<T>& solver,
                  const Pieces& pieces, int h) {
    point.working_set = bytes_per_value<T> * static_cast<double>(pieces.longest());
    point.transfers = transfers_of<T>(passes, pieces, h);
    point.transfers.buffers =
        static_cast<double>(device_values_of(passes.version, solver, pieces) * sizeof(T));
    if (solver.demand != nullptr)
        point.demands = [&solver, s = passes.s, pieces, h](const launch::Chip& chip) {
            return solves_of(solver, s, pieces, h, chip);
        };
    else
        point.launches = static_cast<int>(pieces.count()) * solver.launches(pieces.longest());
    point.counted_as = harness::counted_as("pyramid", solver.name, harness::precision_name<T>);
}

template <class T>
HeightEstimate estimate_height(const Passes& passes, const GpuVariant<T>& solver,
                               const harness::MachineLimits& machine, const Pieces& pieces, int h,
                               int steps) {
    harness::Point point = base_point<T>(std::string(passes.version.name), pieces.n, passes.s);
    point.series = {solver.on_cpu ? Series{Series::Clock::wall}
                                  : Series{Series::Clock::step, Series::Launch::stream}};
    // The CPU's solves and copies are those of a team.
    if (solver.on_cpu) point.parameters["threads"] = 2;
    const auto declare = [&](harness::Point& pass, int height) {
        declare_pass(pass, passes, solver, pieces, height);
        pass.demands = [&solver, s = passes.s, pieces, height](const launch::Chip& chip) {
            return solves_of(solver, s, pieces, height, chip);
        };
    };
    declare(point, h);
    HeightEstimate estimate{h, pieces, time_of(point, machine), 0, 0, 0};
    estimate.step = estimate.whole;
    if (const int rest = steps % h; rest > 0) {
        harness::Point last = point;
        declare(last, rest);
        estimate.step = ((steps - rest) * estimate.whole + rest * time_of(last, machine)) / steps;
    }
    harness::Point solves = point, transfers = point;
    keep_part(solves, Part::kernels);
    keep_part(transfers, Part::transfers);
    estimate.solves = time_of(solves, machine);
    estimate.transfers = time_of(transfers, machine);
    return estimate;
}

std::vector<int> heights_up_to(int most) {
    std::vector<int> heights;
    for (long h = 1; h < most; h *= 2)
        heights.push_back(static_cast<int>(h));
    heights.push_back(most);
    return heights;
}

const HeightEstimate& best_height(std::span<const HeightEstimate> estimates) {
    constexpr double near = 1.02;
    const double best = std::ranges::min(estimates, {}, &HeightEstimate::step).step;
    return *std::ranges::find_if(estimates, [&](const auto& e) { return e.step <= near * best; });
}

const HeightEstimate& highest_with_little_padding(std::span<const HeightEstimate> estimates) {
    constexpr double little = 1.1;
    const HeightEstimate* found = &estimates.front();
    for (const HeightEstimate& e : estimates)
        if (static_cast<double>(e.pieces.padded()) <= little * static_cast<double>(e.pieces.n)) found = &e;
    return *found;
}

#define GRIDMARK_INSTANTIATE(T)                                                                           \
    template void declare_pass(harness::Point&, const Passes&, const GpuVariant<T>&, const Pieces&, int); \
    template HeightEstimate estimate_height(const Passes&, const GpuVariant<T>&,                          \
                                            const harness::MachineLimits&, const Pieces&, int, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid

#include "kernels/pyramid/height.hpp"

#include <algorithm>

namespace gridmark::pyramid {
namespace {

/// The L2's bandwidth is measured with half of it in use. What stands on the device and is more comes from
/// memory.
constexpr double share_of_l2 = 0.5;

/// Words a value that the host reads or writes. Clearing a field writes a line that it reads first; adding
/// reads two and writes one.
constexpr double words_cleared = 2, words_added = 3, words_copied = 3;

/// Of a piece: sent, solved, fetched.
constexpr double waits = 3;

double solve_time(const Streaming& s, const Rates& rates, double bandwidth, std::size_t m, int h) {
    if (s.solve_seconds) return s.solve_seconds(m, h);
    double seconds = 0;
    for (int left = h; left > 0;) {
        const int count = s.steps_per_launch.next(left), launches = left / count;
        const SolveCost cost = s.cost(m, count);
        seconds += launches * (std::max(cost.bytes / bandwidth, cost.launches * rates.launch) +
                               cost.rounds * rates.barrier);
        left -= launches * count;
    }
    return seconds;
}

double host_bandwidth(const Rates& rates, std::size_t values) {
    return static_cast<std::ptrdiff_t>(values) > worth_threads ? rates.host : rates.host_thread;
}

}  // namespace

Rates rates_on_cpu(const Rates& rates) {
    Rates cpu = rates;
    cpu.up = cpu.down = cpu.both = rates.host_thread / 2;
    cpu.memory = cpu.l2 = rates.host;
    cpu.launch = rates.host_barrier;
    cpu.barrier = 0;
    return cpu;
}

template <class T>
Streaming streaming(Driver driver, const GpuVariant<T>& solver, bool is_medium) {
    return {driver,
            sizeof(T),
            is_medium ? 4.0 : 1.0,
            solver.steps_per_launch,
            solver.cost,
            [driver, &solver](const Pieces& pieces) {
                return driver == Driver::overlapped ? overlapped_values(solver, pieces)
                                                    : synchronous_values(solver, pieces);
            },
            {}};
}

PassTime pass_time(const Streaming& s, const Rates& rates, const Pieces& pieces, int h) {
    const std::size_t count = pieces.count();
    const auto n = static_cast<double>(pieces.n), padded = static_cast<double>(pieces.padded()),
               all = static_cast<double>(count);
    const double stands = static_cast<double>(s.device_values(pieces)) * s.word;
    const double bandwidth = stands <= share_of_l2 * rates.l2_bytes ? rates.l2 : rates.memory;
    PassTime t{};
    t.solves = (all - 1) * solve_time(s, rates, bandwidth, pieces.longest(), h) +
               solve_time(s, rates, bandwidth, pieces[count - 1].padded(), h);
    const double up = s.fields * n * s.word / rates.up, down = padded * s.word / rates.down;
    if (s.driver == Driver::overlapped) {
        // Longer solves hide between none and all of the transfers: half of them, for want of a ceiling.
        const bool both = count > 1;
        t.upload = both ? std::max(up, 2 * s.fields * n * s.word / rates.both) : up;
        t.download = both ? std::max(down, 2 * padded * s.word / rates.both) : down;
        const double link = std::max(t.upload, t.download);
        t.adds = 2 * (padded - n) * s.word * words_added / host_bandwidth(rates, 2 * pieces.padding);
        t.whole =
            both ? std::max(link, t.solves + link / 2) + (up + down) / all + t.adds : up + t.solves + down;
        return t;
    }
    t.upload = up;
    t.download = down;
    const double moved = s.driver == Driver::one_layer ? n * words_copied + (padded - n) * words_added
                                                       : n * words_cleared + padded * words_added;
    t.adds = moved * s.word / host_bandwidth(rates, pieces.longest()) + waits * all * rates.launch;
    t.whole = t.upload + t.solves + t.download + t.adds;
    return t;
}

HeightEstimate estimate_height(const Streaming& s, const Rates& rates, const Pieces& pieces, int h,
                               int steps) {
    const PassTime pass = pass_time(s, rates, pieces, h);
    if (steps == 0) return {h, pieces, pass, pass.whole / h};
    const int passes = steps / h, rest = steps % h;
    double seconds = passes * pass.whole;
    if (rest > 0) seconds += pass_time(s, rates, pieces, rest).whole;
    return {h, pieces, pass, seconds / steps};
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
    const auto shorter = [](const HeightEstimate& a, const HeightEstimate& b) { return a.step < b.step; };
    const double best = std::min_element(estimates.begin(), estimates.end(), shorter)->step;
    return *std::find_if(estimates.begin(), estimates.end(),
                         [&](const HeightEstimate& e) { return e.step <= near * best; });
}

template Streaming streaming(Driver, const GpuVariant<float>&, bool);
template Streaming streaming(Driver, const GpuVariant<double>&, bool);

}  // namespace gridmark::pyramid

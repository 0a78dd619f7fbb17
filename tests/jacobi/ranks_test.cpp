#include <gtest/gtest.h>

#include <string>

#include "kernels/jacobi/cpu.hpp"
#include "kernels/jacobi/gpu.hpp"
#include "kernels/jacobi/ranks.hpp"
#include "kernels/launch/make_device.hpp"
#include "kernels/ranks/stepping.hpp"
#include "tests/ranks/gathered.hpp"

/// The channel cut among ranks gives the answer of one: bit by bit, however it is cut, however late messages
/// are.
namespace gridmark::jacobi {
namespace {

using ranks::Arrival;

/// How the channel is cut and swept.
struct Decomposition {
    ranks::Triple parts;
    int steps_per_exchange, steps;
    Arrival arrival;

    std::string text() const {
        return std::to_string(parts[0]) + " x " + std::to_string(parts[1]) + ", exchange every " +
               std::to_string(steps_per_exchange) + ", " + std::to_string(steps) + " steps, arrival " +
               std::to_string(static_cast<int>(arrival));
    }
};

/// Sides that nothing divides: a body across seams, ranks of one row, halos deeper than a rank.
const Decomposition decompositions[] = {
    {{1, 1, 1}, 1, 7, Arrival::early},     {{2, 1, 1}, 1, 7, Arrival::late},
    {{1, 2, 1}, 2, 7, Arrival::by_chance}, {{3, 1, 1}, 3, 8, Arrival::late},
    {{1, 4, 1}, 1, 7, Arrival::by_chance}, {{5, 1, 1}, 2, 9, Arrival::early},
    {{2, 3, 1}, 1, 7, Arrival::late},      {{3, 2, 1}, 4, 11, Arrival::by_chance},
    {{1, 7, 1}, 5, 12, Arrival::late},     {{2, 4, 1}, 3, 7, Arrival::late},
    {{4, 2, 1}, 1, 7, Arrival::by_chance}, {{8, 1, 1}, 2, 5, Arrival::late},
};

template <class T>
std::vector<T> cut_answer(const Problem& p, const Decomposition& d, bool on_host) {
    const ranks::Cut cut(grid_box(p), d.parts);
    return tests::gathered<T>(cut, d.arrival, 1, [&](ranks::Transport& transport, const auto& hand_over) {
        const auto device = on_host ? launch::host_device() : nullptr;
        const ranks::Box stored =
            ranks::Stepping<T>::stored_box(cut, transport.rank(), sweep_reach(), d.steps_per_exchange);
        const auto part =
            device == nullptr ? cpu_part<T>(p, stored, 11, 2) : gpu_part<T>(*device, p, stored, 11);
        part->start();
        ranks::Stepping<T> stepping(transport, cut, *part, d.steps_per_exchange);
        tests::step_in_calls(stepping, d.steps);
        hand_over(*part);
    });
}

/// The study's own version on the whole grid.
template <class T>
std::vector<T> one_answer(const Problem& p, int sweeps, bool on_host) {
    const Storage<T> start = initial_psi<T>(p, 11), omega = random_omega<T>(p, 11);
    Storage<T> psi = start, next = start;
    if (!on_host) {
        for (int s = 0; s < sweeps; ++s, psi.swap(next))
            cpu_openmp(p, psi.data(), omega.data(), next.data(), 2);
        return {psi.begin(), psi.end()};
    }
    const auto device = launch::host_device();
    launch::Buffer<T> now(*device, std::span<const T>(start)), later(*device, std::span<const T>(start)),
        source(*device, std::span<const T>(omega));
    const auto& kernel = *find_gpu_variant<T>(launch::Executor::host, "gpu_no_shared");
    const Tiling tiling{8, 4};
    kernel.prepare(device->stream(), p, tiling, kernel.carveout);
    for (int s = 0; s < sweeps; ++s, now.swap(later))
        kernel.sweep(device->stream(), p, tiling, 1, {now.data(), source.data(), later.data()});
    now.download(psi);
    return {psi.begin(), psi.end()};
}

template <class T>
void expect_equal_answers(const Problem& p, bool on_host) {
    for (const Decomposition& d : decompositions) {
        if (d.parts[0] > p.nx || d.parts[1] > p.ny) continue;
        ASSERT_EQ(cut_answer<T>(p, d, on_host), one_answer<T>(p, d.steps, on_host)) << d.text();
    }
}

TEST(RanksOfJacobi, OnTheCpuGiveTheAnswerOfCpuOpenmp) {
    for (const Problem& p : {channel(37, 23), channel(8, 7), channel(19, 41)}) {
        expect_equal_answers<float>(p, false);
        expect_equal_answers<double>(p, false);
    }
}

TEST(RanksOfJacobi, OnTheHostExecutorGiveTheAnswerOfGpuNoShared) {
    expect_equal_answers<float>(channel(37, 23), true);
    expect_equal_answers<double>(channel(11, 7), true);
}

TEST(RanksOfJacobi, AGridOfMorePointsThanAnIntCountsIsForRanksAlone) {
    EXPECT_THROW(channel(65536, 65536), std::invalid_argument);
    const Problem p = channel_among_ranks(65536, 65536);
    const ranks::Box far{{65530, 65530, 0}, {65536, 65536, 1}};
    const auto part = cpu_part<double>(p, far, 11, 1);
    part->start();
    part->update(0, {{65531, 65531, 0}, {65536, 65536, 1}});
    part->done(0);
    double outflow = 0, wall = 0;
    part->read(0, {{65535, 65533, 0}, {65536, 65534, 1}}, &outflow);
    part->read(0, {{65535, 65535, 0}, {65536, 65536, 1}}, &wall);
    EXPECT_EQ(outflow, initial_psi_at(p, 11, 65534, 65533));
    EXPECT_EQ(wall, initial_psi_at(p, 11, 65535, 65535));
}

}  // namespace
}  // namespace gridmark::jacobi

// Matrices of any three diagonals: solvers, their padding's bound, and passes over pieces.

#include "kernels/pyramid/medium.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/out_of_core.hpp"
#include "kernels/pyramid/pieces.hpp"
#include "kernels/pyramid/problem.hpp"
#include "kernels/random.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::pyramid_tests {
namespace {

using launch_tests::OnEach;
using pyramid::GpuVariant;
using pyramid::Medium;
using pyramid::Pieces;

/// The diagonals of a test, in double and as T.
template <class T>
struct Diagonals {
    std::vector<T> lower, diagonal, upper;
    Medium<T> medium() const { return {lower, diagonal, upper}; }
};

using Made = Diagonals<double> (*)(std::size_t n);

/// Any signs, dominant by 0.1 to 2.
Diagonals<double> random_medium(std::size_t n) {
    Diagonals<double> d;
    for (std::size_t i = 0; i < n; ++i) {
        d.lower.push_back(2 * unit_random(1, i) - 1);
        d.upper.push_back(2 * unit_random(2, i) - 1);
        const double size = std::abs(d.lower[i]) + std::abs(d.upper[i]) + 0.1 + 1.9 * unit_random(3, i);
        d.diagonal.push_back(unit_random(4, i) < 0.5 ? size : -size);
    }
    return d;
}

/// Heat in layers of 37 points, of conductivities from 0.01 to 10.
Diagonals<double> layered_medium(std::size_t n) {
    Diagonals<double> d;
    const auto conductivity = [](std::size_t i) { return std::pow(10, 3 * unit_random(5, i / 37) - 2); };
    for (std::size_t i = 0; i < n; ++i) {
        d.lower.push_back(-conductivity(i));
        d.upper.push_back(-conductivity(i + 1));
        d.diagonal.push_back(1 - d.lower[i] - d.upper[i]);
    }
    return d;
}

/// Dominant by a thousandth.
Diagonals<double> nearly_singular_medium(std::size_t n) {
    Diagonals<double> d;
    for (std::size_t i = 0; i < n; ++i) {
        d.lower.push_back(-0.5 - 0.5 * unit_random(6, i));
        d.upper.push_back(-0.5 - 0.5 * unit_random(7, i));
        d.diagonal.push_back(1e-3 - d.lower[i] - d.upper[i]);
    }
    return d;
}

Diagonals<double> rod_medium(std::size_t n) {
    return {std::vector<double>(n, -1.7), std::vector<double>(n, 1 + 2 * 1.7), std::vector<double>(n, -1.7)};
}

constexpr Made all_media[]{random_medium, layered_medium, nearly_singular_medium};

template <class T>
Diagonals<T> as(const Diagonals<double>& d) {
    const auto converted = [](const std::vector<double>& from) {
        return std::vector<T>(from.begin(), from.end());
    };
    return {converted(d.lower), converted(d.diagonal), converted(d.upper)};
}

std::vector<double> random_field(std::size_t n) {
    std::vector<double> u(n);
    for (std::size_t i = 0; i < n; ++i)
        u[i] = 2 * unit_random(8, i) - 1;
    return u;
}

double distance(std::span<const double> a, std::span<const double> b) {
    double error = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        error = std::isfinite(a[i]) ? std::max(error, std::abs(a[i] - b[i])) : HUGE_VAL;
    return error;
}

TEST(MediumReference, SolvesItsEquations) {
    for (const Made made : all_media)
        for (const std::size_t n : {1UL, 2UL, 3UL, 501UL}) {
            const auto d = made(n);
            const auto f = random_field(n), x = pyramid::reference_medium(d.medium(), f, 1);
            for (std::size_t i = 0; i < n; ++i) {
                const double row = (i > 0 ? d.lower[i] * x[i - 1] : 0) + d.diagonal[i] * x[i] +
                                   (i + 1 < n ? d.upper[i] * x[i + 1] : 0);
                ASSERT_NEAR(row, f[i], 1e-12 * (1 + std::abs(d.diagonal[i] * x[i]))) << "row " << i;
            }
        }
}

TEST(MediumLapack, GivesTheReferencesAnswer) {
    if (const auto why = pyramid::lapack_unavailable_reason(); !why.empty()) GTEST_SKIP() << why;
    for (const Made made : all_media)
        for (const std::size_t n : {1UL, 2UL, 3UL, 501UL}) {
            const auto d = made(n);
            auto x = random_field(n);
            const auto expected = pyramid::reference_medium(d.medium(), x, 2);
            pyramid::MediumLapack<double> lapack(d.medium());
            lapack.solve(x);
            lapack.solve(x);
            const double largest = distance(expected, std::vector<double>(n, 0.0));
            EXPECT_LE(distance(x, expected), 1e-10 * largest);
        }
}

TEST(Dominance, OfARodEndsWhereTheInverseFallsOff) {
    const auto d = rod_medium(50);
    EXPECT_NEAR(pyramid::dominance(d.medium(), 1), 1, 1e-12);
    EXPECT_NEAR(pyramid::dominance(d.medium(), 1 / pyramid::decay(1.7)), 0, 1e-12);
}

TEST(Dominance, NamesTheRowThatHasNone) {
    auto d = random_medium(50);
    EXPECT_EQ(pyramid::not_dominant(d.medium()), "");
    d.diagonal[17] = d.lower[17];
    EXPECT_NE(pyramid::not_dominant(d.medium()).find("row 17 is not dominant"), std::string::npos);
    EXPECT_THROW(pyramid::medium_padding(d.medium(), 1, 1e-6), std::invalid_argument);
    // What has no neighbour does not count.
    d = random_medium(50);
    d.lower.front() = d.upper.back() = 100;
    EXPECT_EQ(pyramid::not_dominant(d.medium()), "");
}

/// A pass of h steps over pieces, with the bound of its error and the largest value of the start.
double error_of_a_pass(const Diagonals<double>& d, std::span<const double> u, int h, std::size_t length,
                       std::size_t padding) {
    const Pieces pieces{u.size(), length, padding};
    std::vector<double> sum(u.size(), 0.0);
    for (std::size_t k = 0; k < pieces.count(); ++k) {
        const auto piece = pieces[k];
        const std::size_t first = piece.begin - piece.low;
        std::vector<double> f(piece.padded(), 0.0);
        for (std::size_t i = piece.begin; i < piece.end; ++i)
            f[i - first] = u[i];
        f = pyramid::reference_medium(d.medium().subspan(first, f.size()), f, h);
        for (std::size_t i = 0; i < f.size(); ++i)
            sum[first + i] += f[i];
    }
    return distance(sum, pyramid::reference_medium(d.medium(), u, h));
}

TEST(MediumPadding, KeepsTheToleranceAndIsNotMuchTooLong) {
    for (const Made made : {random_medium, layered_medium, rod_medium})
        for (const int h : {1, 4, 12})
            for (const double tolerance : {1e-3, 1e-8}) {
                const auto d = made(3001);
                const std::size_t padding = pyramid::medium_padding(d.medium(), h, tolerance);
                // Ones of the sign that adds up most.
                const std::vector<double> u(3001, 1.0);
                const double grown = std::pow(pyramid::dominance(d.medium(), 1), -h);
                EXPECT_LE(error_of_a_pass(d, u, h, std::max<std::size_t>(padding, 250), padding),
                          tolerance * grown);
                if (made == rod_medium) {
                    const std::size_t least = pyramid::minimal_padding(1.7, h, tolerance);
                    EXPECT_GE(padding, least);
                    EXPECT_LE(padding, 2 * least + 8);
                }
            }
}

TEST(MediumPadding, NoOtherWeightNeedsLess) {
    const auto d = layered_medium(500);
    const std::size_t padding = pyramid::medium_padding(d.medium(), 5, 1e-6);
    const double at_1 = pyramid::dominance(d.medium(), 1);
    for (double z = 1.0001; z < 3; z *= 1.0005)
        if (const double at_z = pyramid::dominance(d.medium(), z); at_z > 0) {
            EXPECT_GT(pyramid::medium_padding_error(at_1, at_z, z, 5, padding - 1), 1e-6) << z;
        }
}

class Media : public OnEach {
  protected:
    /// Steps of the whole rod in the device's memory.
    template <class T>
    std::vector<double> steps(const GpuVariant<T>& solver, const Diagonals<T>& d, std::span<const double> u,
                              int count) {
        const std::vector<T> start(u.begin(), u.end());
        launch::Buffer<T> x(*device, std::span<const T>(start)), scratch(*device, solver.scratch(u.size()));
        std::size_t first = 0;
        for (const auto* diagonal : {&d.lower, &d.diagonal, &d.upper}) {
            device->upload(scratch.data() + first, diagonal->data(), diagonal->size() * sizeof(T));
            first += pyramid::aligned<T>(u.size());
        }
        solver.prepare(device->stream(), 0, u.size(), scratch.data());
        for (int k = 0; k < count; ++k)
            solver.solve(device->stream(), 0, u.size(), 1, x.data(), nullptr, scratch.data());
        device->synchronize();
        std::vector<T> got(u.size());
        x.download(got);
        return {got.begin(), got.end()};
    }
    template <class T>
    void check() {
        for (const auto& rod : pyramid::gpu_variants<T>(device->executor())) {
            if (rod.medium == nullptr || !rod.medium->unavailable_reason(0).empty()) continue;
            for (const Made made : all_media)
                for (const std::size_t m : {1UL, 2UL, 3UL, 4UL, 7UL, 1023UL, 1024UL, 1025UL, 5000UL}) {
                    if (m < 3 && rod.name == "gpu_cusparse") continue;
                    const auto d = as<T>(made(m));
                    const auto exact = as<double>({{d.lower.begin(), d.lower.end()},
                                                   {d.diagonal.begin(), d.diagonal.end()},
                                                   {d.upper.begin(), d.upper.end()}});
                    const auto u = as<double>({random_field(m), {}, {}}).lower;
                    const auto expected = pyramid::reference_medium(exact.medium(), u, 3);
                    const double grown = std::pow(pyramid::dominance(exact.medium(), 1), -3);
                    EXPECT_LE(distance(steps<T>(*rod.medium, d, u, 3), expected),
                              rod.medium->rounding * pyramid::medium_rounding_bound(d.medium(), 3) * grown)
                        << rod.name << ", m " << m;
                }
        }
    }
};

TEST_P(Media, SolveInFloat) {
    check<float>();
}
TEST_P(Media, SolveInDouble) {
    check<double>();
}

TEST_P(Media, StreamWithEveryDriver) {
    constexpr std::size_t n = 4001;
    const auto* const solver =
        pyramid::find_gpu_variant<double>(device->executor(), "gpu_cyclic_reduction")->medium;
    const auto d = layered_medium(n);
    launch::Pinned<double> lower(*device, n), diagonal(*device, n), upper(*device, n);
    std::copy(d.lower.begin(), d.lower.end(), lower.span().begin());
    std::copy(d.diagonal.begin(), d.diagonal.end(), diagonal.span().begin());
    std::copy(d.upper.begin(), d.upper.end(), upper.span().begin());
    const Medium<double> medium{lower.span(), diagonal.span(), upper.span()};
    constexpr int h = 3;
    const auto start = random_field(n);
    const auto expected = pyramid::reference_medium(d.medium(), start, 2 * h);
    const Pieces pieces{n, 700, pyramid::medium_padding(d.medium(), h, 1e-9)};
    ASSERT_LT(pieces.padding, pieces.length);
    launch::Buffer<double> memory(*device, pyramid::overlapped_values(*solver, pieces));
    for (const auto driver : {pyramid::synchronous_driver<double>, pyramid::one_layer_driver<double>,
                              pyramid::overlapped_driver<double>}) {
        const bool one_layer = driver == pyramid::one_layer_driver<double>;
        launch::Pinned<double> now(*device, n), next(*device, n);
        std::copy(start.begin(), start.end(), now.span().begin());
        const auto passes = driver(*device, *solver, medium, pieces, memory.data(), 1);
        passes->pass(now.span(), one_layer ? now.span() : next.span(), h);
        passes->pass(one_layer ? now.span() : next.span(), now.span(), h);
        EXPECT_LE(distance(now.span(), expected), 2e-9);
        // Four arrays of every padded piece go up but for the field's padding, one comes down.
        EXPECT_EQ(passes->traffic().moved.up, 2 * (n + 3 * pieces.padded()) * sizeof(double));
        EXPECT_EQ(passes->traffic().moved.down, 2 * pieces.padded() * sizeof(double));
    }
}

INSTANTIATE_TEST_SUITE_P(On, Media, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

TEST(Pair, IsARodWithSigns) {
    // R x = f by the rod's reference, x = factor D R^-1 D f: it must solve a x[i-1] + b x[i] + a x[i+1] = f.
    for (const auto& [a, b] : {std::pair{1.0, 2.5}, {-1.0, 3.0}, {0.5, -1.2}, {-0.5, -1.2}, {3.0, 700.0}}) {
        constexpr std::size_t n = 40;
        const auto pair = pyramid::pair_of(a, b);
        const auto f = random_field(n);
        auto x = f;
        const auto sign = [&](std::size_t i) { return pair.alternating && i % 2 == 1 ? -1 : 1; };
        for (std::size_t i = 0; i < n; ++i)
            x[i] *= sign(i);
        x = pyramid::reference_solve({n, pair.s}, x, 1);
        for (std::size_t i = 0; i < n; ++i)
            x[i] *= sign(i) * pair.factor;
        for (std::size_t i = 0; i < n; ++i)
            ASSERT_NEAR(a * (i > 0 ? x[i - 1] : 0) + b * x[i] + a * (i + 1 < n ? x[i + 1] : 0), f[i], 1e-13);
    }
    for (const auto& [a, b] : {std::pair{1.0, 2.0}, {0.0, 1.0}, {1.0, -1.5}, {-1.0, 2.0000001}})
        EXPECT_THROW(pyramid::pair_of(a, b), std::invalid_argument) << a << ", " << b;
}

}  // namespace
}  // namespace gridmark::pyramid_tests

// Stencils through shared memory against a serial loop, to the last bit, whatever the order of the threads.

#include <cstring>
#include <random>

#include "tests/launch/kernels.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::launch_tests {
namespace {

template <class T>
constexpr Weights<T> weights{T(0.3), T(0.21), T(0.17)};

template <class T>
std::vector<T> random_field(int nx, int ny) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T> field(static_cast<std::size_t>(nx * ny));
    for (T& value : field)
        value = uniform(engine);
    return field;
}

template <class T>
std::vector<T> serial(const std::vector<T>& from, int nx, int ny) {
    const auto at = [&](int x, int y) {
        return x >= 0 && x < nx && y >= 0 && y < ny ? from[static_cast<std::size_t>(y * nx + x)] : T(0);
    };
    std::vector<T> to;
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
            to.push_back(
                five_points(weights<T>, at(x, y), at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)));
    return to;
}

// A GPU contracts multiplications and additions; there the last bits may differ.
template <class T>
void expect_equal(const std::vector<T>& got, const std::vector<T>& expected, bool gpu) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (gpu)
            ASSERT_NEAR(got[i], expected[i], 1e-6) << "at " << i;
        else
            ASSERT_EQ(std::memcmp(&got[i], &expected[i], sizeof(T)), 0) << "at " << i << ": " << got[i];
    }
}

using OnSizes = OnEach;

TEST_P(OnSizes, StencilEqualsSerialLoop) {
    // Smaller than a tile, exact tiles, one more and one less, and a size with nothing in common with a tile.
    // No structured binding: clang 14 captures none in a lambda.
    for (const auto& size : {std::pair{1, 1}, {5, 3}, {16, 8}, {32, 24}, {33, 25}, {31, 23}, {97, 41}}) {
        const int nx = size.first, ny = size.second;
        SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny));
        const auto check = [&]<class T>(T, auto static_tile, auto dynamic_tile) {
            const auto from = random_field<T>(nx, ny);
            const auto expected = serial(from, nx, ny);
            const launch::Buffer<T> device_from(*device, from);
            const auto run = [&](auto step) {
                return result<T>(from.size(), [&](T* to) {
                    step(device->stream(), weights<T>, device_from.data(), to, nx, ny);
                });
            };
            expect_equal(run(static_tile), expected, GetParam().gpu);
            expect_equal(run(dynamic_tile), expected, GetParam().gpu);
        };
        check(0.0f, GRIDMARK_SELECT(device->stream(), stencil_static),
              GRIDMARK_SELECT(device->stream(), stencil_dynamic));
        check(0.0, GRIDMARK_SELECT(device->stream(), stencil_static_double),
              GRIDMARK_SELECT(device->stream(), stencil_dynamic_double));
    }
}

INSTANTIATE_TEST_SUITE_P(Launch, OnSizes, testing::ValuesIn(all_targets()), target_name);

}  // namespace
}  // namespace gridmark::launch_tests

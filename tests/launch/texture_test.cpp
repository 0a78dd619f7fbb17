// A 3-D texture gives back what was put in, and its edge outside.

#include "kernels/launch/texture.hpp"

#include <algorithm>
#include <random>

#include "tests/launch/kernels.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::launch_tests {
namespace {

using Texture = OnEach;

constexpr int rim = 3;

template <class T, class Fetch>
void expect_clamped_copy(launch::Device& device, int nx, int ny, int nz, Fetch fetch) {
    SCOPED_TRACE(std::to_string(nx) + "x" + std::to_string(ny) + "x" + std::to_string(nz));
    std::mt19937 engine(5);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T> values(static_cast<std::size_t>(nx) * ny * nz);
    std::generate(values.begin(), values.end(), [&] { return uniform(engine); });
    launch::Texture3<T> texture;
    {
        // The texture is a copy: its source changes and goes away.
        launch::Buffer<T> source(device, std::span<const T>(values));
        texture = launch::Texture3<T>(device, source, nx, ny, nz);
        device.fill_bytes(source.data(), 0, source.size() * sizeof(T));
    }
    std::vector<T> got(static_cast<std::size_t>(nx + 2 * rim) * (ny + 2 * rim) * (nz + 2 * rim));
    launch::Buffer<T> to(device, got.size());
    fetch(device.stream(), texture.view(), to.data());
    to.download(got);
    std::size_t at = 0;
    for (int z = -rim; z < nz + rim; ++z)
        for (int y = -rim; y < ny + rim; ++y)
            for (int x = -rim; x < nx + rim; ++x, ++at) {
                const int i = std::clamp(x, 0, nx - 1), j = std::clamp(y, 0, ny - 1),
                          k = std::clamp(z, 0, nz - 1);
                ASSERT_EQ(got[at], values[i + nx * (j + static_cast<std::size_t>(ny) * k)])
                    << "at " << x << ", " << y << ", " << z;
            }
}

TEST_P(Texture, GivesFloats) {
    const auto fetch = [](launch::Stream stream, const auto& view, float* to) {
        GRIDMARK_SELECT(stream, fetch_floats)(stream, view, to, rim);
    };
    expect_clamped_copy<float>(*device, 37, 29, 11, fetch);
    expect_clamped_copy<float>(*device, 1, 1, 1, fetch);
    expect_clamped_copy<float>(*device, 64, 2, 3, fetch);
}

TEST_P(Texture, GivesDoublesToTheLastBit) {
    const auto fetch = [](launch::Stream stream, const auto& view, double* to) {
        GRIDMARK_SELECT(stream, fetch_doubles)(stream, view, to, rim);
    };
    expect_clamped_copy<double>(*device, 37, 29, 11, fetch);
    expect_clamped_copy<double>(*device, 5, 1, 2, fetch);
}

TEST_P(Texture, RefusesSizesThatDoNotFitItsValues) {
    const launch::Buffer<float> values(*device, 12);
    EXPECT_EQ(error_of([&] { launch::Texture3<float>(*device, values, 3, 2, 1); }),
              "a texture's sizes do not fit its values");
    EXPECT_NE(error_of([&] { launch::Texture3<float>(*device, values, -3, -4, 1); }), "");
}

INSTANTIATE_TEST_SUITE_P(Devices, Texture, testing::ValuesIn(all_targets()), target_name);

}  // namespace
}  // namespace gridmark::launch_tests

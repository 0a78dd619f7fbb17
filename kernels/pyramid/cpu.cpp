#include "kernels/pyramid/cpu.hpp"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/isa.hpp"
#include "kernels/precision.hpp"
#include "kernels/pyramid/cpu_tiles.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/recurrence.hpp"
#include "kernels/pyramid/thomas.hpp"

namespace gridmark::pyramid {
namespace {

template <class T>
auto widest() {
    return for_precision<T>(for_widest_isa(GRIDMARK_VERSIONS(tiles_float)),
                            for_widest_isa(GRIDMARK_VERSIONS(tiles_double)));
}

/// x from begin to end, which may touch the rod's ends: by Thomas's algorithm on them and `reach` values more
/// at either side.
template <class T>
void solve_part(const Thomas<T>& thomas, std::span<const T> f, std::span<T> x, std::size_t begin,
                std::size_t end, std::size_t reach) {
    const std::size_t low = begin - std::min(begin, reach), high = std::min(f.size(), end + reach);
    std::vector<T> part(f.begin() + static_cast<std::ptrdiff_t>(low),
                        f.begin() + static_cast<std::ptrdiff_t>(high));
    thomas.solve(std::span<T>(part));
    std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(begin - low), end - begin,
                x.begin() + static_cast<std::ptrdiff_t>(begin));
}

}  // namespace

template <class T>
void cpu_openmp(const Problem& p, std::span<const T> f, std::span<T> x, int threads) {
    const int reach = reach_of<T>(p.s);
    const auto far = static_cast<std::size_t>(reach);
    const int length = std::max(256, 4 * reach);
    const std::size_t batch_length = static_cast<std::size_t>(length) * lanes;
    // Whole batches with their surroundings inside the rod; what is left at its ends goes to Thomas.
    const std::size_t batches = p.n > 2 * far ? (p.n - 2 * far) / batch_length : 0;
    const Thomas<T> thomas(p.s, p.n);
    const auto tiles = widest<T>();
    const Ratios<T> ratios = ratios_of<T>(p.s);
#pragma omp parallel num_threads(threads)
    {
        std::vector<T> scratch(static_cast<std::size_t>(length + 2 * reach) * lanes);
#pragma omp for schedule(static)
        for (std::size_t k = 0; k < batches; ++k)
            tiles({f.data(), x.data(), scratch.data(), static_cast<std::ptrdiff_t>(far + k * batch_length),
                   length, reach, ratios.point, ratios.scale});
    }
    const std::size_t done = batches == 0 ? 0 : far + batches * batch_length;
    if (batches > 0) solve_part(thomas, f, x, 0, far, far);
    solve_part(thomas, f, x, done, p.n, far);
}

namespace host {

/// By all threads: it stands in a device's place.
template <class T>
GpuVariant<T> cpu_in_device_place() {
    return {.name = "cpu_openmp",
            .on_cpu = true,
            .solve =
                [](launch::Stream, double s, std::size_t m, int, T* f, T* x, T*) {
                    cpu_openmp<T>({m, s}, {f, m}, {x, m}, omp_get_max_threads());
                },
            .demand = [](double, std::size_t, int,
                         const launch::Chip&) { return std::vector<launch::Demand>(1); }};
}

GRIDMARK_INSTANTIATE_VARIANT(cpu_in_device_place);

}  // namespace host

template void cpu_openmp(const Problem&, std::span<const float>, std::span<float>, int);
template void cpu_openmp(const Problem&, std::span<const double>, std::span<double>, int);

}  // namespace gridmark::pyramid

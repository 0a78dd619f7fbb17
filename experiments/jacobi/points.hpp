#pragma once

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/points.hpp"
#include "kernels/jacobi/gpu.hpp"

/// What the plan's parts share: the paper's configurations, the kernels, and points with their parameters.
namespace gridmark::jacobi {

using harness::all_clocks;
using harness::Point;
using harness::precision_name;
using launch::Carveout;

/// Table 1's seven pairs of tile and block, in its order.
constexpr Tiling table_1[] = {{32, 4}, {16, 4}, {8, 4}, {4, 4}, {32, 8}, {16, 8}, {32, 16}};

struct Size {
    int nx, ny;
    double points() const { return static_cast<double>(nx) * ny; }
};
constexpr Size published{512, 256};

inline const char* carveout_name(Carveout carveout) {
    return carveout == Carveout::prefer_shared ? "shared" : "l1";
}

/// The kernels of a preset follow from the entries of its variants.
using Kernel = GpuVariant<float>;
inline std::vector<const Kernel*> kernels_that(bool (*matches)(const Kernel&)) {
    std::vector<const Kernel*> kernels;
    for (const Kernel& kernel : gpu_variants<float>(launch::Executor::host))
        if (matches(kernel)) kernels.push_back(&kernel);
    return kernels;
}
inline bool is_published(const Kernel& kernel) {
    return kernel.origin == launch::Origin::published;
}
inline bool is_ablation(const Kernel& kernel) {
    return !kernel.ablation_of.empty();
}

template <class T>
Point base_point(const std::string& variant, Size size) {
    return harness::field_point<T>("jacobi", variant, fmt::format("{}x{}", size.nx, size.ny),
                                   {{"nx", size.nx}, {"ny", size.ny}}, size.points() * bytes_per_point<T>,
                                   size.points() * flops_per_point);
}

template <class T>
Point tiled_point(const std::string& variant, Size size, Tiling tiling, Carveout carveout) {
    Point point = base_point<T>(variant, size);
    const std::string tile = fmt::format("32x{}", tiling.tile_y),
                      block = fmt::format("32x{}", tiling.block_y);
    point.add(tile, {{"tile", tile}});
    point.add(block, {{"block", block}});
    point.add(carveout_name(carveout), {{"carveout", carveout_name(carveout)}});
    return point;
}

/// Bytes of a case's fields, its reference while it is made, and three versions' two buffers each.
template <class T>
double host_bytes(Size size);

/// Rows of a tile or a block: the setting `tile_y`, or `tile` as a row's parameter has it, "32x16".
int side_of(const harness::Settings& settings, const std::string& key, int otherwise);
/// The cache split that is asked for; none: the kernel's own.
std::optional<Carveout> carveout_of(const harness::Settings& settings);

/// Sizes of the user's own (harness::Experiment).
std::set<std::string> axes();
std::vector<Point> points(const harness::PlanContext& context, const std::string& variant,
                          const harness::Settings& settings);

/// Adds what the profiler counts at the paper's size, in single precision: instructions, L1 hit rates.
void add_profiled(harness::Plan& plan);

}  // namespace gridmark::jacobi

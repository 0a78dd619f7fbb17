#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/launch/demand.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/dispatch.hpp"
#include "kernels/launch/kernel_info.hpp"
#include "kernels/launch/variants.hpp"
#include "kernels/maxwell/chains.hpp"
#include "kernels/maxwell/faces.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "kernels/maxwell/whole_step.hpp"

/// The study's kernels, for either executor (a GPU or the host).
namespace gridmark::maxwell {

/// Who sets the ghosts and adds the current where all else lies on the device: kernels of a block for each
/// row, as the paper launches them; kernels of tiles; or the CPU, to which the faces go in every step.
enum class Faces { rows, tiles, host };

/// Kernels of a step beside the half steps. On the device: current, wave, and three for the faces. On the
/// CPU: the current, and one each that packs and unpacks.
constexpr int face_launches(Faces faces) {
    return faces == Faces::host ? 3 : 5;
}

/// A GPU version. It does the half steps of planes x0 ... x1 - 1, in place; or whole steps, from one set of
/// fields into another. Each kernel file ends with the entry of its own; the build lists them.
template <class T>
struct GpuVariant {
    std::string_view name;
    launch::Origin origin = launch::Origin::optimised;
    int launches = 1;        ///< kernels of both half steps, or of the whole step
    double values_per_cell;  ///< that they move at least
    bool by_index = false;   ///< takes its coefficients from WholeStep::index
    bool looks_up = false;   ///< takes the cells' materials from Arrays::cells
    /// What the paper says of its versions, tried out: measured at its size alone.
    bool ablation = false;
    Faces faces = Faces::tiles;
    int flops_per_cell = maxwell::flops_per_cell;
    void (*advance_e)(launch::Stream, const Arrays<T>&, int x0, int x1) = nullptr;
    void (*advance_h)(launch::Stream, const Arrays<T>&, int x0, int x1) = nullptr;
    /// A kernel of one component of a half step, for a version that launches the three of a field into
    /// streams of their own; null for others.
    void (*advance_one)(launch::Stream, const Arrays<T>&, int component, int x0, int x1) = nullptr;
    /// Null for a version of half steps.
    void (*step)(launch::Stream, const WholeStep<T>&) = nullptr;
    /// Of the (first) kernel of E.
    std::optional<launch::KernelInfo> (*info)(const Layout&) = [](const Layout&) {
        return std::optional<launch::KernelInfo>();
    };
    /// What the half steps of nx * ny * nz cells, or a whole step, ask of a chip, without the faces' kernels;
    /// null: it has a limit, and no model.
    std::vector<launch::Demand> (*demand)(int nx, int ny, int nz, const launch::Chip&) = nullptr;

    /// Kernels of a step with everything on the device.
    constexpr int step_launches() const {
        return step != nullptr ? launches : launches + face_launches(faces);
    }
};

/// The versions compiled for `executor`; empty for the GPU when built without the CUDA toolkit.
template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);

/// The version of that name, or nullptr.
template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name);

/// What the kernels of a step for the faces ask, as alike ones: small ones, each a few loads long. A face of
/// H has four values of a point read and four written, for both its sides; the current adds to two.
template <class T>
launch::Demand faces_demand(Faces faces, double nx, double ny, double nz) {
    const double launches = face_launches(faces), sides = ny * nz + nz * nx + nx * ny, currents = nx * ny,
                 threads = faces == Faces::rows ? nz : 256;
    return {.blocks = faces == Faces::rows ? ny : launch::pieces(ny * nz, threads),
            .block_threads = threads,
            .memory_bytes = (8 * sides + 4 * currents) * sizeof(T) / launches,
            .units = {(sides + currents) / launches},
            .kernel = "(current|wave|[xyz])_kernel",
            .code_share = 1,
            .chain = chains::face,
            .times = launches};
}

// clang-format off
GRIDMARK_BOTH_EXECUTORS(
    /// Adds the current of the source's step, which lies on the device, to E at z_min.
    template <class T> void add_current_gpu(launch::Stream, const Arrays<T>&, Faces, const Drive* drive);
    /// Advances source and wave, on the device both, by a step.
    template <class T> void advance_wave_gpu(launch::Stream, const Wave<T>&, Drive* drive, const T* half,
                                             const T* node, T dct);
    /// Sets all ghosts of H.
    template <class T> void set_ghosts_gpu(launch::Stream, const Arrays<T>&, Faces, const Wave<T>&);
    /// Between the fields and a buffer of face_values: E at the six faces, and the ghosts of H.
    template <class T> void pack_faces_gpu(launch::Stream, const Arrays<T>&, T* packed);
    template <class T> void unpack_faces_gpu(launch::Stream, const Arrays<T>&, const T* packed);)
// clang-format on

}  // namespace gridmark::maxwell

#include <algorithm>
#include <array>
#include <stdexcept>

#include "kernels/jacobi/gpu.hpp"
#include "kernels/jacobi/gpu_several.hpp"
#include "kernels/launch/variants.hpp"

namespace gridmark::jacobi {

#define GRIDMARK_DECLARE(NAME)                                                                \
    template <class T>                                                                        \
    void prepare_##NAME(launch::Stream, const Problem&, const Tiling&, launch::Carveout);     \
    template <class T>                                                                        \
    void sweep_##NAME(launch::Stream, const Problem&, const Tiling&, const T*, const T*, T*); \
    template <class T>                                                                        \
    std::optional<launch::KernelInfo> info_##NAME(const Tiling&);

#define GRIDMARK_VARIANTS(EXECUTOR)                                                                   \
    namespace EXECUTOR {                                                                              \
    GRIDMARK_DECLARE(shared)                                                                          \
    GRIDMARK_DECLARE(no_shared)                                                                       \
    GRIDMARK_DECLARE(rows)                                                                            \
    template <class T>                                                                                \
    constexpr std::array<GpuVariant<T>, 3> variants{{                                                 \
        {"gpu_shared", check_shared_tiling, prepare_shared<T>, sweep_shared<T>, info_shared<T>},      \
        {"gpu_no_shared", check_tiling, prepare_no_shared<T>, sweep_no_shared<T>, info_no_shared<T>}, \
        {"gpu_rows", check_tiling, prepare_rows<T>, sweep_rows<T>, info_rows<T>},                     \
    }};                                                                                               \
    }

GRIDMARK_VARIANTS(host)
#if GRIDMARK_HAS_CUDA
GRIDMARK_VARIANTS(cuda)
#endif

GRIDMARK_DEFINE_GPU_VARIANTS

#define GRIDMARK_DECLARE_SEVERAL(NAME)                                                      \
    template <class T>                                                                      \
    void sweeps_##NAME(launch::Stream, const Problem&, int, const T*, const T*, T*, void*); \
    template <class T>                                                                      \
    std::optional<launch::KernelInfo> info_##NAME();

#define GRIDMARK_SEVERAL(EXECUTOR)                                                              \
    namespace EXECUTOR {                                                                        \
    template <class T>                                                                          \
    void check_persistent(const Problem&);                                                      \
    template <class T>                                                                          \
    std::size_t scratch_persistent(const Problem&);                                             \
    GRIDMARK_DECLARE_SEVERAL(persistent)                                                        \
    GRIDMARK_DECLARE_SEVERAL(blocked_8)                                                         \
    GRIDMARK_DECLARE_SEVERAL(blocked_12)                                                        \
    template <class T>                                                                          \
    constexpr std::array<GpuSeveral<T>, 3> several{{                                            \
        {"gpu_persistent", persistent_sweeps, up_to<persistent_sweeps>, check_persistent<T>,    \
         scratch_persistent<T>, sweeps_persistent<T>, info_persistent<T>},                      \
        {"gpu_blocked_8", 8, all_or_one<8>, check_nothing, no_scratch, sweeps_blocked_8<T>,     \
         info_blocked_8<T>},                                                                    \
        {"gpu_blocked_12", 12, all_or_one<12>, check_nothing, no_scratch, sweeps_blocked_12<T>, \
         info_blocked_12<T>},                                                                   \
    }};                                                                                         \
    }

namespace {
template <int most>
int up_to(int left) {
    return std::min(left, most);
}
template <int most>
int all_or_one(int left) {
    return left >= most ? most : 1;
}
void check_nothing(const Problem&) {}
std::size_t no_scratch(const Problem&) {
    return 0;
}
}  // namespace

GRIDMARK_SEVERAL(host)
#if GRIDMARK_HAS_CUDA
GRIDMARK_SEVERAL(cuda)
#endif

template <class T>
std::span<const GpuSeveral<T>> gpu_several(launch::Executor executor) {
    if (executor == launch::Executor::host) return host::several<T>;
#if GRIDMARK_HAS_CUDA
    return cuda::several<T>;
#else
    return {};
#endif
}

template <class T>
const GpuSeveral<T>* find_gpu_several(launch::Executor executor, std::string_view name) {
    for (const GpuSeveral<T>& version : gpu_several<T>(executor))
        if (version.name == name) return &version;
    return nullptr;
}

#define GRIDMARK_INSTANTIATE(T)                                            \
    template std::span<const GpuSeveral<T>> gpu_several(launch::Executor); \
    template const GpuSeveral<T>* find_gpu_several(launch::Executor, std::string_view);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

void check_tiling(const Tiling& t) {
    if (t.tile_y < 1 || t.block_y < 1) throw std::invalid_argument("tile_y and block_y must be at least 1");
    if (t.block_y > 32)
        throw std::invalid_argument("block_y must be at most 32: a block has at most 1024 threads");
    if (t.tile_y % t.block_y != 0)
        throw std::invalid_argument(
            "tile_y must be a multiple of block_y: each thread works tile_y / block_y rows");
}

void check_shared_tiling(const Tiling& t) {
    check_tiling(t);
    if (t.block_y < 3)
        throw std::invalid_argument(
            "block_y must be at least 3: thread rows 1 and 2 load the halo's columns");
    if (t.tile_y > 32) throw std::invalid_argument("tile_y must be at most 32: one lane loads each halo row");
}

}  // namespace gridmark::jacobi

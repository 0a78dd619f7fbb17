#include <algorithm>
#include <array>
#include <stdexcept>

#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/launch/variants.hpp"

namespace gridmark::ginzburg_landau {
namespace {

void check_block(int block) {
    if (block < 1 || block > 1024) throw std::invalid_argument("block must lie between 1 and 1024");
}

void check_overlapping_block(int block) {
    check_block(block);
    if (block <= overlap)
        throw std::invalid_argument("block must be above 8: neighbouring blocks overlap by 8 points");
}

}  // namespace

int overlapping_blocks(int n, int block) {
    const int advance = block - overlap;
    return std::max(1, (n - overlap + advance - 1) / advance);
}

double repeated_share(int n, int block) {
    return static_cast<double>(overlap) * (overlapping_blocks(n, block) - 1) / n;
}

#define GRIDMARK_DECLARE(NAME)                                               \
    template <class T>                                                       \
    void step_##NAME(launch::Stream, const Problem&, int, const T*, T*, T*); \
    template <class T>                                                       \
    std::optional<launch::KernelInfo> info_##NAME(int);

#define GRIDMARK_VARIANTS(EXECUTOR)                                                          \
    namespace EXECUTOR {                                                                     \
    GRIDMARK_DECLARE(overlap8)                                                               \
    GRIDMARK_DECLARE(relaunch)                                                               \
    template <class T>                                                                       \
    constexpr std::array<GpuVariant<T>, 2> variants{{                                        \
        {"gpu_overlap8", 0, 1, check_overlapping_block, step_overlap8<T>, info_overlap8<T>}, \
        {"gpu_relaunch", 2, 4, check_block, step_relaunch<T>, info_relaunch<T>},             \
    }};                                                                                      \
    }

GRIDMARK_VARIANTS(host)
#if GRIDMARK_HAS_CUDA
GRIDMARK_VARIANTS(cuda)
#endif

GRIDMARK_DEFINE_GPU_VARIANTS

}  // namespace gridmark::ginzburg_landau

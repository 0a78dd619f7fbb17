#include <algorithm>
#include <array>
#include <stdexcept>

#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/launch/variants.hpp"

namespace gridmark::ginzburg_landau {
namespace {

void check_block(const Problem&, int block) {
    if (block < 1 || block > 1024) throw std::invalid_argument("block must lie between 1 and 1024");
}

void check_overlapping_block(const Problem& p, int block) {
    check_block(p, block);
    if (block <= overlap)
        throw std::invalid_argument("block must be above 8: neighbouring blocks overlap by 8 points");
}

/// For versions that choose their blocks themselves.
void check_nothing(const Problem&, int) {}

}  // namespace

int overlapping_blocks(int n, int block) {
    const int advance = block - overlap;
    return std::max(1, (n - overlap + advance - 1) / advance);
}

double repeated_share(int n, int block) {
    return static_cast<double>(overlap) * (overlapping_blocks(n, block) - 1) / n;
}

#define GRIDMARK_DECLARE(NAME)                                                    \
    template <class T>                                                            \
    void step_##NAME(launch::Stream, const Problem&, int, int, const T*, T*, T*); \
    template <class T>                                                            \
    std::optional<launch::KernelInfo> info_##NAME(const Problem&, int);

#define GRIDMARK_VARIANTS(EXECUTOR)                                                                    \
    namespace EXECUTOR {                                                                               \
    GRIDMARK_DECLARE(overlap8)                                                                         \
    GRIDMARK_DECLARE(relaunch)                                                                         \
    GRIDMARK_DECLARE(registers)                                                                        \
    GRIDMARK_DECLARE(persistent)                                                                       \
    template <class T>                                                                                 \
    void check_persistent(const Problem&, int);                                                        \
    template <class T>                                                                                 \
    constexpr std::array<GpuVariant<T>, 4> table{{                                                     \
        {"gpu_overlap8", 0, 1, 1, check_overlapping_block, step_overlap8<T>, info_overlap8<T>},        \
        {"gpu_relaunch", 2, 4, 1, check_block, step_relaunch<T>, info_relaunch<T>},                    \
        {"gpu_registers", 0, 1, registers_steps, check_nothing, step_registers<T>, info_registers<T>}, \
        {"gpu_persistent", 5, 1, persistent_steps, check_persistent<T>, step_persistent<T>,            \
         info_persistent<T>},                                                                          \
    }};                                                                                                \
    template <class T>                                                                                 \
    std::span<const GpuVariant<T>> variants() {                                                        \
        return table<T>;                                                                               \
    }                                                                                                  \
    }

GRIDMARK_VARIANTS(host)
#if GRIDMARK_HAS_CUDA
GRIDMARK_VARIANTS(cuda)
#endif

GRIDMARK_DEFINE_GPU_VARIANTS

}  // namespace gridmark::ginzburg_landau

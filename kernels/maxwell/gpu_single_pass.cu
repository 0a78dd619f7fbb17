// A whole step in one launch, coefficients from the nine arrays: 84 bytes a node in float.
#include "kernels/maxwell/gpu_single_pass.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

template <class T>
void step_single_pass(launch::Stream stream, const Pass<T>& pass) {
    single_pass::step<T, FromArrays<T>>(stream, pass, single_pass::tiling<T>(pass.now.layout, pass.planes));
}

template <class T>
std::optional<launch::KernelInfo> info_single_pass(const Layout& layout) {
    return single_pass::info<T, FromArrays<T>>(layout);
}

#define GRIDMARK_INSTANTIATE(T)                                     \
    template void step_single_pass(launch::Stream, const Pass<T>&); \
    template std::optional<launch::KernelInfo> info_single_pass<T>(const Layout&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR

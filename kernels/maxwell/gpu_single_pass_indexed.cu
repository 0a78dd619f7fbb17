// A whole step in one launch, coefficients by index: 50 bytes a node in float.
#include "kernels/maxwell/gpu_single_pass.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

template <class T>
void step_single_pass_indexed(launch::Stream stream, const Pass<T>& pass) {
    single_pass::step<T, FromIndex<T>>(stream, pass, single_pass::tiling<T>(pass.now.layout, pass.planes));
}

template <class T>
std::optional<launch::KernelInfo> info_single_pass_indexed(const Layout& layout) {
    return single_pass::info<T, FromIndex<T>>(layout);
}

#define GRIDMARK_INSTANTIATE(T)                                             \
    template void step_single_pass_indexed(launch::Stream, const Pass<T>&); \
    template std::optional<launch::KernelInfo> info_single_pass_indexed<T>(const Layout&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR

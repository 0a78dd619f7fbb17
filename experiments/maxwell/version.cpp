#include "experiments/maxwell/version.hpp"

namespace gridmark::maxwell {

Version version_of(const std::string& variant) {
    if (variant == "cpu_openmp") return {"", 0};
    if (variant == "gpu_streamed") return {"gpu_in_core", synchronous_buffers};
    if (variant == "gpu_streamed_overlapped") return {"gpu_in_core_fused", overlapped_buffers};
    if (variant == "gpu_streamed_skewed") return {"gpu_single_pass", 0, true};
    if (variant == "gpu_streamed_skewed_indexed") return {"gpu_single_pass_indexed", 0, true};
    return {variant, 0};
}

}  // namespace gridmark::maxwell

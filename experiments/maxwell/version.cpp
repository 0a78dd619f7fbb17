#include "experiments/maxwell/version.hpp"

namespace gridmark::maxwell {

Version version_of(const std::string& variant) {
    if (variant == "cpu_openmp") return {"", 0};
    if (variant == "gpu_streamed") return {"gpu_in_core", synchronous_rooms};
    if (variant == "gpu_streamed_overlapped") return {"gpu_in_core_fused", overlapped_rooms};
    return {variant, 0};
}

}  // namespace gridmark::maxwell

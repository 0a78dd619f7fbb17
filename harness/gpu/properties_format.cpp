#include <array>
#include <string_view>
#include <utility>

#include "harness/gpu/properties.hpp"

namespace gridmark::harness {

Expected<int> cores_per_multiprocessor(const std::string& compute_capability) {
    constexpr std::array<std::pair<std::string_view, int>, 18> known_cores{{
        {"5.0", 128},
        {"5.2", 128},
        {"5.3", 128},
        {"6.0", 64},
        {"6.1", 128},
        {"6.2", 128},
        {"7.0", 64},
        {"7.2", 64},
        {"7.5", 64},
        {"8.0", 64},
        {"8.6", 128},
        {"8.7", 128},
        {"8.9", 128},
        {"9.0", 128},
        {"10.0", 128},
        {"10.3", 128},
        {"12.0", 128},
        {"12.1", 128},
    }};
    for (const auto& [capability, cores] : known_cores)
        if (capability == compute_capability) return known(cores);
    return unknown<int>("how many cores a multiprocessor of compute capability " + compute_capability +
                        " has is not known here");
}

std::string format_gpu_uuid(const unsigned char (&bytes)[16]) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += digits[bytes[i] >> 4U];
        text += digits[bytes[i] & 15U];
    }
    return text;
}

std::string format_cuda_version(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace gridmark::harness

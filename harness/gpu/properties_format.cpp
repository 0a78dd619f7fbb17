#include "harness/gpu/properties.hpp"

namespace gridmark::harness {

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

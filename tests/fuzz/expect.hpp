#pragma once

#include <cstdio>
#include <cstdlib>

namespace gridmark::fuzz {

/// Stops the process, so that a fuzzer keeps the input, unless `holds`.
inline void expect(bool holds, const char* otherwise) {
    if (holds) return;
    std::fprintf(stderr, "expectation failed: %s\n", otherwise);
    std::abort();
}

}  // namespace gridmark::fuzz

#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/support/temporary_folder.hpp"

namespace gridmark::fuzz {

/// Stops the process, so that a fuzzer keeps the input, unless `holds`.
inline void expect(bool holds, const char* otherwise) {
    if (holds) return;
    std::fprintf(stderr, "expectation failed: %s\n", otherwise);
    std::abort();
}

/// A folder for this process alone, in memory where the machine has such a place: it is written to thousands
/// of times a second.
inline const std::filesystem::path& scratch_folder() {
    static const tests::TemporaryFolder folder = [] {
        if (std::filesystem::is_directory("/dev/shm")) ::setenv("TMPDIR", "/dev/shm", 0);
        return tests::TemporaryFolder();
    }();
    return folder.path();
}

}  // namespace gridmark::fuzz

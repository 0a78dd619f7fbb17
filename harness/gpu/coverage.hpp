#pragma once

#include <optional>
#include <string>

namespace gridmark::harness {

/// "9.0" as tenths, 90: the last digit is the minor number. Nothing where it is no compute capability.
std::optional<int> parse_capability(const std::string& text);

/// How a program serves a GPU: by code that was compiled for its kind, by PTX that the driver makes code of
/// at the first start, or not at all.
struct Coverage {
    enum class By { unknown, code, ptx, nothing };
    By by = By::unknown;
    std::string capability = {};  ///< of that code or PTX, "9.0"
    std::string lost = {};        ///< in words; empty where nothing is

    /// "code of 9.0", "PTX of 7.5", "nothing"; empty where it is unknown.
    std::string text() const;
};

/// From the architectures as CMake writes them ("75-virtual 90 120-real": code, PTX or both) and the GPU's
/// compute capability ("12.0"). Unknown where either says nothing.
Coverage coverage_of(const std::string& architectures, const std::string& compute_capability);

/// One line on what is lost and how to build for that GPU; empty where nothing is lost.
std::string coverage_advice(const Coverage& coverage, const std::string& compute_capability);

}  // namespace gridmark::harness

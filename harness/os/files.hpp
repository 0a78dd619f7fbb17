#pragma once

#include <string>
#include <string_view>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// The whole of a small text file such as those under /proc and /sys; `what` names it in the reason, so that
/// no path gets into a result file.
Expected<std::string> read_text_file(const std::string& path, std::string_view what);

/// Without the white space at both ends.
std::string_view trim(std::string_view text);

}  // namespace gridmark::harness

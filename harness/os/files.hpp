#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// The whole of a small text file such as those under /proc and /sys. Nothing where it cannot be opened, or
/// not be read to its end: a process's files go with it, also while they are read.
std::optional<std::string> whole_text(const std::filesystem::path& path);

/// The same, of which something must stand there; `what` names it in the reason, so that
/// no path gets into a result file.
Expected<std::string> read_text_file(const std::string& path, std::string_view what);

/// Without the white space at both ends.
std::string_view trim(std::string_view text);

}  // namespace gridmark::harness

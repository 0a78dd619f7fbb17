#pragma once

#include <filesystem>
#include <string_view>

namespace gridmark::harness {

/// Writes `content` to a temporary file beside `path`, flushes it to the disk and renames it over `path`.
/// Throws std::system_error naming the path; the old file is then untouched and no temporary file is left.
void write_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace gridmark::harness

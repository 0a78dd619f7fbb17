#pragma once

#include <filesystem>
#include <string_view>

namespace gridmark::harness {

/// Writes `content` to a temporary file beside `path`, flushes it to the disk, renames it over `path` and
/// flushes the folder: a power cut, too, leaves the old file or the new one. Throws std::system_error naming
/// the path; then the file holds its old content, or the new one where flushing the folder failed, and no
/// temporary file is left.
void write_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace gridmark::harness

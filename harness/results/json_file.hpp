#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gridmark::harness {

/// No honest result file comes near it: the largest of the project's own has 1.2 MB. What a parsed document
/// takes of memory is bounded by this too, at some thirty bytes for each of the text's.
constexpr std::size_t largest_json_file = std::size_t{16} << 20;

/// Arrays and objects within each other; a result file has five.
constexpr std::size_t deepest_json = 32;

/// Bytes of a text in it: a regular expression of the schema recurses once a character. A reason holds at
/// most the last 4096 bytes that a process said.
constexpr std::size_t longest_json_text = 8192;

/// Parses text that need not be trusted: strictly JSON in UTF-8, no key twice in one object, nothing nested
/// more than `deepest_json` deep, every number within a double's range. `label` names it in the message.
/// Throws UsageError.
nlohmann::json parse_json(std::string_view text, const std::string& label);

/// The same for a regular file, which is not read when it is larger than `largest_json_file`. Throws
/// UsageError.
nlohmann::json read_json_file(const std::filesystem::path& path);

}  // namespace gridmark::harness

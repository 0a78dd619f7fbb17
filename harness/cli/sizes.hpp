#pragma once

#include <cstddef>
#include <string>

namespace gridmark::harness {

/// "8GiB", "512M", "4096": bytes, with K, M, G, T (optionally followed by B or iB) as powers of 1024. Throws
/// UsageError.
std::size_t parse_memory_size(const std::string& text);

}  // namespace gridmark::harness

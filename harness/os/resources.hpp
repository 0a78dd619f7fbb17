#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gridmark::harness {

/// This machine's host name and its user's, unless they say nothing: what stays out of files that are given
/// away.
std::vector<std::string> private_words();

/// A file in memory, shared with a child as its standard input: the request in, and if the child likes, its
/// answer out.
class MemoryFile {
  public:
    /// Holds the text and stands at its start. Throws std::system_error.
    explicit MemoryFile(const std::string& text);
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile();

    int descriptor() const { return descriptor_; }
    /// Bytes that it holds now.
    std::size_t size() const;
    /// Copies `bytes` from `offset` on. Throws std::system_error; std::runtime_error when it holds less.
    void read(void* to, std::size_t bytes, std::size_t offset) const;

  private:
    int descriptor_;
};

/// Lets this process take `room` bytes more of address space than it has now, and no more. Does nothing under
/// sanitizers, whose shadow memory is larger than any machine.
void limit_address_space(std::size_t room);

/// A crash of this process leaves no core file.
void forbid_core_dumps();

}  // namespace gridmark::harness

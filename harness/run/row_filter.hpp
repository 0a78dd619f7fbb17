#pragma once

#include <regex>
#include <string>

namespace gridmark::harness {

/// The rows that `run --filter` leaves: those whose name holds a match of a regular expression. However the
/// expression is made, a match takes time and memory in proportion to its length, never more.
class RowFilter {
  public:
    /// Throws UsageError for what is no regular expression, is longer than 200 characters or needs too much
    /// memory.
    explicit RowFilter(const std::string& expression);

    bool matches(const std::string& name) const { return std::regex_match(name, whole_); }

  private:
    std::regex whole_;
};

}  // namespace gridmark::harness

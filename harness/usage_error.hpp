#pragma once

#include <stdexcept>

namespace gridmark::harness {

/// Bad usage or bad input: the program prints the one line and exits with 2.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace gridmark::harness

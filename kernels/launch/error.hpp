#pragma once

#include <stdexcept>
#include <string>

#include "kernels/launch/shape.hpp"

namespace gridmark::launch {

/// Something went wrong on a device; the message says what was attempted and why it failed.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The device has not enough free memory. The device stays usable.
class OutOfMemory : public Error {
  public:
    using Error::Error;
};

/// The device asked for does not exist here.
class Unavailable : public Error {
  public:
    using Error::Error;
};

/// "(x, y, z)", for messages.
std::string to_string(const Dim3& size);

}  // namespace gridmark::launch

#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace gridmark::harness {

/// Arrays in a file in memory that programs started from here inherit: no copy of them goes through a pipe.
class SharedArrays {
  public:
    /// Throws std::system_error.
    SharedArrays();
    SharedArrays(const SharedArrays&) = delete;
    SharedArrays& operator=(const SharedArrays&) = delete;
    ~SharedArrays();

    /// A new array in C order, to be filled by the caller; zeros at first. T is float or double. Throws
    /// std::system_error where there is no room.
    template <class T>
    std::span<T> add(const std::string& name, const std::vector<std::size_t>& shape);

    /// What another program needs to find them: [{"name", "type", "shape", "offset"}].
    const nlohmann::json& list() const { return list_; }
    /// The file's descriptor, here and in a program that inherits it.
    int descriptor() const { return descriptor_; }

  private:
    std::byte* grow(std::size_t bytes);

    int descriptor_;
    std::size_t size_ = 0;
    std::vector<std::span<std::byte>> mapped_;
    nlohmann::json list_ = nlohmann::json::array();
};

}  // namespace gridmark::harness

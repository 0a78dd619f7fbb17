#pragma once

#include <string>
#include <vector>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// A shared library looked for while the program runs, so that the program also starts where it is missing.
/// It stays loaded to the end: drivers' libraries keep threads and exit handlers.
class DynamicLibrary {
  public:
    /// The first of `names` (or paths) that loads; `what` names the library in the reason, which holds no
    /// paths.
    static Expected<DynamicLibrary> open(const std::vector<std::string>& names, const std::string& what);

    /// The function of this name, or null where this version of the library has none.
    template <class Function>
    Function* find(const char* name) const {
        return reinterpret_cast<Function*>(find_address(name));
    }

  private:
    explicit DynamicLibrary(void* handle) : handle_(handle) {}
    void* find_address(const char* name) const;

    void* handle_;
};

}  // namespace gridmark::harness

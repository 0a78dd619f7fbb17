#pragma once

#include <dlfcn.h>

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
    static Expected<DynamicLibrary> open(const std::vector<std::string>& names, const std::string& what) {
        for (const auto& name : names) {
            // RTLD_LOCAL: its symbols must not stand in for those of this program or of other libraries.
            if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
                return known(DynamicLibrary(handle));
        }
        return unknown<DynamicLibrary>("no " + what + " found");
    }

    /// The function of this name, or null where this version of the library has none.
    template <class Function>
    Function* find(const char* name) const {
        return reinterpret_cast<Function*>(dlsym(handle_, name));
    }

  private:
    explicit DynamicLibrary(void* handle) : handle_(handle) {}

    void* handle_;
};

}  // namespace gridmark::harness

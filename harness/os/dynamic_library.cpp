#include "harness/os/dynamic_library.hpp"

#include <dlfcn.h>

namespace gridmark::harness {

Expected<DynamicLibrary> DynamicLibrary::open(const std::vector<std::string>& names,
                                              const std::string& what) {
    for (const auto& name : names) {
        // RTLD_LOCAL: its symbols must not stand in for those of this program or of other libraries.
        if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return known(DynamicLibrary(handle));
    }
    return unknown<DynamicLibrary>("no " + what + " found");
}

void* DynamicLibrary::find_address(const char* name) const {
    return dlsym(handle_, name);
}

}  // namespace gridmark::harness

#pragma once

#include <dlfcn.h>

#include <string_view>

/// What the library of faults shares. Preloaded into a program it makes files and clocks fail as environment
/// variables say: each n-th time is the same in every run.
namespace gridmark::faults {

/// The function of libc that one of this library stands before: GRIDMARK_NEXT(write)(file, data, size).
#define GRIDMARK_NEXT(name) reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name))

/// Whether this process is what a test means: GRIDMARK_FAULT_IN is its first argument, "run" (the parent) or
/// "_child".
bool is_meant();

/// An environment variable, or "".
std::string_view setting(const char* name);

}  // namespace gridmark::faults

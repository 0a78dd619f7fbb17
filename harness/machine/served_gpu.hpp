#pragma once

#include <memory>
#include <string>

#include "harness/gpu/coverage.hpp"
#include "kernels/launch/device.hpp"

namespace gridmark::harness {

/// How this program serves a GPU of this compute capability.
Coverage coverage_here(const std::string& compute_capability);

/// The GPU with this number, on which this program's kernels can run. Throws launch::Unavailable with the
/// reason where there is none, or where it was compiled for none such.
std::unique_ptr<launch::Device> served_gpu(int ordinal);

}  // namespace gridmark::harness

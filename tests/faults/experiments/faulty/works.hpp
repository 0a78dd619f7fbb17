#pragma once

#include <memory>
#include <string>

#include "harness/experiment.hpp"

namespace gridmark::faulty {

/// Iterations of a sample: no number of warming up, which goes by powers of two.
constexpr int sample_iterations = 6;

/// A few values that change their sign in each iteration, on the CPU; faults at `place`.
std::unique_ptr<harness::Work> cpu_work(const std::string& place);

/// The same by a kernel, on a GPU or on the host executor in its place, whose launches and allocations then
/// fail.
std::unique_ptr<harness::Work> device_work(launch::Device* gpu, const std::string& place);

}  // namespace gridmark::faulty

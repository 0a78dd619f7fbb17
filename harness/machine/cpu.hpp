#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "harness/expected.hpp"
#include "harness/machine/cpu_parse.hpp"

namespace gridmark::harness {

/// The `cpu` part of a result file's context: model, isa, cores, threads, affinity, caches and memory in
/// bytes, governor. What cannot be read is null and its reason goes to reasons["cpu...."].
nlohmann::json describe_cpu(int threads, nlohmann::json& reasons);

/// Cache sizes of the CPUs that this process may run on; sizes that the system does not show are absent.
CacheSizes read_caches();

/// Bytes that can still be allocated without swapping: the least of the system's and the control group's
/// view.
Expected<std::int64_t> read_available_memory();

}  // namespace gridmark::harness

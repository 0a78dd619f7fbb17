#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// The `software` part of a result file's context: os, kernel, driver, cuda_runtime, cuda_driver_api, cupti,
/// papi, glibc. What is missing is null and its reason goes to reasons["software...."].
nlohmann::json describe_software(nlohmann::json& reasons);

/// PRETTY_NAME of /etc/os-release's text.
Expected<std::string> parse_os_release(std::string_view text);

}  // namespace gridmark::harness

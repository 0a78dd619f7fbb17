#include "harness/machine/software.hpp"

#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <algorithm>
#include <string>

#include "harness/gpu/cupti_version.hpp"
#include "harness/gpu/nvml.hpp"
#include "harness/gpu/properties.hpp"
#include "harness/os/files.hpp"
#include "harness/papi/papi_counters.hpp"

namespace gridmark::harness {
namespace {

// Only system and release: uname's other fields hold the host's name.
Expected<std::string> read_kernel() {
    utsname name{};
    if (uname(&name) != 0) return unknown<std::string>("uname failed");
    return known(std::string(static_cast<const char*>(name.sysname)) + " " +
                 static_cast<const char*>(name.release));
}

}  // namespace

Expected<std::string> parse_os_release(std::string_view text) {
    constexpr std::string_view key = "PRETTY_NAME=";
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        auto line = trim(text.substr(begin, end - begin));
        begin = end + 1;
        if (!line.starts_with(key)) continue;
        line.remove_prefix(key.size());
        if (line.size() >= 2 && line.front() == '"' && line.back() == '"')
            line = line.substr(1, line.size() - 2);
        return known(std::string(line));
    }
    return unknown<std::string>("the system does not name itself");
}

nlohmann::json describe_software(nlohmann::json& reasons) {
    nlohmann::json software = nlohmann::json::object();
    const auto release = read_text_file("/etc/os-release", "its name");
    put(software, reasons, "software.os", parse_os_release(release.value.value_or("")));
    put(software, reasons, "software.kernel", read_kernel());
    put(software, reasons, "software.driver", read_nvml_driver_version());
    put(software, reasons, "software.cuda_runtime", read_cuda_runtime_version());
    put(software, reasons, "software.cuda_driver_api", read_cuda_driver_version());
    put(software, reasons, "software.cupti", read_cupti_version());
    put(software, reasons, "software.papi", read_papi_version());
    software["glibc"] = gnu_get_libc_version();
    return software;
}

}  // namespace gridmark::harness

#include "harness/machine/stolen.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "harness/os/files.hpp"

namespace gridmark::harness {

Expected<CpuTime> parse_cpu_time(std::string_view text) {
    std::istringstream line{std::string(text.substr(0, text.find('\n')))};
    std::string name;
    std::array<double, 8> ticks{};  // user, nice, system, idle, waiting for a disk, two of interrupts, stolen
    line >> name;
    for (double& count : ticks)
        line >> count;
    if (!line || name != "cpu") return unknown<CpuTime>("the system does not show what its host takes");
    constexpr std::size_t idle = 3, waiting = 4, stolen = 7;
    CpuTime time{0, ticks[stolen]};
    for (std::size_t i = 0; i < ticks.size(); ++i)
        if (i != idle && i != waiting) time.wanted += ticks[i];
    return known(time);
}

Expected<CpuTime> read_cpu_time() {
    const auto text = read_text_file("/proc/stat", "CPU times");
    return text ? parse_cpu_time(*text.value) : unknown<CpuTime>(text.reason);
}

Expected<double> stolen_share(const Expected<CpuTime>& before, const Expected<CpuTime>& after) {
    if (!before || !after) return unknown<double>(before ? after.reason : before.reason);
    const double wanted = after.value->wanted - before.value->wanted;
    if (wanted <= 0) return unknown<double>("no CPU time has passed");
    // Ticks are rounded, and some kernels' count of them falls now and then.
    return known(std::clamp((after.value->stolen - before.value->stolen) / wanted, 0.0, 1.0));
}

}  // namespace gridmark::harness

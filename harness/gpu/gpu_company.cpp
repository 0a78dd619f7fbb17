// Judges who uses a GPU beside this program, from what gpu_use.cpp reads.

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <sstream>

#include "harness/gpu/gpu_use.hpp"
#include "harness/os/files.hpp"

namespace gridmark::harness {
namespace {

/// A context takes more; what an idle driver takes without the list is less.
constexpr std::int64_t memory_of_a_context = 128 << 20;

using Processes = std::vector<GpuProcess>;

/// Those that compute, ourselves aside. Where the list has the host's numbers, one is still ourselves.
std::size_t count_computing(const Processes& listed, const OwnUse& own) {
    const auto computing = static_cast<std::size_t>(
        std::ranges::count_if(listed, [&](const GpuProcess& p) { return !p.draws && !own.is_ours(p.pid); }));
    const bool knows_us = std::ranges::any_of(listed, [&](const GpuProcess& p) { return p.pid == own.self; });
    return own.holds && !knows_us && computing > 0 ? computing - 1 : computing;
}

/// How busy the busiest of those that draw kept the GPU.
unsigned busiest_drawing(const Processes& listed, const std::map<unsigned, unsigned>& busy) {
    unsigned most = 0;
    for (const GpuProcess& process : listed)
        if (const auto found = busy.find(process.pid); process.draws && found != busy.end())
            most = std::max(most, found->second);
    return most;
}

}  // namespace

std::vector<std::string> listed_others(const GpuUse& use, const OwnUse& own) {
    const Processes listed = use.processes.value.value_or(Processes());
    std::vector<std::string> others;
    if (const std::size_t n = count_computing(listed, own); n > 0)
        others.push_back(n == 1 ? "another process is on the GPU"
                                : fmt::format("{} other processes are on the GPU", n));
    if (use.busy_by_process)
        if (const unsigned percent = busiest_drawing(listed, *use.busy_by_process.value);
            percent >= busy_from_percent)
            others.push_back(fmt::format("what draws on the GPU keeps {} % of it busy", percent));
    return others;
}

std::vector<std::string> unlisted_others(const GpuUse& use, const OwnUse& own) {
    if (!listed_others(use, own).empty()) return {};
    std::vector<std::string> others;
    if (own.rests && use.busy_percent && *use.busy_percent.value >= busy_from_percent)
        others.push_back(fmt::format("others keep the GPU {} % busy", *use.busy_percent.value));
    const bool may_be_a_desktop = !use.shows_a_desktop || *use.shows_a_desktop.value ||
                                  (use.processes && !use.processes.value->empty());
    if (!own.holds && !may_be_a_desktop && use.memory_bytes && *use.memory_bytes.value >= memory_of_a_context)
        others.push_back(fmt::format("others hold {:.1f} GiB of the GPU's memory",
                                     static_cast<double>(*use.memory_bytes.value) / (1U << 30U)));
    return others;
}

int count_beacons(const std::string& text, const std::string& prefix, const std::string& own) {
    std::istringstream words(text);
    int found = 0;
    for (std::string word; words >> word;)
        found += word.starts_with("@" + prefix) && word != "@" + own;
    return found;
}

GpuBeacon::GpuBeacon(const std::string& uuid)
    : prefix_("gridmark-" + uuid + "-"),
      name_(fmt::format("{}{}-{}", prefix_, ::getpid(),
                        std::chrono::steady_clock::now().time_since_epoch().count())),
      socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t length = std::min(name_.size(), sizeof address.sun_path - 1);
    std::memcpy(address.sun_path + 1, name_.data(), length);  // the first byte, 0, makes it no file
    // One that nobody can see is no error.
    if (socket_ >= 0)
        (void)::bind(socket_, reinterpret_cast<const sockaddr*>(&address),
                     static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length));
}

GpuBeacon::~GpuBeacon() {
    if (socket_ >= 0) ::close(socket_);
}

int GpuBeacon::others() const {
    const auto text = read_text_file("/proc/net/unix", "its sockets");
    return count_beacons(text.value.value_or(""), prefix_, name_);
}

}  // namespace gridmark::harness

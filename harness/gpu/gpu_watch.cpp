#include "harness/gpu/gpu_watch.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "harness/os/files.hpp"

namespace gridmark::harness {
namespace {

using namespace std::chrono_literals;

std::string file_of_process(unsigned pid, const char* name) {
    return read_text_file(fmt::format("/proc/{}/{}", pid, name), "a process").value.value_or("");
}

/// 0 where it cannot be read.
unsigned parent_of(unsigned pid) {
    const std::string text = file_of_process(pid, "stat");
    // The name before it may hold anything, parentheses too.
    std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string state;
    unsigned parent = 0;
    rest >> state >> parent;
    return rest ? parent : 0;
}

/// Programs that are on the GPU for us although we did not start them: ranks that a scheduler started, and
/// the server through which MPS sends our own work.
bool works_for_us(unsigned pid) {
    const std::string name = file_of_process(pid, "comm");
    return name.starts_with("gridmark-ranks") || name.starts_with("nvidia-cuda-mps");
}

/// Whether processes outside of this one's namespace exist that it has no number for.
bool in_container() {
    constexpr ino_t first_namespace = 0xEFFFFFFC;  // PROC_PID_INIT_INO of every Linux kernel
    struct stat about {};
    return ::stat("/proc/self/ns/pid", &about) != 0 || about.st_ino != first_namespace;
}

std::uint64_t microseconds_since_1970() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

void add_new(std::vector<std::string>& words, const std::vector<std::string>& more) {
    for (const std::string& word : more)
        if (std::ranges::find(words, word) == words.end()) words.push_back(word);
}

}  // namespace

bool descends_from(unsigned pid, unsigned ancestor) {
    constexpr int deepest = 64;
    for (int depth = 0; depth < deepest && pid > 1; ++depth) {
        if (pid == ancestor) return true;
        pid = parent_of(pid);
    }
    return pid == ancestor;
}

GpuWatch::GpuWatch(const Expected<std::string>& uuid) {
    if (!uuid) return;
    uuid_ = *uuid.value;
    beacon_.emplace(uuid_);
    const GpuUse use = read_gpu_use(uuid_, 0);
    lists_all_ = use.processes && !in_container();
    if (!use.processes && !use.busy_percent)
        unseen_ = "who else uses the GPU: " + use.processes.reason;
    else if (!use.processes)
        unseen_ = fmt::format("others on the GPU unless they keep it busy: {}", use.processes.reason);
    else if (!lists_all_)
        unseen_ = "others on the GPU outside of this container unless they keep it busy or take its memory";
    look_at_rest();
    opened_ = true;
}

OwnUse GpuWatch::own(bool rests) const {
    const auto self = static_cast<unsigned>(::getpid());
    return {[self](unsigned pid) { return descends_from(pid, self) || works_for_us(pid); }, self, opened_,
            rests};
}

GpuWatch::Words GpuWatch::listed(const GpuUse& use) const {
    Words words = listed_others(use, own(false));
    if (beacon_->others() > 0) words.emplace_back("another run of gridmark is on the GPU");
    return words;
}

void GpuWatch::look_at_rest() {
    GpuUse use;
    // A sampling period lasts from a sixth of a second to a second.
    for (int wait = 0; wait < 12; ++wait) {
        if (wait > 0) std::this_thread::sleep_for(100ms);
        use = read_gpu_use(uuid_, microseconds_since_1970());
        listed_ = listed(use);
        if (listed_.empty() && use.busy_percent.value.value_or(0) < busy_from_percent) break;
    }
    unlisted_ = unlisted_others(use, own(true));
    rested_ = std::chrono::steady_clock::now();
}

GpuWatch::Words GpuWatch::now() const {
    Words words = listed_;
    add_new(words, unlisted_);
    return words;
}

void GpuWatch::begin() {
    if (uuid_.empty()) return;
    since_ = microseconds_since_1970();
    listed_ = listed(read_gpu_use(uuid_, since_));
}

GpuWatch::Words GpuWatch::end() {
    if (uuid_.empty()) return {};
    Words words = now();
    add_new(words, listed(read_gpu_use(uuid_, since_)));
    const bool is_unsure = !lists_all_ || !unlisted_.empty();
    if (is_unsure && std::chrono::steady_clock::now() - rested_ >= 10s) {
        look_at_rest();
        add_new(words, unlisted_);
    }
    return words;
}

std::string GpuWatch::unseen() const {
    return unseen_;
}

}  // namespace gridmark::harness

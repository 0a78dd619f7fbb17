#include "harness/run/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>

namespace gridmark::harness {
namespace {

std::atomic<bool> interrupt_seen = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void on_interrupt(int) {
    interrupt_seen = true;
}

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become_child(const char* program, const char* command, int input, int events, int errors,
                               pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::dup2(input, STDIN_FILENO);
    ::dup2(errors, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    if (events == event_descriptor)
        ::fcntl(events, F_SETFD, 0);
    else
        ::dup2(events, event_descriptor);
    ::execl(program, "gridmark", command, static_cast<char*>(nullptr));
    ::_exit(127);
}

}  // namespace

bool interrupted() {
    return interrupt_seen;
}

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_interrupt;  // no SA_RESTART: waiting calls must return
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

Process::Process(const Job& job) : Process("_child", MemoryFile(to_json(job).dump())) {}

Process::Process(const char* command, const MemoryFile& input, const char* program) {
    errors_ = ::memfd_create("errors", MFD_CLOEXEC);
    int pipe[2];
    if (errors_ < 0 || ::pipe2(pipe, O_CLOEXEC) != 0) fail("cannot make a pipe");
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) fail("cannot start a process");
    if (pid_ == 0) become_child(program, command, input.descriptor(), pipe[1], errors_, parent);
    ::close(pipe[1]);
    events_ = pipe[0];
}

Process::~Process() {
    kill_and_explain();
    ::close(events_);
    ::close(errors_);
}

Process::Wait Process::next(double seconds, nlohmann::json& event) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != std::string::npos) {
            event = nlohmann::json::parse(buffer_.substr(0, end));
            buffer_.erase(0, end + 1);
            return Wait::event;
        }
        if (interrupted()) return Wait::interrupted;
        const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
        if (left <= 0) return Wait::timed_out;
        pollfd descriptor{events_, POLLIN, 0};
        // In slices, so that an interrupt between the look above and the call is seen soon.
        if (::poll(&descriptor, 1, static_cast<int>(std::min(left, 0.2) * 1e3) + 1) <= 0) continue;
        char chunk[1 << 16];
        const ssize_t n = ::read(events_, chunk, sizeof chunk);
        if (n == 0) return Wait::ended;
        if (n > 0) buffer_.append(chunk, static_cast<std::size_t>(n));
    }
}

std::string Process::kill_and_explain() {
    if (pid_ < 0) return "";
    // An ended child is given a moment to be collected with its own status.
    int status = 0;
    pid_t done = 0;
    for (int tries = 0; tries < 50 && (done = ::waitpid(pid_, &status, WNOHANG)) == 0; ++tries) {
        pollfd none{events_, 0, 0};
        if (::poll(&none, 1, 0) > 0 && (none.revents & POLLHUP) != 0)
            ::usleep(20'000);  // its end of the pipe is closed: it is about to go
        else
            break;
    }
    if (done == 0) {
        ::kill(pid_, SIGKILL);
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
    }
    pid_ = -1;
    if (WIFSIGNALED(status)) {
        const std::string words = last_words();
        return fmt::format("killed by SIG{} ({}){}", sigabbrev_np(WTERMSIG(status)),
                           sigdescr_np(WTERMSIG(status)), words.empty() ? "" : ": " + words);
    }
    exit_code_ = WEXITSTATUS(status);
    return *exit_code_ == 0 ? "" : fmt::format("exit code {}: {}", *exit_code_, last_words());
}

std::string Process::last_words() const {
    const off_t size = ::lseek(errors_, 0, SEEK_END);
    std::string text(static_cast<std::size_t>(std::min<off_t>(size, 4096)), '\0');
    if (::pread(errors_, text.data(), text.size(), size - static_cast<off_t>(text.size())) < 0) return "";
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

}  // namespace gridmark::harness

#include "harness/os/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/os/limits.hpp"
#include "harness/os/write_all.hpp"

namespace gridmark::harness {
namespace {

// "SIGSEGV". glibc's own sigabbrev_np came with 2.32, later than what the portable folder needs.
std::string signal_name(int number) {
    static constexpr std::pair<int, const char*> ending[] = {
        {SIGHUP, "HUP"},   {SIGINT, "INT"},   {SIGQUIT, "QUIT"}, {SIGILL, "ILL"},   {SIGTRAP, "TRAP"},
        {SIGABRT, "ABRT"}, {SIGBUS, "BUS"},   {SIGFPE, "FPE"},   {SIGKILL, "KILL"}, {SIGSEGV, "SEGV"},
        {SIGPIPE, "PIPE"}, {SIGALRM, "ALRM"}, {SIGTERM, "TERM"}, {SIGUSR1, "USR1"}, {SIGUSR2, "USR2"},
        {SIGXCPU, "XCPU"}, {SIGXFSZ, "XFSZ"}, {SIGSYS, "SYS"}};
    const auto* found = std::ranges::find(ending, number, &std::pair<int, const char*>::first);
    return found == std::end(ending) ? fmt::format("signal {}", number) : std::string("SIG") + found->second;
}

std::atomic<bool> interrupt_seen = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

/// The second one ends the process at once: the first may wait for a disk or a driver that never answers. The
/// result file is whole at any moment, and the kernel kills the child. What the terminal shows then stays.
void on_interrupt(int) {
    if (!interrupt_seen.exchange(true)) return;
    if (::isatty(STDOUT_FILENO) == 1) (void)!::write(STDOUT_FILENO, "\n", 1);
    ::_exit(exit_interrupted);
}

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become_child(const char* program, char* const* arguments, int input, int events, int errors,
                               pid_t parent, const std::vector<cpu_set_t>& cpus) {
    ::sched_setaffinity(0, cpus.size() * sizeof(cpu_set_t), cpus.data());
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::dup2(input, STDIN_FILENO);
    ::dup2(errors, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    if (events == event_descriptor)
        ::fcntl(events, F_SETFD, 0);
    else
        ::dup2(events, event_descriptor);
    ::execv(program, arguments);
    ::_exit(127);
}

/// All CPUs that this process may run on. A child would inherit the one that OpenMP may have bound this
/// thread to, and run all its threads there.
std::vector<cpu_set_t> all_cpus() {
    const auto cpus = read_affinity().value.value_or(std::vector<int>{});
    const auto last = cpus.empty() ? std::size_t{0} : static_cast<std::size_t>(cpus.back());
    std::vector<cpu_set_t> sets(last / CPU_SETSIZE + 1);
    for (const int cpu : cpus)
        CPU_SET_S(static_cast<std::size_t>(cpu), sets.size() * sizeof(cpu_set_t), sets.data());
    return sets;
}

/// Waits for something to read, at most 0.2 s or `left`; adds what it took to `waited`: at least the whole
/// slice where nothing came, whatever the clock says, and at most twice that.
int wait_a_slice(pollfd& descriptor, double left, double& waited) {
    using Clock = std::chrono::steady_clock;
    const int milliseconds = static_cast<int>(std::min(left, 0.2) * 1e3) + 1;
    const double slice = 1e-3 * milliseconds;
    const auto start = Clock::now();
    const int ready = ::poll(&descriptor, 1, milliseconds);
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    waited += std::clamp(took, ready == 0 ? slice : 0.0, 2 * slice);
    return ready;
}

}  // namespace

void send_event(const nlohmann::json& event) {
    const std::string line = event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (write_all(event_descriptor, line.data(), line.size()) != 0) ::_exit(1);
}

bool interrupted() {
    return interrupt_seen;
}

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_interrupt;  // no SA_RESTART: waiting calls must return
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

Process::Process(const std::vector<std::string>& arguments, int input, const std::string& program) {
    std::vector<std::string> words{program == "/proc/self/exe" ? "gridmark" : program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    errors_ = ::memfd_create("errors", MFD_CLOEXEC);
    int pipe[2];
    if (errors_ < 0 || ::pipe2(pipe, O_CLOEXEC) != 0) fail("cannot make a pipe");
    const pid_t parent = ::getpid();
    const std::vector<cpu_set_t> cpus = all_cpus();
    pid_ = ::fork();
    if (pid_ < 0) fail("cannot start a process");
    if (pid_ == 0) become_child(program.c_str(), pointers.data(), input, pipe[1], errors_, parent, cpus);
    ::close(pipe[1]);
    events_ = pipe[0];
}

Process::~Process() {
    kill_and_explain();
    ::close(events_);
    ::close(errors_);
}

Process::Wait Process::next(double seconds, nlohmann::json& event, const std::function<void()>& meanwhile) {
    constexpr std::size_t longest_event = 1 << 26;
    double waited = 0;
    for (std::size_t searched = 0;;) {
        if (const auto end = buffer_.find('\n', searched); end != std::string::npos) {
            event = nlohmann::json::parse(buffer_.substr(0, end), nullptr, false);
            buffer_.erase(0, end + 1);
            return event.is_discarded() ? Wait::damaged : Wait::event;
        }
        searched = buffer_.size();
        if (searched > longest_event) return Wait::damaged;
        if (interrupted()) return Wait::interrupted;
        if (waited >= seconds) return Wait::timed_out;
        pollfd descriptor{events_, POLLIN, 0};
        // In slices, so that an interrupt between the look above and the call is seen soon.
        if (wait_a_slice(descriptor, seconds - waited, waited) <= 0) {
            meanwhile();
            continue;
        }
        if (!read_some()) return Wait::ended;
    }
}

bool Process::read_some() {
    char chunk[1 << 16];
    const ssize_t n = ::read(events_, chunk, sizeof chunk);
    if (n > 0) buffer_.append(chunk, static_cast<std::size_t>(n));
    return n != 0;
}

bool Process::has_event() {
    pollfd descriptor{events_, POLLIN, 0};
    if (::poll(&descriptor, 1, 0) > 0 && (descriptor.revents & POLLIN) != 0) read_some();
    return buffer_.find('\n') != std::string::npos;
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
        return fmt::format("killed by {} ({}){}", signal_name(WTERMSIG(status)),
                           ::strsignal(WTERMSIG(status)), words.empty() ? "" : ": " + words);
    }
    exit_code_ = WEXITSTATUS(status);
    return *exit_code_ == 0 ? "" : fmt::format("exit code {}: {}", *exit_code_, last_words());
}

std::string Process::said(std::size_t most) const {
    const off_t size = ::lseek(errors_, 0, SEEK_END);
    std::string text(std::min(static_cast<std::size_t>(size), most), '\0');
    if (::pread(errors_, text.data(), text.size(), size - static_cast<off_t>(text.size())) < 0) return "";
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

std::string Process::last_words() const {
    const std::string text = said();
    return text.substr(text.rfind('\n') + 1);
}

LineSender::LineSender() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("cannot make a socket");
    ours_ = ends[0];
    its_ = ends[1];
}

void LineSender::started() {
    ::close(its_);
}

void LineSender::send(const nlohmann::json& request) {
    const std::string line = request.dump() + "\n";
    for (std::string_view rest = line; !rest.empty();) {
        const ssize_t sent = ::send(ours_, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return;
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void LineSender::close() {
    if (ours_ >= 0) ::close(ours_);
    ours_ = -1;
}

}  // namespace gridmark::harness

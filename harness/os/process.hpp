#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gridmark::harness {

/// Where a child writes its events, a JSON object a line.
constexpr int event_descriptor = 3;

/// Sends one event to the parent; ends the process quietly when there is no parent to hear it.
void send_event(const nlohmann::json& event);

/// A child process that reports events. It is killed when the object goes, and by the kernel when the parent
/// dies.
class Process {
  public:
    /// Starts `program` with these arguments and the descriptor `input` as its standard input; by default
    /// this program anew, for libgomp and CUDA survive no bare fork. It inherits the environment as it is:
    /// which GPU it shall take is said by an argument, since the variables may name GPUs by number, GPU-...
    /// or MIG-.... Throws std::system_error.
    Process(const std::vector<std::string>& arguments, int input,
            const std::string& program = "/proc/self/exe");
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process();

    enum class Wait { event, damaged, ended, timed_out, interrupted };
    /// Waits for the next event, at most `seconds`; `damaged` is what is no JSON, or has no end. Time in
    /// which this process itself did not run (Ctrl-Z), or that a clock only pretends, does not count.
    /// `meanwhile` is called about five times a second.
    Wait next(
        double seconds, nlohmann::json& event, const std::function<void()>& meanwhile = [] {});

    /// Whether an event is there already, so that next() would return it without waiting.
    bool has_event();

    /// How it ended, in words, empty if it ended well: "killed by SIGSEGV (...)", "exit code 1: <last line it
    /// said>".
    std::string kill_and_explain();
    /// Its exit code, once kill_and_explain() has been called; nullopt when a signal ended it.
    std::optional<int> exit_code() const { return exit_code_; }
    pid_t pid() const { return pid_; }
    /// The end of what it said on its standard output and error so far; all of it where `most` is larger.
    std::string said(std::size_t most = 4096) const;

  private:
    std::string last_words() const;
    /// What one read gives, into the buffer; false at the end of the events.
    bool read_some();

    pid_t pid_ = -1;
    int events_ = -1, errors_ = -1;
    std::string buffer_;
    std::optional<int> exit_code_;
};

/// Requests to a child, a line of JSON each, on its standard input. A socket, since writing into a pipe that
/// nobody reads any more would end this process.
class LineSender {
  public:
    /// Throws std::system_error.
    LineSender();
    LineSender(const LineSender&) = delete;
    LineSender& operator=(const LineSender&) = delete;
    ~LineSender() { close(); }

    /// What the child is given as its standard input; started() closes it here.
    int its_end() const { return its_; }
    void started();
    /// Puts a request to it and returns. One that is gone hears nothing: waiting for its answer tells why.
    void send(const nlohmann::json& request);
    /// There are no more requests.
    void close();

  private:
    int ours_, its_;
};

/// Set by the handler of SIGINT and SIGTERM that `catch_interrupts` installs; a second signal ends the
/// process with `exit_interrupted`.
bool interrupted();
void catch_interrupts();
constexpr int exit_interrupted = 3;

}  // namespace gridmark::harness

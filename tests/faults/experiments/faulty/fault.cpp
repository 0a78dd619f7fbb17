#include "experiments/faulty/fault.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <new>
#include <sstream>
#include <stdexcept>

#include "harness/run/job.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::faulty {
namespace {

std::string fault_of(const std::string& where, const std::string& when) {
    const char* all = std::getenv("GRIDMARK_FAULTS");
    std::istringstream faults(all == nullptr ? "" : all);
    const std::string place = where + ":" + when + ":";
    for (std::string fault; std::getline(faults, fault, ',');)
        if (fault.starts_with(place)) return fault.substr(place.size());
    return "";
}

void report(const std::string& text) {
    for (std::size_t at = 0; at < text.size();)
        at += static_cast<std::size_t>(::write(harness::event_descriptor, &text[at], text.size() - at));
}

void write_to_null() {
    volatile int* volatile nowhere = nullptr;  // the compiler must not see that the write is lost
    *nowhere = 1;
}

[[noreturn]] void hang() {
    for (;;)
        ::pause();
}

/// Says that it waits, by a file, and waits for another.
void wait_for_the_test() {
    const std::string folder = std::getenv("GRIDMARK_FAULTS_FOLDER");
    ::close(::open((folder + "/waiting").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
    while (::access((folder + "/go").c_str(), F_OK) != 0)
        ::usleep(2000);
}

void print_rubbish() {
    const std::string rubbish(1 << 20, '\xff');
    for (const int file : {STDOUT_FILENO, STDERR_FILENO})
        if (::write(file, rubbish.data(), rubbish.size()) < 0) std::abort();
}

/// One clock of the process goes back by a day; see tests/faults/preload.cpp.
void turn_clock_back() {
    auto* turn = reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "gridmark_faults_turn_clock_back"));
    if (turn == nullptr) throw std::logic_error("the library of faults is not preloaded");
    turn();
}

const std::map<std::string, void (*)()> actions{
    {"segv", write_to_null},
    {"abort", [] { std::abort(); }},
    {"kill", [] { std::raise(SIGKILL); }},
    {"exit", [] { std::exit(0); }},
    {"hang", hang},
    {"wait", wait_for_the_test},
    {"throw", [] { throw std::runtime_error("it went wrong"); }},
    {"unavailable", [] { throw launch::Unavailable("it cannot be had here"); }},
    {"bad_alloc", [] { ::operator delete(::operator new (std::size_t{1} << 62)); }},
    {"rubbish", print_rubbish},
    {"no_json", [] { report("{\"event\": \"rows\", \"ro\n"); }},
    {"half_event", [] { report("{\"event\": \"rows\", \"ro"), std::exit(0); }},
    {"strange_event", [] { report("{\"event\": \"rows\", \"rows\": 7}\n"); }},
    {"strange_row", [] { report("{\"event\": \"rows\", \"rows\": [{\"name\": \"faulty/cpu/1/wall\"}]}\n"); }},
    {"flood",
     [] {
         for (const std::string text(1 << 20, 'x');;)
             report(text);
     }},
    {"clock", turn_clock_back},
};

}  // namespace

bool armed(const std::string& where, const std::string& when, const std::string& what) {
    return fault_of(where, when) == what;
}

void fault_here(const std::string& where, const std::string& when) {
    const auto found = actions.find(fault_of(where, when));
    if (found != actions.end()) found->second();
}

}  // namespace gridmark::faulty

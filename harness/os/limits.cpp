#include "harness/os/limits.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>

#include "harness/os/files.hpp"

namespace gridmark::harness {
namespace {

/// Those that OpenMP has for its threads, or none where it binds none. It binds the first thread before
/// main(), so that the system tells of that thread's place alone.
std::set<int> cpus_of_openmp() {
    std::set<int> cpus;
    if (omp_get_proc_bind() == omp_proc_bind_false) return cpus;
    for (int place = 0; place < omp_get_num_places(); ++place) {
        std::vector<int> ids(omp_get_place_num_procs(place));
        omp_get_place_proc_ids(place, ids.data());
        cpus.insert(ids.begin(), ids.end());
    }
    return cpus;
}

/// What OpenMP was told that lets fewer threads come.
std::string told_openmp() {
    std::string told;
    for (const char* name : {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OMP_DYNAMIC"})
        if (const char* const value = std::getenv(name))
            told += fmt::format("{}{}={}", told.empty() ? " (" : ", ", name, value);
    return told.empty() ? told : told + ')';
}

/// "1 thread", "2 threads".
std::string counted(int count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

int threads_that_come(int wanted) {
    int come = 1;
#pragma omp parallel num_threads(wanted)
#pragma omp single
    come = omp_get_num_threads();
    return come;
}

/// CPUs that a group grants; none where it does not limit.
std::optional<double> quota_of(const ControlGroup& group) {
    double period = 0, granted = 0;
    if (group.unified) {
        // "50000 100000", or "max 100000"
        std::istringstream words(group.text("cpu.max").value_or(""));
        if (!(words >> granted >> period)) return std::nullopt;
    } else {
        granted = group.number("cpu.cfs_quota_us").value_or(-1);
        period = group.number("cpu.cfs_period_us").value_or(0);
    }
    return granted > 0 && period > 0 ? std::optional(granted / period) : std::nullopt;
}

/// Bytes that a group leaves; none where it does not limit. What it holds of files and has not used lately
/// goes when others need it.
std::optional<double> room_of(const ControlGroup& group) {
    const auto most = group.number(group.unified ? "memory.max" : "memory.limit_in_bytes"),
               high = group.unified ? group.number("memory.high") : std::nullopt,
               used = group.number(group.unified ? "memory.current" : "memory.usage_in_bytes");
    if ((!most && !high) || !used) return std::nullopt;
    const double unused =
        group.number("memory.stat", group.unified ? "inactive_file" : "total_inactive_file").value_or(0);
    constexpr double none = std::numeric_limits<double>::infinity();
    return std::max(0.0, std::min(most.value_or(none), high.value_or(none)) - std::max(0.0, *used - unused));
}

/// What `ulimit -v` leaves; none where it does not limit.
std::optional<double> address_space_left(const SystemFiles& files) {
    rlimit limit{};
    std::istringstream statm(files.text("/proc/self/statm").value_or(""));
    double pages = 0;
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || !(statm >> pages))
        return std::nullopt;
    const double used = pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
    return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

}  // namespace

Expected<std::vector<int>> read_affinity() {
    if (const auto cpus = cpus_of_openmp(); !cpus.empty())
        return known(std::vector<int>(cpus.begin(), cpus.end()));
    // The system refuses a set with room for fewer CPUs than it might have.
    for (std::size_t sets = 1; sets <= 64; sets *= 2) {
        std::vector<cpu_set_t> set(sets);
        if (::sched_getaffinity(0, sets * sizeof(cpu_set_t), set.data()) != 0) continue;
        std::vector<int> cpus;
        for (std::size_t cpu = 0; cpu < sets * CPU_SETSIZE; ++cpu)
            if (CPU_ISSET_S(cpu, sets * sizeof(cpu_set_t), set.data())) cpus.push_back(static_cast<int>(cpu));
        return known(std::move(cpus));
    }
    return unknown<std::vector<int>>("sched_getaffinity failed");
}

Threads start_threads(int wanted) {
    const auto affinity = read_affinity();
    const int cpus = affinity ? static_cast<int>(affinity.value->size()) : std::numeric_limits<int>::max();
    Threads team{wanted > 0 ? wanted : omp_get_max_threads()};
    const int asked = team.threads;
    if (wanted == 0) team.threads = std::min(team.threads, cpus);
    // Rows of more threads than CPUs are skipped: nobody needs to start hundreds to count them.
    if (team.threads <= cpus) team.threads = threads_that_come(team.threads);
    omp_set_dynamic(0);
    if (wanted == 0) omp_set_num_threads(team.threads);
    if (team.threads < asked)
        team.remark =
            team.threads == cpus
                ? fmt::format("{} of OpenMP's {}, for this process may use {}{}",
                              counted(team.threads, "thread"), asked, counted(cpus, "CPU"), told_openmp())
                : fmt::format("{}: of {} no more came{}", counted(team.threads, "thread"), asked,
                              told_openmp());
    return team;
}

Expected<double> cpu_quota(const SystemFiles& files) {
    auto least = unknown<double>("no control group limits the CPU time");
    for (const ControlGroup& group : control_groups(files, "cpu"))
        if (const auto quota = quota_of(group); quota && *quota < least.value.value_or(*quota + 1))
            least = known(*quota);
    return least;
}

Throttled read_throttled(const SystemFiles& files) {
    Throttled all;
    for (const ControlGroup& group : control_groups(files, "cpu")) {
        all.times += group.number("cpu.stat", "nr_throttled").value_or(0);
        all.seconds += group.unified ? 1e-6 * group.number("cpu.stat", "throttled_usec").value_or(0)
                                     : 1e-9 * group.number("cpu.stat", "throttled_time").value_or(0);
    }
    return all;
}

Expected<std::int64_t> parse_meminfo(std::string_view text, std::string_view key) {
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name, unit;
        std::int64_t kibibytes = 0;
        if (words >> name >> kibibytes >> unit && unit == "kB" && name == std::string(key) + ':')
            return known(kibibytes * 1024);
    }
    return unknown<std::int64_t>("/proc/meminfo has no " + std::string(key));
}

Expected<std::int64_t> available_memory(const SystemFiles& files) {
    const auto meminfo = files.text("/proc/meminfo");
    Expected<std::int64_t> least = meminfo ? parse_meminfo(*meminfo, "MemAvailable")
                                           : unknown<std::int64_t>("the system does not show memory sizes");
    const auto keep_less = [&](std::optional<double> bytes) {
        // Version 1 says "no limit" by a number that is near the largest.
        constexpr double most = 0x1p60;
        if (bytes && *bytes < static_cast<double>(least.value.value_or(static_cast<std::int64_t>(most))))
            least = known(static_cast<std::int64_t>(*bytes));
    };
    for (const ControlGroup& group : control_groups(files, "memory"))
        keep_less(room_of(group));
    keep_less(address_space_left(files));
    return least;
}

Expected<std::int64_t> read_available_memory() {
    return available_memory({});
}

}  // namespace gridmark::harness

#include "harness/os/affinity.hpp"

#include <omp.h>
#include <sched.h>

#include <set>

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

}  // namespace

Expected<std::vector<int>> read_affinity() {
    if (const auto cpus = cpus_of_openmp(); !cpus.empty())
        return known(std::vector<int>(cpus.begin(), cpus.end()));
    cpu_set_t set;
    CPU_ZERO(&set);
    // Fails on machines with more than 1024 CPUs: then the reason says so and nothing is guessed.
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return unknown<std::vector<int>>("sched_getaffinity failed (more than 1024 CPUs?)");
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
    return known(std::move(cpus));
}

}  // namespace gridmark::harness

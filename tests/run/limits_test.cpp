// How many CPUs and how much memory this process may use, told by systems that a folder makes up.

#include "harness/os/limits.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "harness/os/resources.hpp"

namespace gridmark::harness {
namespace {

/// A folder with a system's files.
class Limits : public testing::Test {
  protected:
    Limits() {
        std::string folder = testing::TempDir() + "limitsXXXXXX";
        files.root = ::mkdtemp(folder.data());
    }
    ~Limits() override { std::filesystem::remove_all(files.root); }

    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((files.root / path).parent_path());
        std::ofstream(files.root / path) << text;
    }
    /// Version 2 mounted at /sys/fs/cgroup, this process in `group`.
    void unify(const std::string& group, const std::string& mounted = "/") const {
        write("proc/self/cgroup", "0::" + group + "\n");
        write("proc/self/mountinfo", "22 1 0:5 / /proc rw - proc proc rw\n30 23 0:26 " + mounted +
                                         " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
    }
    /// Version 1: a hierarchy for each of cpu and memory.
    void split(const std::string& group) const {
        write("proc/self/cgroup", "9:name=systemd:/\n4:memory:" + group + "\n2:cpu,cpuacct:" + group + "\n");
        write("proc/self/mountinfo",
              "31 23 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
              "32 23 0:30 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n");
    }
    void free_memory(int mebibytes) const {
        write("proc/meminfo",
              "MemTotal: 99999999 kB\nMemAvailable:   " + std::to_string(1024 * mebibytes) + " kB\n");
    }
    std::int64_t mebibytes() const { return available_memory(files).value.value_or(-1) >> 20; }

    SystemFiles files;
};

std::string mebi(int count) {
    return std::to_string(static_cast<std::int64_t>(count) << 20) + "\n";
}

TEST_F(Limits, TheLeastQuotaOfNestedGroupsHolds) {
    unify("/job/step/task");
    EXPECT_FALSE(cpu_quota(files));
    write("sys/fs/cgroup/job/cpu.max", "150000 100000\n");
    write("sys/fs/cgroup/job/step/cpu.max", "50000 100000\n");
    write("sys/fs/cgroup/job/step/task/cpu.max", "max 100000\n");
    EXPECT_EQ(cpu_quota(files).value, 0.5);
    write("sys/fs/cgroup/other/cpu.max", "1000 100000\n");
    write("sys/fs/cgroup/job/step/task/below/cpu.max", "1000 100000\n");
    EXPECT_EQ(cpu_quota(files).value, 0.5) << "groups that do not hold it";
}

TEST_F(Limits, VersionOneHasItsOwnFilesForAQuota) {
    split("/docker/ab");
    write("sys/fs/cgroup/cpu,cpuacct/docker/ab/cpu.cfs_quota_us", "-1\n");
    write("sys/fs/cgroup/cpu,cpuacct/docker/ab/cpu.cfs_period_us", "100000\n");
    EXPECT_FALSE(cpu_quota(files));
    write("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "25000\n");
    write("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(cpu_quota(files).value, 0.25);
}

TEST_F(Limits, AContainerSeesItsGroupAsTheRoot) {
    for (const char* group : {"/", "/docker/ab", "/../other"}) {
        unify(group, "/docker/ab");
        write("sys/fs/cgroup/cpu.max", "200000 100000\n");
        EXPECT_EQ(cpu_quota(files).value, 2) << group;
    }
}

TEST_F(Limits, ThrottlingIsCountedInAllGroupsThatHoldIt) {
    unify("/job/step");
    write("sys/fs/cgroup/job/cpu.stat",
          "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 500000\n");
    write("sys/fs/cgroup/job/step/cpu.stat", "nr_throttled 1\nthrottled_usec 250000\n");
    EXPECT_EQ(read_throttled(files).times, 4);
    EXPECT_EQ(read_throttled(files).seconds, 0.75);
    split("/a");
    write("sys/fs/cgroup/cpu,cpuacct/a/cpu.stat",
          "nr_periods 2\nnr_throttled 2\nthrottled_time 1500000000\n");
    EXPECT_EQ(read_throttled(files).times, 2);
    EXPECT_EQ(read_throttled(files).seconds, 1.5);
}

TEST_F(Limits, TheLeastMemoryHolds) {
    free_memory(8000);
    unify("/job/step");
    EXPECT_EQ(mebibytes(), 8000);
    write("sys/fs/cgroup/job/memory.max", mebi(1000));
    write("sys/fs/cgroup/job/memory.current", mebi(400));
    write("sys/fs/cgroup/job/step/memory.max", "max\n");
    write("sys/fs/cgroup/job/step/memory.current", mebi(300));
    EXPECT_EQ(mebibytes(), 600);
    write("sys/fs/cgroup/job/memory.stat", "anon 9\ninactive_file " + mebi(250));
    EXPECT_EQ(mebibytes(), 850) << "pages of files that nobody uses go when they must";
    write("sys/fs/cgroup/job/step/memory.high", mebi(350));
    EXPECT_EQ(mebibytes(), 50) << "above it the group is slowed down";
    write("sys/fs/cgroup/job/memory.current", mebi(2000));
    EXPECT_EQ(mebibytes(), 0);
}

TEST_F(Limits, VersionOneHasItsOwnFilesForMemory) {
    free_memory(8000);
    split("/slurm/job_7");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", mebi(9000));
    EXPECT_EQ(mebibytes(), 8000);
    write("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", mebi(500));
    write("sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", mebi(100));
    EXPECT_EQ(mebibytes(), 400);
}

TEST_F(Limits, UnknownIsNotZero) {
    const auto nothing = available_memory(files);
    EXPECT_FALSE(nothing);
    EXPECT_FALSE(nothing.reason.empty());
    EXPECT_FALSE(cpu_quota(files));
    EXPECT_EQ(read_throttled(files).times, 0);
    // What lies where it usually does is seen even where /proc is hidden.
    write("sys/fs/cgroup/memory.max", mebi(300));
    write("sys/fs/cgroup/memory.current", mebi(100));
    EXPECT_EQ(mebibytes(), 200);
}

TEST_F(Limits, DamagedFilesLimitNothing) {
    free_memory(70);
    for (const char* text : {"", "max", "-5 100000", "50000 0", "x y", "\xff\xfe", "1e999"}) {
        unify("/a");
        write("sys/fs/cgroup/a/cpu.max", text);
        write("sys/fs/cgroup/a/memory.max", text);
        EXPECT_FALSE(cpu_quota(files)) << text;
        EXPECT_EQ(mebibytes(), 70) << text;
        write("proc/self/mountinfo", text);
        write("proc/self/cgroup", text);
        EXPECT_FALSE(cpu_quota(files)) << text;
    }
}

TEST_F(Limits, AWordIsAWholeOne) {
    unify("/a");
    write("sys/fs/cgroup/a/cpu.stat", "nr_throttled_bursts 9\nnr_throttled 3\n");
    EXPECT_EQ(read_throttled(files).times, 3);
}

TEST_F(Limits, AnotherControllersHierarchyOfVersionOneLimitsNothing) {
    split("/a");
    write("sys/fs/cgroup/memory/a/cpu.cfs_quota_us", "25000\n");
    write("sys/fs/cgroup/memory/a/cpu.cfs_period_us", "100000\n");
    EXPECT_FALSE(cpu_quota(files));
}

TEST_F(Limits, APointOfMountMayHoldABlank) {
    write("proc/self/cgroup", "0::/\n");
    write("proc/self/mountinfo", "30 23 0:26 / /my\\040groups rw - cgroup2 none rw\n");
    write("my groups/cpu.max", "50000 100000\n");
    EXPECT_EQ(cpu_quota(files).value, 0.5);
}

/// Each in a process of its own, whose OpenMP begins there.
class TeamDeathTest : public testing::Test {
  protected:
    TeamDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

    [[noreturn]] static void exit_with_team_on_one_cpu(int wanted) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<std::size_t>(read_affinity().value->front()), &one);
        ::sched_setaffinity(0, sizeof one, &one);
        omp_set_num_threads(3);  // as OMP_NUM_THREADS would
        const Threads team = start_threads(wanted);
        std::_Exit(team.remark.empty() == (wanted > 0) ? team.threads : 99);
    }
};

TEST_F(TeamDeathTest, IsNoLargerThanTheCpusItMayUse) {
    EXPECT_EXIT(exit_with_team_on_one_cpu(0), testing::ExitedWithCode(1), "");
}

TEST_F(TeamDeathTest, IsAsAskedForByItsNumber) {
    EXPECT_EXIT(exit_with_team_on_one_cpu(5), testing::ExitedWithCode(5), "");
}

TEST_F(TeamDeathTest, IsThatOfEveryRegionWhereNoneWasAskedFor) {
    const auto threads_of_a_region = [](int wanted) {
        omp_set_num_threads(3);
        start_threads(wanted);
        std::_Exit(omp_get_max_threads());
    };
    const int all = std::min(3, static_cast<int>(read_affinity().value->size()));
    EXPECT_EXIT(threads_of_a_region(0), testing::ExitedWithCode(all), "");
    EXPECT_EXIT(threads_of_a_region(1), testing::ExitedWithCode(3), "") << "of that one region alone";
}

TEST_F(TeamDeathTest, SaysWhyItIsSmaller) {
    const auto remark_here = [](int cpus) {
        omp_set_num_threads(cpus + 1);
        std::fputs(start_threads(0).remark.c_str(), stderr);
        std::_Exit(0);
    };
    const auto cpus = static_cast<int>(read_affinity().value->size());
    EXPECT_EXIT(remark_here(cpus), testing::ExitedWithCode(0),
                "of OpenMP's " + std::to_string(cpus + 1) + ", for this process may use " +
                    std::to_string(cpus) + " CPU");
}

using MemoryDeathTest = TeamDeathTest;

TEST_F(MemoryDeathTest, IsNoMoreThanTheProcessMayTake) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "its shadow memory is larger than any limit";
#endif
    const auto limited = [] {
        limit_address_space(std::size_t{64} << 20);
        const auto left = read_available_memory();
        const bool is_little = left && *left.value > (32 << 20) && *left.value <= (64 << 20);
        std::_Exit(is_little ? 7 : 1);
    };
    EXPECT_EXIT(limited(), testing::ExitedWithCode(7), "");
}

TEST_F(TeamDeathTest, StaysAsItCame) {
    const auto team = [] {
        omp_set_dynamic(1);
        std::_Exit(start_threads(1).threads == 1 && omp_get_dynamic() == 0 ? 7 : 1);
    };
    EXPECT_EXIT(team(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace gridmark::harness

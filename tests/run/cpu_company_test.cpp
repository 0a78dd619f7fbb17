// What other programs and quotas take of the CPUs, told by systems that a folder makes up.

#include "harness/run/cpu_company.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

constexpr int root = 100;

class CpuCompany : public testing::Test {
  protected:
    CpuCompany() {
        std::string folder = testing::TempDir() + "companyXXXXXX";
        files.root = ::mkdtemp(folder.data());
        process(1, 0, "init", 5000);
        process(root, 1, "gridmark", 100);
        process(root + 1, root, "a (child) 7", 1000);
        cpus(0, 0);
    }
    ~CpuCompany() override { std::filesystem::remove_all(files.root); }

    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((files.root / path).parent_path());
        std::ofstream(files.root / path) << text;
    }
    void process(int id, int parent, const std::string& name, int ticks) const {
        write("proc/" + std::to_string(id) + "/stat",
              std::to_string(id) + " (" + name + ") S " + std::to_string(parent) +
                  " 1 1 0 -1 4194560 1 2 3 4 " + std::to_string(ticks) + " 0 0 0 20 0 1 0 55 1 2\n");
    }
    /// CPUs 0 and 1 have worked for so many ticks and idled for as many; CPU 2 works all the time.
    void cpus(int working, int idle) const {
        const std::string work = std::to_string(1000 + working), rest = std::to_string(7000 + idle);
        write("proc/stat", "cpu  9 9 9 9 9 0 0 9 0 0\ncpu0 " + work + " 0 0 " + rest +
                               " 5 0 0 3 0 0\ncpu1 1 2 " + work + " " + rest + " 5 1 1 0 0 0\ncpu2 " +
                               std::to_string(9000 + 2 * (working + idle)) + " 0 0 0 0 0 0 0 0 0\nintr 5\n");
    }
    std::vector<Row> marked(const std::function<void()>& meanwhile) const {
        const std::vector<Witness> witnesses = cpu_witnesses(files, {0, 1}, root);
        std::vector<Row> rows;
        for (const char* clock : {"wall", "step", "kernel"}) {
            const Row row = tests::timed_row(clock, tests::about(10),
                                             {{"clock", clock}, {"parameters", {{"threads", 2}}}});
            rows.push_back(row);
        }
        Company company(witnesses);
        meanwhile();
        company.mark(rows, false);
        return rows;
    }
    std::string wall_marks(const std::function<void()>& meanwhile) const {
        const auto row = marked(meanwhile).front();
        return row.disturbed ? row.disturbed->by.front() : "";
    }

    SystemFiles files;
};

TEST_F(CpuCompany, OurOwnWorkIsNone) {
    EXPECT_EQ(wall_marks([&] {
                  cpus(500, 500);
                  process(root + 1, root, "a (child) 7", 1600);
                  process(root + 2, root + 1, "mpirun", 200);
                  process(root + 9, 1, "gridmark-ranks", 200);  // a scheduler's daemon starts them
              }),
              "");
}

TEST_F(CpuCompany, WhatOthersTakeIsTold) {
    const auto meanwhile = [&] {
        cpus(500, 500);
        process(root + 1, root, "a (child) 7", 1600);
        process(7, 1, "stress", 400);
    };
    EXPECT_EQ(wall_marks(meanwhile), "others took 20 % of the CPU time");
    cpus(0, 0);
    process(root + 1, root, "a (child) 7", 1000);
    const auto rows = marked(meanwhile);
    EXPECT_TRUE(rows[0].disturbed);
    EXPECT_FALSE(rows[1].disturbed || rows[2].disturbed) << "the GPU's clocks see no CPU";
}

TEST_F(CpuCompany, UpToTwoPercentIsAQuietMachine) {
    const auto others = [&](int ticks) {
        cpus(0, 0);
        process(root + 1, root, "a (child) 7", 1000);
        return wall_marks([&] {
            cpus(500, 500);
            process(root + 1, root, "a (child) 7", 2000 - ticks);
        });
    };
    EXPECT_EQ(others(40), "");
    EXPECT_NE(others(41), "");
}

TEST_F(CpuCompany, RoundingIsNobodys) {
    EXPECT_EQ(wall_marks([&] { cpus(2, 10); }), "") << "a tick each for two CPUs and two processes of ours";
}

TEST_F(CpuCompany, WhereTheSystemHidesItsTimesPressureTells) {
    for (const char* hidden : {"proc/stat", "proc/none"}) {
        std::filesystem::remove(files.root / hidden);
        write("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=100\nfull total=0\n");
        const std::string told = wall_marks(
            [&] { write("proc/pressure/cpu", "some avg10=9.00 avg60=0.00 avg300=0.00 total=9000000000\n"); });
        EXPECT_EQ(told, "programs waited for a CPU 100 % of the time");
    }
    std::filesystem::remove(files.root / "proc/pressure/cpu");
    EXPECT_EQ(wall_marks([] {}), "") << "nobody can tell";
}

TEST_F(CpuCompany, PressureIsInMicrosecondsOfWhoeverWaited) {
    write("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\nfull total=7\n");
    EXPECT_EQ(seconds_waited(files), 2.5);
    for (const char* text : {"", "full avg10=0.00 total=7\n", "some avg10=0.00\n", "some total=much\n",
                             "some avg10=0.00\nfull total=7\n"}) {
        write("proc/pressure/cpu", text);
        EXPECT_FALSE(seconds_waited(files)) << text;
    }
}

TEST_F(CpuCompany, AQuotaThatWasUsedUpIsTold) {
    write("sys/fs/cgroup/cpu.stat", "nr_periods 5\nnr_throttled 3\nthrottled_usec 1000\n");
    EXPECT_EQ(wall_marks([] {}), "") << "before the group";
    const auto rows = marked(
        [&] { write("sys/fs/cgroup/cpu.stat", "nr_periods 9\nnr_throttled 5\nthrottled_usec 501000\n"); });
    ASSERT_TRUE(rows[0].disturbed);
    EXPECT_EQ(rows[0].disturbed->by.front(),
              "a control group's quota of CPU time was used up 2 times, for 0.5 s");
    EXPECT_TRUE(rows[1].disturbed) << "launches wait, too";
    EXPECT_FALSE(rows[2].disturbed);
}

TEST_F(CpuCompany, AQuotaOfFewerCpusThanThreadsDisturbs) {
    write("sys/fs/cgroup/cpu.max", "200000 100000\n");
    EXPECT_EQ(wall_marks([] {}), "");
    write("sys/fs/cgroup/cpu.max", "150000 100000\n");
    const auto rows = marked([] {});
    ASSERT_TRUE(rows[0].disturbed);
    EXPECT_EQ(rows[0].disturbed->by.front(),
              "a control group grants the time of 1.5 CPUs, fewer than its threads");
    EXPECT_FALSE(rows[1].disturbed || rows[2].disturbed);
}

Expected<CpuTicks> ticks(double all, double working, double own, double slack = 2) {
    return known(CpuTicks{all, working, own, slack});
}

TEST(ShareOfOthers, IsOfAllTimeAndOneAtMost) {
    const auto start = ticks(1000, 500, 100);
    EXPECT_EQ(share_of_others(start, ticks(1200, 600, 150)).value, 0.25);
    EXPECT_EQ(share_of_others(start, ticks(1200, 502, 100)).value, 0) << "no more than the slack";
    EXPECT_EQ(share_of_others(start, ticks(1200, 503, 100)).value, 3.0 / 200);
    EXPECT_EQ(share_of_others(start, ticks(1200, 510, 200)).value, 0) << "ours alone, and rounded";
    EXPECT_EQ(share_of_others(start, ticks(1010, 530, 100)).value, 1);
}

TEST(ShareOfOthers, IsUnknownWithoutTimeOrAReading) {
    const auto start = ticks(1000, 500, 100);
    EXPECT_EQ(share_of_others(start, start).reason, "no CPU time has passed");
    EXPECT_EQ(share_of_others(unknown<CpuTicks>("hidden"), start).reason, "hidden");
    EXPECT_EQ(share_of_others(start, unknown<CpuTicks>("hidden")).reason, "hidden");
}

TEST_F(CpuCompany, TicksAreOfTheseCpusAndOfOurProcesses) {
    const auto found = read_cpu_ticks(files, {0, 1}, root);
    ASSERT_TRUE(found) << found.reason;
    EXPECT_EQ(found.value->working, 1000 + (1 + 2 + 1000 + 1 + 1));
    EXPECT_EQ(found.value->all, found.value->working + 2 * 7000 + 2 * 5 + 3) << "idle, waiting and stolen";
    EXPECT_EQ(found.value->own, 100 + 1000);
    EXPECT_EQ(found.value->slack, 2 + 2) << "a tick for each CPU and each process";
    EXPECT_EQ(read_cpu_ticks(files, {7}, root).reason, "the system does not show CPU times");
}

}  // namespace
}  // namespace gridmark::harness

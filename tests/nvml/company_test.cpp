// Who uses the GPU beside this program, from what the driver says of it.

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>

#include "harness/gpu/gpu_watch.hpp"
#include "tests/nvml/fake_nvml.hpp"

namespace gridmark::harness {
namespace {

using tests::fake_nvml;
using tests::fake_uuid;

constexpr unsigned self = 100, of_ours = 101;

OwnUse own(bool holds = true, bool rests = false) {
    return {[](unsigned pid) { return pid == self || pid == of_ours; }, self, holds, rests};
}

/// How many clauses there are about what the driver now says.
std::size_t others(const OwnUse& mine = own()) {
    const GpuUse use = read_gpu_use(fake_uuid, 0);
    return listed_others(use, mine).size() + unlisted_others(use, mine).size();
}

TEST(GpuCompany, ThereIsNoneOfOurselves) {
    auto& nvml = fake_nvml();
    EXPECT_EQ(others(), 0U);
    nvml.compute = {self, of_ours};
    nvml.busy = {{self, 100}, {of_ours, 50}};
    nvml.utilization = 100;
    nvml.used = 8ULL << 30U;
    EXPECT_EQ(others(), 0U);
}

TEST(GpuCompany, IsWhoComputes) {
    auto& nvml = fake_nvml();
    nvml.compute = {self, 7};
    EXPECT_EQ(others(), 1U);
    nvml.compute = {self};
    nvml.mps = {self, 8};
    EXPECT_EQ(others(), 1U) << "a client of MPS";
    nvml.mps.clear();
    nvml.compute.resize(300);
    std::iota(nvml.compute.begin(), nvml.compute.end(), 1000);
    const auto words = listed_others(read_gpu_use(fake_uuid, 0), own(false));
    ASSERT_EQ(words.size(), 1U);
    EXPECT_NE(words[0].find("300"), std::string::npos) << "more than fit at first";
}

// A container may see the numbers of the host: one of them is this process once it has opened the GPU.
TEST(GpuCompany, IsCountedWhereNumbersAreTheHosts) {
    auto& nvml = fake_nvml();
    nvml.compute = {70001};
    EXPECT_EQ(others(own(true)), 0U);
    EXPECT_EQ(others(own(false)), 1U) << "before that it is another";
    nvml.compute = {70001, 70002};
    EXPECT_EQ(others(own(true)), 1U);
}

TEST(GpuCompany, ADesktopIsNoneUntilItIsBusy) {
    auto& nvml = fake_nvml();
    nvml.compute = {self, 9};
    nvml.graphics = {8, 9};
    EXPECT_EQ(others(), 0U) << "9 is a browser";
    nvml.busy = {{self, 90}, {8, 2}};
    EXPECT_EQ(others(), 0U);
    nvml.busy[8] = 4;
    EXPECT_EQ(others(), 0U);
    nvml.busy[8] = busy_from_percent;
    EXPECT_EQ(others(), 1U);
    EXPECT_EQ(read_gpu_use(fake_uuid, 0).busy_by_process.value->at(8), busy_from_percent)
        << "the most of two";
    nvml.busy[8] = 0;
    nvml.busy_before[8] = 30;
    EXPECT_EQ(others(), 0U) << "before the time that is asked from";
    nvml.busy[77] = 30;
    EXPECT_EQ(others(), 0U) << "not listed: one of ours that has ended";
}

TEST(GpuCompany, OfAContainerShowsByWhatItDoesAndTakes) {
    auto& nvml = fake_nvml();
    nvml.utilization = 100;
    EXPECT_EQ(others(own(true, false)), 0U) << "that may be ourselves";
    EXPECT_EQ(others(own(true, true)), 1U);
    nvml.utilization = busy_from_percent;
    EXPECT_EQ(others(own(true, true)), 1U);
    nvml.utilization = busy_from_percent - 1;
    EXPECT_EQ(others(own(true, true)), 0U);
    nvml.used = 128 << 20;
    EXPECT_EQ(others(own(false)), 1U);
    nvml.used -= 1;
    EXPECT_EQ(others(own(false)), 0U) << "less than a program takes";
    nvml.used = 3ULL << 30U;
    EXPECT_EQ(others(own(true)), 0U) << "our own memory";
    EXPECT_EQ(unlisted_others(read_gpu_use(fake_uuid, 0), own(false)),
              std::vector<std::string>{"others hold 3.0 GiB of the GPU's memory"});
    nvml.compute = {7};
    nvml.utilization = 100;
    EXPECT_EQ(others(own(false, true)), 1U) << "who is listed is who keeps it busy";
    nvml.compute.clear();
    nvml.desktop = 1;
    EXPECT_EQ(others(own(false)), 0U);
    nvml.desktop = 0;
    nvml.used = 4 << 20;
    EXPECT_EQ(others(own(false)), 0U) << "the driver's";
}

TEST(GpuCompany, IsNotMadeUpWhereNothingIsSaid) {
    auto& nvml = fake_nvml();
    nvml.refused = {"compute", "graphics", "mps", "busy", "memory", "utilization", "display"};
    nvml.used = 3ULL << 30U;
    const GpuUse use = read_gpu_use(fake_uuid, 0);
    EXPECT_FALSE(use.processes || use.memory_bytes || use.busy_percent || use.busy_by_process);
    EXPECT_EQ(others(own(false, true)), 0U);
    EXPECT_FALSE(read_gpu_use("GPU-ff", 0).processes.reason.empty());
    // A slice has no graphics and no utilisation, and its UUID in CUDA's spelling is no card's.
    nvml.refused = {"graphics", "busy", "utilization"};
    EXPECT_TRUE(read_gpu_use("GPU-01", 0).memory_bytes) << "MIG-01";
    nvml.compute = {self, 7};
    EXPECT_EQ(others(), 1U);
}

GpuWatch::Words words_of_a_group(GpuWatch& watch, const std::function<void()>& meanwhile) {
    watch.begin();
    meanwhile();
    return watch.end();
}

TEST(GpuWatch, SeesWhoWasThereAtEitherEndOfAGroup) {
    auto& nvml = fake_nvml();
    const auto pid = static_cast<unsigned>(::getpid());
    GpuWatch watch(known<std::string>(fake_uuid));
    EXPECT_TRUE(watch.now().empty());
    nvml.compute = {pid};
    EXPECT_TRUE(words_of_a_group(watch, [] {}).empty());
    EXPECT_EQ(words_of_a_group(watch, [&] { nvml.compute = {pid, 1}; }).size(), 1U) << "it came";
    EXPECT_EQ(words_of_a_group(watch, [&] { nvml.compute = {pid}; }).size(), 1U) << "it went";
    EXPECT_TRUE(words_of_a_group(watch, [] {}).empty());
    const GpuBeacon another(fake_uuid);
    const std::size_t runs = another.others() > 0 ? 1 : 0;  // 0: this system does not show sockets
    EXPECT_EQ(words_of_a_group(watch, [] {}).size(), runs);
}

TEST(GpuWatch, SeesBeforeItOpensTheGpuWhoIsBusy) {
    auto& nvml = fake_nvml();
    nvml.utilization = 97;
    GpuWatch watch(known<std::string>(fake_uuid));
    EXPECT_EQ(watch.now().size(), 1U);
    EXPECT_EQ(words_of_a_group(watch, [] {}).size(), 1U);
}

TEST(GpuWatch, SaysWhatItCannotSee) {
    auto& nvml = fake_nvml();
    nvml.refused = {"compute"};
    EXPECT_NE(GpuWatch(known<std::string>(fake_uuid)).unseen().find("unless they keep it busy"),
              std::string::npos);
    nvml.refused = {"compute", "utilization"};
    EXPECT_NE(GpuWatch(known<std::string>(fake_uuid)).unseen().find("Not Supported"), std::string::npos);
    GpuWatch none(unknown<std::string>("no GPU"));
    EXPECT_TRUE(none.unseen().empty());
    EXPECT_TRUE(words_of_a_group(none, [] {}).empty());
}

/// A process that this one did not start as far as the system tells, by a name that it gives itself. It goes
/// with the object.
class Stranger {
  public:
    explicit Stranger(const char* name) {
        int held[2], told[2];
        EXPECT_EQ(::pipe(held) + ::pipe(told), 0);
        const pid_t between = ::fork();
        if (between == 0) {
            if (::fork() != 0) ::_exit(0);
            ::close(held[1]);
            ::prctl(PR_SET_NAME, name);
            const pid_t own = ::getpid();
            char end = 0;
            (void)!::write(told[1], &own, sizeof own);
            ::_exit(static_cast<int>(::read(held[0], &end, 1)));  // at the object's end
        }
        ::waitpid(between, nullptr, 0);
        EXPECT_EQ(::read(told[0], &pid_, sizeof pid_), static_cast<ssize_t>(sizeof pid_));
        for (const int end : {held[0], told[0], told[1]})
            ::close(end);
        held_ = held[1];
    }
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;
    ~Stranger() { ::close(held_); }

    unsigned pid() const { return static_cast<unsigned>(pid_); }

  private:
    int held_ = -1;
    pid_t pid_ = -1;
};

// Ranks that a scheduler started, and the server that sends our own work.
TEST(GpuWatch, KnowsWhoWorksForItAlthoughOthersStartedThem) {
    auto& nvml = fake_nvml();
    GpuWatch watch(known<std::string>(fake_uuid));
    for (const auto& [name, others] :
         {std::pair{"gridmark-ranks", 0U}, {"nvidia-cuda-mps", 0U}, {"another", 1U}}) {
        const Stranger stranger(name);
        nvml.compute = {static_cast<unsigned>(::getpid()), stranger.pid()};
        EXPECT_EQ(words_of_a_group(watch, [] {}).size(), others) << name;
        nvml.compute.clear();
    }
}

TEST(GpuWatch, KnowsItsOwnProcesses) {
    const auto self = static_cast<unsigned>(::getpid()), parent = static_cast<unsigned>(::getppid());
    EXPECT_TRUE(descends_from(self, self));
    EXPECT_TRUE(descends_from(self, parent));
    EXPECT_FALSE(descends_from(parent, self));
    EXPECT_FALSE(descends_from(0x7ffffff0, self));
}

TEST(GpuCompany, OtherRunsShowTheirBeacons) {
    const std::string text =
        "Num RefCount Inode Path\n0: 2 1 @gridmark-GPU-1-5\n0: 2 2 @gridmark-GPU-1-6\n0: 2 3 "
        "@gridmark-GPU-2-7\n0: 2 4 /run/gridmark-GPU-1-8\n";
    EXPECT_EQ(count_beacons(text, "gridmark-GPU-1-", "gridmark-GPU-1-5"), 1);
    EXPECT_EQ(count_beacons("", "gridmark-GPU-1-", ""), 0);
    const std::string uuid = "GPU-of-this-test";
    const GpuBeacon first(uuid);
    const int before = first.others();
    {
        const GpuBeacon second(uuid), elsewhere("GPU-another");
        if (second.others() == before) GTEST_SKIP() << "this system does not show sockets";
        EXPECT_EQ(first.others(), before + 1);
        EXPECT_EQ(second.others(), before + 1);
    }
    EXPECT_EQ(first.others(), before) << "it went";
}

}  // namespace
}  // namespace gridmark::harness

// A child that reports well, badly, or not at all. The children are shell scripts.

#include "harness/os/process.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "harness/os/resources.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Wait = Process::Wait;

class ProcessTest : public testing::Test {
  protected:
    /// A child that runs `script`, whose events go to file descriptor 3.
    Process child(const std::string& script) {
        tests::write_text(folder_ / "script", script);
        return Process({(folder_ / "script").string()}, MemoryFile("what it is asked").descriptor(),
                       "/bin/sh");
    }
    json event;

  private:
    tests::TemporaryFolder folder_;
};

TEST_F(ProcessTest, EventsComeOneByOneHoweverTheyAreSent) {
    Process process =
        child("printf '{\"n\": 1}\\n{\"n\": 2}\\n{\"n\"' >&3; cat >&2; printf ': 3}\\n4\\n' >&3; exit 7");
    for (int n = 1; n <= 3; ++n) {
        ASSERT_EQ(process.next(30, event), Wait::event);
        EXPECT_EQ(event, json({{"n", n}}));
    }
    ASSERT_EQ(process.next(30, event), Wait::event);
    EXPECT_EQ(event, 4);
    ASSERT_EQ(process.next(30, event), Wait::ended);
    EXPECT_EQ(process.kill_and_explain(), "exit code 7: what it is asked");
    EXPECT_EQ(process.exit_code(), 7);
}

TEST_F(ProcessTest, KnowsWhetherAnEventIsThereAlready) {
    Process process = child("printf '1\\n2\\n3' >&3; exec sleep 1000");
    ASSERT_EQ(process.next(30, event), Wait::event);
    EXPECT_TRUE(process.has_event());
    ASSERT_EQ(process.next(30, event), Wait::event);
    EXPECT_EQ(event, 2);
    EXPECT_FALSE(process.has_event());  // half of one is none
}

TEST_F(ProcessTest, WhatIsNoJsonIsDamagedAndWhatFollowsIsNot) {
    Process process = child("printf '{\"n\": 1\\n[2]\\n' >&3; kill -SEGV $$");
    ASSERT_EQ(process.next(30, event), Wait::damaged);
    ASSERT_EQ(process.next(30, event), Wait::event);
    EXPECT_EQ(event, json::array({2}));
    ASSERT_EQ(process.next(30, event), Wait::ended);
    EXPECT_EQ(process.kill_and_explain(), "killed by SIGSEGV (Segmentation fault)");
}

TEST_F(ProcessTest, AnEventWithoutEndIsDamaged) {
    Process process = child("cat /dev/zero >&3");
    EXPECT_EQ(process.next(60, event), Wait::damaged);
}

TEST_F(ProcessTest, AHalfEventIsNone) {
    Process process = child("printf '{\"n\": 1}' >&3");
    EXPECT_EQ(process.next(30, event), Wait::ended);
    EXPECT_EQ(process.kill_and_explain(), "");
}

TEST_F(ProcessTest, WaitsNoLongerThanItShall) {
    Process process = child("exec sleep 1000");
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(process.next(0.5, event), Wait::timed_out);
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(490));
    EXPECT_EQ(process.kill_and_explain(), "killed by SIGKILL (Killed)");
}

}  // namespace
}  // namespace gridmark::harness

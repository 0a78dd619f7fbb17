// A child that reports well, badly, or not at all. The children are shell scripts.

#include "harness/os/process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

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

TEST_F(ProcessTest, GivesTheEndOfWhatItSaid) {
    Process process = child("printf 'one\\ntwo' ; printf ' three\\n\\n' >&2; kill -TERM $$");
    ASSERT_EQ(process.next(30, event), Wait::ended);
    EXPECT_EQ(process.kill_and_explain(), "killed by SIGTERM (Terminated): two three");
    EXPECT_EQ(process.exit_code(), std::nullopt) << "a signal ended it";
    EXPECT_EQ(process.said(), "one\ntwo three") << "its last lines' ends aside";
    EXPECT_EQ(process.said(6), "hree") << "of six characters, two ends of lines";
    EXPECT_EQ(process.said(1'000'000), "one\ntwo three");
    EXPECT_EQ(process.kill_and_explain(), "") << "it has been told";
    EXPECT_EQ(process.exit_code(), std::nullopt);
}

TEST_F(ProcessTest, IsKilledWhenTheObjectGoes) {
    pid_t pid = -1;
    {
        Process process = child("echo 1 >&3; exec sleep 1000");
        pid = process.pid();
        ASSERT_EQ(process.next(30, event), Wait::event);
        EXPECT_EQ(::kill(pid, 0), 0);
    }
    EXPECT_EQ(::kill(pid, 0), -1);
}

TEST_F(ProcessTest, OfAProgramThatCannotBeStartedEnds) {
    Process process({}, STDIN_FILENO, "/no/such/program");
    EXPECT_EQ(process.next(30, event), Wait::ended);
    EXPECT_EQ(process.kill_and_explain(), "exit code 127: ");
}

TEST_F(ProcessTest, CallsMeanwhileWhileItWaits) {
    Process process = child("exec sleep 1000");
    int calls = 0;
    EXPECT_EQ(process.next(0.9, event, [&] { ++calls; }), Wait::timed_out);
    // A slice of 0.2 s counts at least as long as it is, and at most twice.
    EXPECT_GE(calls, 3);
    EXPECT_LE(calls, 5);
}

TEST_F(ProcessTest, AnswersTheRequestsThatItIsSent) {
    LineSender requests;
    tests::write_text(folder_ / "script", "while read -r line; do echo \"[$line]\" >&3; done; exit 5");
    Process process({(folder_ / "script").string()}, requests.its_end(), "/bin/sh");
    requests.started();
    for (int n = 1; n <= 2; ++n) {
        requests.send({{"n", n}});
        ASSERT_EQ(process.next(30, event), Wait::event);
        EXPECT_EQ(event, json::array({{{"n", n}}}));
    }
    requests.close();
    EXPECT_EQ(process.next(30, event), Wait::ended) << "there are no more";
    EXPECT_EQ(process.kill_and_explain(), "exit code 5: ");
}

TEST_F(ProcessTest, ThatIsGoneHearsNoRequest) {
    LineSender requests;
    Process process({"-c", "exit 3"}, requests.its_end(), "/bin/sh");
    requests.started();
    ASSERT_EQ(process.next(30, event), Wait::ended);
    EXPECT_EQ(process.kill_and_explain(), "exit code 3: ");
    for (int n = 0; n < 3; ++n)
        requests.send(std::string(100'000, 'x'));  // more than the system would keep for it
}

TEST_F(ProcessTest, WaitsNoLongerThanItShall) {
    Process process = child("exec sleep 1000");
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(process.next(0.5, event), Wait::timed_out);
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(490));
    EXPECT_EQ(process.kill_and_explain(), "killed by SIGKILL (Killed)");
}

using ProcessDeathTest = ProcessTest;

/// In a process of its own, whose events go to a file.
[[noreturn]] void exit_after_sending(const std::filesystem::path& path) {
    ::dup2(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), event_descriptor);
    send_event({{"text", "two\nlines \xff"}});
    send_event(1);
    std::_Exit(7);
}

TEST_F(ProcessDeathTest, AnEventIsALineOfUtf8) {
    EXPECT_EXIT(exit_after_sending(folder_ / "events"), testing::ExitedWithCode(7), "");
    EXPECT_EQ(tests::read_text(folder_ / "events"), "{\"text\":\"two\\nlines \xef\xbf\xbd\"}\n1\n");
}

TEST_F(ProcessDeathTest, WithoutAParentToHearAnEventEndsQuietly) {
    const auto send = [] {
        int pipe[2];
        (void)!::pipe(pipe);
        ::dup2(pipe[1], event_descriptor);
        std::signal(SIGPIPE, SIG_IGN);
        // All that reads it goes.
        ::close(pipe[0]);
        send_event(1);
        std::_Exit(7);
    };
    EXPECT_EXIT(send(), testing::ExitedWithCode(1), "^$");
}

/// What a process ends with that is interrupted so many times.
[[noreturn]] void exit_when_interrupted(const std::vector<int>& signals) {
    catch_interrupts();
    if (interrupted()) std::_Exit(1);
    for (const int number : signals)
        ::raise(number);
    std::_Exit(interrupted() ? 7 : 2);
}

TEST_F(ProcessDeathTest, AnInterruptIsSeenAndTheSecondEndsIt) {
    EXPECT_EXIT(exit_when_interrupted({SIGINT}), testing::ExitedWithCode(7), "");
    EXPECT_EXIT(exit_when_interrupted({SIGTERM}), testing::ExitedWithCode(7), "");
    EXPECT_EXIT(exit_when_interrupted({SIGTERM, SIGINT}), testing::ExitedWithCode(exit_interrupted), "");
}

TEST_F(ProcessDeathTest, AnInterruptEndsTheWaiting) {
    const auto wait = [this] {
        Process process = child("exec sleep 1000");
        catch_interrupts();
        ::raise(SIGINT);
        const bool is_interrupted = process.next(30, event) == Wait::interrupted;
        process.kill_and_explain();
        std::_Exit(is_interrupted ? 7 : 1);
    };
    EXPECT_EXIT(wait(), testing::ExitedWithCode(7), "");
}

/// One that has ended stays listed until somebody collects it.
bool runs(pid_t pid) {
    const std::string stat = tests::read_text("/proc/" + std::to_string(pid) + "/stat");
    return !stat.empty() && stat.find(") Z ") == std::string::npos;
}

TEST_F(ProcessDeathTest, AChildGoesWithItsParent) {
    const auto leave = [this] {
        Process process = child("echo $$ >" + (folder_ / "pid").string() + "; echo 1 >&3; exec sleep 1000");
        (void)process.next(30, event);
        std::_Exit(7);  // nothing of this process's own ends it
    };
    EXPECT_EXIT(leave(), testing::ExitedWithCode(7), "");
    const pid_t orphan = std::stoi(tests::read_text(folder_ / "pid"));
    for (int tries = 0; tries < 500 && runs(orphan); ++tries)
        ::usleep(10'000);  // the kernel is about to kill it
    EXPECT_FALSE(runs(orphan));
}

}  // namespace
}  // namespace gridmark::harness

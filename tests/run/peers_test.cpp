// Peers' programs that work, and that do all kinds of wrong. They are shell scripts; the problem that they
// solve leaves every value as it is.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "harness/peers/peer_program.hpp"
#include "harness/peers/peer_work.hpp"
#include "harness/whole_field.hpp"
#include "kernels/launch/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

/// What a program does on each request; `$shared` is what both have mapped: the start on its first page, room
/// for the answer on its second.
struct Script {
    std::string set_up = R"(echo '{"program": "fake 1"}' >&3)";
    std::string answer =
        R"(dd if=$shared of=$shared bs=4096 count=1 seek=1 conv=notrunc 2>/dev/null; echo '{}' >&3)";
    std::string time = R"(echo '{"seconds": 0.25}' >&3)";

    std::string text() const {
        return "#!/bin/sh\n"
               "while read -r line; do case \"$line\" in\n"
               "*'\"device\":7,'*'\"numbers\":{\"a\":2.5}'*)\n"
               "    shared=/proc/self/fd/$(echo \"$line\" | sed 's/.*\"file\":\\([0-9]*\\).*/\\1/')\n" +
               set_up + " ;;\n*'\"answer\"'*'\"steps\":3'*) " + answer + " ;;\n*'\"time\"'*'\"steps\":5'*) " +
               time + " ;;\n*) echo \"$line\" >&2; exit 9 ;;\nesac; done\n";
    }
};

class PeerTest : public testing::Test {
  protected:
    std::unique_ptr<Work> peer(const Script& script) {
        const auto program = folder_ / ("program" + std::to_string(programs_++));
        tests::write_text(program, script.text());
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        auto problem = std::make_unique<PeerProblem>();
        problem->numbers = {{"a", 2.5}};
        std::vector<double> start(100);
        std::iota(start.begin(), start.end(), 1.0);
        std::ranges::copy(start, problem->arrays.add<float>("start", {start.size()}).begin());
        return peer_work<float>({program, "study_fake", patience, 7}, std::move(problem),
                                {3, {start.size()}, [start](std::span<const float> answer) {
                                     return compare_whole_field<float>(answer, start, 0, 3);
                                 }});
    }
    template <class Error>
    static void expect_error(const std::string& words, const std::function<void()>& body) {
        try {
            body();
            ADD_FAILURE() << "nothing was thrown; expected " << words;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    }

    double patience = 60;

  private:
    tests::TemporaryFolder folder_;
    int programs_ = 0;
};

TEST_F(PeerTest, IsCheckedAndTimedByItsOwnClock) {
    const auto work = peer({});
    const Verification v = work->verify();
    EXPECT_EQ(work->made_by(), "fake 1");
    EXPECT_TRUE(v.passed());
    EXPECT_EQ(v.steps, 3);
    EXPECT_EQ(work->timed(5), 0.25);
}

TEST_F(PeerTest, WithoutAnAnswerFails) {
    EXPECT_FALSE(peer({.answer = "echo '{}' >&3"})->verify().passed());
}

TEST_F(PeerTest, ThatAnswersOnceIsNotTakenTwice) {
    const auto work =
        peer({.answer = "[ -e $0.answered ] || { touch $0.answered; dd if=$shared of=$shared bs=4096 "
                        "count=1 seek=1 conv=notrunc 2>/dev/null; }; echo '{}' >&3"});
    EXPECT_TRUE(work->verify().passed());
    EXPECT_FALSE(work->verify().passed());
}

TEST_F(PeerTest, WithAWrongAnswerFails) {
    // A page of zeros.
    EXPECT_FALSE(
        peer(
            {.answer =
                 "dd if=/dev/zero of=$shared bs=4096 count=1 seek=1 conv=notrunc 2>/dev/null; echo '{}' >&3"})
            ->verify()
            .passed());
}

// Each is ready only when the other has been asked to be.
TEST_F(PeerTest, GetReadySideBySide) {
    patience = 20;
    const std::string here = "here=$(dirname $0); ",
                      first_come = here + "touch $here/1; until [ -e $here/2 ]; do sleep 0.01; done; ",
                      then_come = here + "touch $here/2; until [ -e $here/1 ]; do sleep 0.01; done; ";
    const auto first = peer({.set_up = first_come + Script{}.set_up});
    const auto second = peer({.set_up = then_come + Script{}.set_up});
    EXPECT_TRUE(first->verify().passed());
    EXPECT_TRUE(second->verify().passed());
}

TEST_F(PeerTest, ThatCannotRunHereSaysWhy) {
    expect_error<launch::Unavailable>("No module named 'jax'", [&] {
        peer({.set_up = R"(echo "{\"unavailable\": \"No module named 'jax'\"}" >&3)"})->verify();
    });
}

TEST_F(PeerTest, TellsWhatWentWrong) {
    expect_error<PeerError>("out of memory",
                            [&] { peer({.answer = R"(echo '{"error": "out of memory"}' >&3)"})->verify(); });
}

TEST_F(PeerTest, ThatDiesIsExplained) {
    expect_error<PeerError>("exit code 3: no luck",
                            [&] { peer({.set_up = "echo no luck >&2; exit 3"})->verify(); });
    expect_error<PeerError>("killed by SIGSEGV", [&] { peer({.answer = "kill -SEGV $$"})->verify(); });
    expect_error<PeerError>("without an answer", [&] { peer({.answer = "exit 0"})->verify(); });
}

TEST_F(PeerTest, ThatHangsIsNotWaitedFor) {
    patience = 0.5;
    expect_error<PeerError>("did not answer within 0.5 s",
                            [&] { peer({.answer = "exec sleep 1000"})->verify(); });
}

TEST_F(PeerTest, ThatTalksRubbishIsGivenUp) {
    for (const char* rubbish : {"echo hello >&3", "echo '[1]' >&3", "cat /dev/zero >&3", "echo '{' >&3"})
        expect_error<PeerError>("damaged", [&] { peer({.answer = rubbish})->verify(); });
    for (const char* nameless :
         {"echo '{}' >&3", R"(echo '{"program": 1}' >&3)", R"(echo '{"program": ""}' >&3)"})
        expect_error<PeerError>("did not say its program", [&] { peer({.set_up = nameless})->verify(); });
}

TEST_F(PeerTest, WhoseTimeIsNoneIsLostAlone) {
    for (const char* time :
         {R"(echo '{"seconds": 0}' >&3)", R"(echo '{"seconds": -1}' >&3)", R"(echo '{"seconds": "1"}' >&3)",
          R"(echo '{"seconds": null}' >&3)", "echo '{}' >&3", "kill -KILL $$", "echo no >&3"}) {
        const auto work = peer({.time = time});
        try {
            work->timed(5);
            ADD_FAILURE() << "nothing was thrown: " << time;
        } catch (const WorkLost& lost) {
            EXPECT_EQ(lost.work, work.get());
        }
    }
}

TEST_F(PeerTest, NeedsAProgramThatCanBeStarted) {
    auto problem = std::make_unique<PeerProblem>();
    problem->arrays.add<double>("start", {1});
    EXPECT_THROW(
        peer_work<double>({"/nowhere/at/all", "study_fake", 60, -1}, std::move(problem), {1, {1}, {}})
            ->verify(),
        PeerError);
}

}  // namespace
}  // namespace gridmark::harness

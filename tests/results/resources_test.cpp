// What a process holds of the system: files in memory, and the words that stay out of what is given away.

#include "harness/os/resources.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

TEST(MemoryFile, HoldsItsTextAndStandsAtItsStart) {
    const MemoryFile file("the request");
    EXPECT_EQ(file.size(), 11U);
    char text[20] = {};
    EXPECT_EQ(::read(file.descriptor(), text, sizeof text), 11);
    EXPECT_STREQ(text, "the request");
}

TEST(MemoryFile, IsReadFromAnyPlaceAndNotBeyondItsEnd) {
    const MemoryFile file("0123456789");
    char text[5] = {};
    file.read(text, 4, 3);
    EXPECT_STREQ(text, "3456");
    file.read(text, 4, 6);
    EXPECT_STREQ(text, "6789");
    EXPECT_NO_THROW(file.read(text, 0, 10));
    for (const auto& [bytes, offset] : {std::pair(4U, 7U), {1U, 10U}})
        EXPECT_EQ(tests::message_of<std::runtime_error>([&] { file.read(text, bytes, offset); }),
                  "a file in memory holds too little")
            << "and no error of the system";
}

TEST(MemoryFile, IsWhatAChildLeavesThere) {
    const MemoryFile file("request");
    EXPECT_EQ(::pwrite(file.descriptor(), "a longer answer", 15, 0), 15);
    EXPECT_EQ(file.size(), 15U);
    char text[16] = {};
    file.read(text, 15, 0);
    EXPECT_STREQ(text, "a longer answer");
}

/// In a process of its own: whether this user's name is one that stays out of files.
void expect_private(const char* user, bool is_private) {
    const auto look = [&] {
        ::setenv("USER", user, 1);
        const auto words = private_words();
        std::_Exit(std::ranges::find(words, user) != words.end() ? 7 : 8);
    };
    EXPECT_EXIT(look(), testing::ExitedWithCode(is_private ? 7 : 8), "") << user;
}

TEST(PrivateWordsDeathTest, AreNamesThatTellSomething) {
    for (const char* user : {"anna", "rootless", "marie-curie"})
        expect_private(user, true);
    for (const char* user : {"", "bob", "root", "user", "localhost"})
        expect_private(user, false);
}

TEST(PrivateWords, HoldTheHostsName) {
    char host[256] = {};
    ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
    const std::string name = host;
    const auto words = private_words();
    const bool says_nothing = name.size() < 4 || name == "localhost" || name == "root" || name == "user";
    EXPECT_EQ(std::ranges::find(words, name) == words.end(), says_nothing) << name;
}

}  // namespace
}  // namespace gridmark::harness

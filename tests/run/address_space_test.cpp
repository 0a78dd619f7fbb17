#include "harness/os/resources.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>

namespace gridmark::harness {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

bool can_take(std::size_t bytes) {
    void* volatile block = std::malloc(bytes);
    std::free(block);
    return block != nullptr;
}

TEST(AddressSpaceDeathTest, HoldsWhatItAllowsAndNoMore) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "not limited under the address sanitizer";
#endif
    const auto take = [] {
        limit_address_space(64 * mib);
        const bool small = can_take(48 * mib), large = can_take(80 * mib);
        limit_address_space(256 * mib);  // it can be raised again
        std::_Exit(small && !large && can_take(200 * mib) ? 7 : 1);
    };
    EXPECT_EXIT(take(), testing::ExitedWithCode(7), "");
}

TEST(AddressSpaceDeathTest, NoCoreFile) {
    const auto forbid = [] {
        forbid_core_dumps();
        rlimit limit{1, 1};
        ::getrlimit(RLIMIT_CORE, &limit);
        std::_Exit(limit.rlim_cur == 0 && limit.rlim_max == 0 ? 7 : 1);
    };
    EXPECT_EXIT(forbid(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace gridmark::harness

#include "harness/gpu/kernel_clock.hpp"

#include <gtest/gtest.h>

#include "harness/gpu/cupti_version.hpp"
#include "kernels/ceilings/latency.hpp"

namespace gridmark::harness {
namespace {

TEST(KernelClock, SaysWhyItIsNotAvailable) {
    auto& clock = KernelClock::instance();
    EXPECT_EQ(clock.available(), clock.reason().empty());
    if (clock.available()) GTEST_SKIP() << "the kernel clock works here";
    bool ran = false;
    EXPECT_THROW((void)clock.record([&] { ran = true; }), launch::Unavailable);
    EXPECT_FALSE(ran);
}

TEST(KernelClock, VersionOrReason) {
    const auto version = read_cupti_version();
    EXPECT_EQ(version.value.has_value(), version.reason.empty());
}

TEST(KernelClock, RecordsEveryLaunchInOrder) {
    auto& clock = KernelClock::instance();
    if (!clock.available()) GTEST_SKIP() << clock.reason();
    const auto gpu = launch::gpu_device();
    std::vector<KernelRecord> records;
    constexpr int launches = 100;
    try {
        records = clock.record([&] {
            for (int i = 0; i < launches; ++i)
                ceilings::launch_nothing(gpu->stream());
        });
    } catch (const launch::Unavailable& refusal) {
        GTEST_SKIP() << refusal.what();
    }
    ASSERT_EQ(records.size(), static_cast<std::size_t>(launches));
    for (std::size_t i = 0; i < records.size(); ++i) {
        EXPECT_NE(records[i].name.find("nothing_kernel"), std::string::npos);
        EXPECT_GE(records[i].duration_ns(), 0);
        EXPECT_EQ(records[i].block, (std::array<int, 3>{32, 1, 1}));
        if (i > 0) {
            EXPECT_LE(records[i - 1].start_ns, records[i].start_ns);
        }
    }
    ceilings::launch_nothing(gpu->stream());  // outside of a recording: in none
    EXPECT_TRUE(clock.record([] {}).empty());
}

}  // namespace
}  // namespace gridmark::harness

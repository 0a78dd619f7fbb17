#include "harness/gpu/kernel_clock.hpp"

#include <gtest/gtest.h>

#include "kernels/ceilings/gpu.hpp"
#include "kernels/launch/streams.hpp"

namespace gridmark::harness {
namespace {

TEST(KernelClock, SaysWhyItIsNotAvailable) {
    auto& clock = KernelClock::instance();
    EXPECT_EQ(clock.available(), clock.reason().empty());
    if (clock.available()) GTEST_SKIP() << "the kernel clock works here";
    bool ran = false;
    EXPECT_THROW((void)clock.record([&] { ran = true; }), launch::Unavailable);
    EXPECT_THROW((void)clock.record_activities([&] { ran = true; }), launch::Unavailable);
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

// Of what goes on in two streams: copies between host and GPU with their bytes, and kernels. A copy within
// the GPU and a setting of its memory are neither.
TEST(KernelClock, RecordsCopiesBesideKernels) {
    auto& clock = KernelClock::instance();
    if (!clock.available()) GTEST_SKIP() << clock.reason();
    const auto gpu = launch::gpu_device();
    const launch::OwnedStream queue(*gpu);
    constexpr std::size_t bytes = 1 << 20;
    launch::Pinned<unsigned char> host(*gpu, bytes);
    launch::Buffer<unsigned char> there(*gpu, bytes), other(*gpu, bytes);
    const auto body = [&] {
        gpu->put_upload(gpu->stream(), there.data(), host.span().data(), bytes);
        ceilings::launch_nothing(gpu->stream());
        gpu->copy(other.data(), there.data(), bytes);
        gpu->fill_bytes(other.data(), 0, bytes);
        gpu->synchronize();
        gpu->put_download(queue.stream(), host.span().data(), there.data(), bytes / 2);
    };
    Activities all;
    try {
        all = clock.record_activities(body);
    } catch (const launch::Unavailable& refusal) {
        GTEST_SKIP() << refusal.what();
    }
    ASSERT_EQ(all.kernels.size(), 1U);
    ASSERT_EQ(all.copies.size(), 2U);
    const CopyRecord &up = all.copies[0], &down = all.copies[1];
    EXPECT_EQ(up.way, CopyRecord::Way::up);
    EXPECT_EQ(up.bytes, static_cast<std::int64_t>(bytes));
    EXPECT_EQ(down.way, CopyRecord::Way::down);
    EXPECT_EQ(down.bytes, static_cast<std::int64_t>(bytes / 2));
    EXPECT_LT(up.start_ns, up.end_ns);
    EXPECT_LE(up.end_ns, all.kernels[0].start_ns) << "one clock for both, and one stream";
    EXPECT_LE(all.kernels[0].end_ns, down.start_ns);
    EXPECT_EQ(up.stream, all.kernels[0].stream);
    EXPECT_NE(down.stream, up.stream);
    EXPECT_EQ(clock.record(body).size(), 1U) << "kernels alone";
    EXPECT_TRUE(clock.record_activities([] {}).copies.empty());
}

}  // namespace
}  // namespace gridmark::harness

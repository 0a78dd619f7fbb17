#include "harness/run/timeline.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

using Spans = std::vector<Interval>;

/// A kernel and copies that ran from `begin` to `end`, nanoseconds.
KernelRecord kernel(std::int64_t begin, std::int64_t end, std::uint32_t stream = 7) {
    KernelRecord record;
    record.start_ns = begin;
    record.end_ns = end;
    record.stream = stream;
    return record;
}
CopyRecord up(std::int64_t begin, std::int64_t end, std::uint32_t stream = 7) {
    return {CopyRecord::Way::up, begin, end, stream, 1};
}
CopyRecord down(std::int64_t begin, std::int64_t end, std::uint32_t stream = 7) {
    return {CopyRecord::Way::down, begin, end, stream, 1};
}

TEST(Timetable, CountsFromTheFirstRecordOfAnyKind) {
    const Timetable t = timetable_of(
        {{kernel(5'003'000, 5'005'500)}, {up(5'000'000, 5'002'001), down(5'006'000, 5'010'000)}});
    EXPECT_EQ(t.upload.spans, (Spans{{0, 2.001}}));
    EXPECT_EQ(t.kernels.spans, (Spans{{3, 5.5}}));
    EXPECT_EQ(t.download.spans, (Spans{{6, 10}}));
    EXPECT_EQ(t.upload.total, 2.001);
    EXPECT_EQ(t.kernels.total, 2.5);
    EXPECT_EQ(t.download.total, 4);
}

TEST(Timetable, OfNothingIsEmpty) {
    const Timetable t = timetable_of({});
    EXPECT_TRUE(t.kernels.spans.empty());
    EXPECT_EQ(t.kernels.total, 0);
}

// The gaps between launches stand in the span, not in the time that the GPU was busy.
TEST(Timetable, TakesTheKernelsOfALoopAsOneSpan) {
    const Timetable t = timetable_of(
        {{kernel(1000, 2000), kernel(21'999, 25'000), kernel(45'000, 46'000), kernel(47'000, 48'000)}, {}});
    EXPECT_EQ(t.kernels.spans, (Spans{{0, 24}, {44, 47}})) << "19.999 us apart are one, 20 us are two";
    EXPECT_EQ(t.kernels.total, 6.001);
}

TEST(Timetable, SplitsKernelsAtACopyOfTheirStream) {
    const Activities same{{kernel(0, 10), kernel(30, 40)}, {up(15, 25)}};
    EXPECT_EQ(timetable_of(same).kernels.spans, (Spans{{0, 0.01}, {0.03, 0.04}}));
    const Activities other{{kernel(0, 10), kernel(30, 40)}, {up(15, 25, 8)}};
    EXPECT_EQ(timetable_of(other).kernels.spans, (Spans{{0, 0.04}}));
    const Activities back{{kernel(0, 10), kernel(30, 40)}, {down(15, 25)}};
    EXPECT_EQ(timetable_of(back).kernels.spans.size(), 2U);
}

TEST(Timetable, KeepsStreamsApartAndCountsTheirOverlapOnce) {
    const Timetable t = timetable_of(
        {{kernel(0, 4000, 1), kernel(1000, 3000, 2), kernel(5000, 7000, 1), kernel(6000, 9000, 2)}, {}});
    EXPECT_EQ(t.kernels.spans, (Spans{{0, 7}, {1, 9}}));
    EXPECT_EQ(t.kernels.total, 4 + 4) << "0 to 4 and 5 to 9";
}

TEST(Timetable, NeverMergesCopies) {
    const Timetable t =
        timetable_of({{}, {up(0, 1000), up(1000, 2000), down(1500, 2500, 8), up(1800, 2200, 9)}});
    EXPECT_EQ(t.upload.spans, (Spans{{0, 1}, {1, 2}, {1.8, 2.2}}));
    EXPECT_EQ(t.upload.total, 2.2);
    EXPECT_EQ(t.download.spans, (Spans{{1.5, 2.5}}));
}

// Kernels that were allowed to begin before their predecessor ends; and a record within another.
TEST(Timetable, MergesKernelsThatOverlap) {
    const Timetable t = timetable_of({{kernel(0, 5000), kernel(1000, 2000), kernel(4000, 6000)}, {}});
    EXPECT_EQ(t.kernels.spans, (Spans{{0, 6}}));
    EXPECT_EQ(t.kernels.total, 6);
}

TEST(Timetable, EndsASpanWithTheLastOfItsKernelsToEnd) {
    EXPECT_EQ(timetable_of({{kernel(0, 5000), kernel(1000, 2000)}, {}}).kernels.spans, (Spans{{0, 5}}));
}

}  // namespace
}  // namespace gridmark::harness

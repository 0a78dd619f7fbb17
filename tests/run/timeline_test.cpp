// The rows of a timeline: from records made by hand, and from a GPU where there is one.

#include "harness/run/timeline.hpp"

#include <gtest/gtest.h>

#include "harness/results/result_file.hpp"
#include "harness/run/rows.hpp"
#include "kernels/launch/make_device.hpp"
#include "kernels/launch/streams.hpp"
#include "tests/support/documents.hpp"

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

namespace {

using nlohmann::json;

Timeline timeline_of(std::function<std::unique_ptr<Work>()> prepare) {
    return {{.name = "e/v/pass", .variant = "v", .parameters = {{"n", 7}}}, std::move(prepare)};
}

void expect_valid(const json& rows) {
    EXPECT_NO_THROW(check_result(tests::document(rows), "rows"));
    ASSERT_EQ(rows.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(rows[k]["name"], std::string("e/v/pass/") + timeline_activities[k]);
        EXPECT_EQ(rows[k]["quantity"], "busy");
    }
}

TEST(TimelineRows, HoldBusyTimesAndTheirSpans) {
    KernelRecord first, second;
    first.start_ns = 1'000'000, first.end_ns = 1'040'000;
    second.start_ns = 1'050'500, second.end_ns = 1'060'000;
    const Activities recorded{{first, second}, {{CopyRecord::Way::up, 990'000, 1'000'000, 1, 1}}};
    auto made = timeline_rows("e", timeline_of(nullptr), recorded);
    for (Row& row : made)
        finish_row(row, {Preset::paper, 3, true});
    const json rows = made;
    expect_valid(rows);
    EXPECT_EQ(rows[0]["spans"], json::parse("[[0.0, 10.0]]"));
    EXPECT_EQ(rows[0]["median"], 10);
    EXPECT_EQ(rows[1]["spans"], json::parse("[[10.0, 70.0]]"));
    EXPECT_EQ(rows[1]["median"], 49.5);
    EXPECT_EQ(rows[1]["samples"], json::array({49.5}));
    EXPECT_EQ(rows[1]["interval"], json({49.5, 49.5}));
    EXPECT_EQ(rows[1]["process_samples"], json::array({1}));
    EXPECT_EQ(rows[1]["unit"], "us");
    EXPECT_EQ(rows[1]["status"], "estimate") << "one pass is no sample of nine";
    EXPECT_EQ(rows[1]["reason"], "1 samples, fewer than 9");
    EXPECT_EQ(rows[2]["spans"], json::array()) << "nothing was copied down";
    EXPECT_EQ(rows[2]["median"], 0);
}

TEST(TimelineRows, AreNotMadeOfNothing) {
    EXPECT_THROW(timeline_rows("e", timeline_of(nullptr), {}), std::runtime_error);
}

TEST(MeasureTimeline, IsSkippedWithoutTheClock) {
    if (KernelClock::instance().available()) GTEST_SKIP() << "the kernel clock works here";
    bool gpu_lost = false;
    const json rows = measure_timeline("e", timeline_of([]() -> std::unique_ptr<Work> {
                                           throw std::logic_error("nothing is prepared in vain");
                                       }),
                                       gpu_lost);
    expect_valid(rows);
    for (const json& row : rows) {
        EXPECT_EQ(row["status"], "skipped");
        EXPECT_EQ(row["reason"], KernelClock::instance().reason());
    }
    EXPECT_FALSE(gpu_lost);
}

/// Sends a megabyte to the GPU and half of it back, so often.
class RoundTrip final : public Work {
  public:
    explicit RoundTrip(double error) : error_(error) {}
    Verification verify() override { return {"nothing", error_, 1e-9, 1}; }
    void iterate(int count) override {
        for (int n = 0; n < count; ++n) {
            gpu_->put_upload(gpu_->stream(), there_.data(), here_.span().data(), bytes);
            gpu_->put_download(gpu_->stream(), here_.span().data(), there_.data(), bytes / 2);
        }
    }

  private:
    static constexpr std::size_t bytes = 1 << 20;
    double error_;
    std::unique_ptr<launch::Device> gpu_ = launch::gpu_device();
    launch::Pinned<unsigned char> here_{*gpu_, bytes};
    launch::Buffer<unsigned char> there_{*gpu_, bytes};
};

TEST(MeasureTimeline, RecordsOnePassOfIterations) {
    if (!KernelClock::instance().available()) GTEST_SKIP() << KernelClock::instance().reason();
    bool gpu_lost = false;
    Timeline timeline = timeline_of([] { return std::make_unique<RoundTrip>(0); });
    timeline.iterations = 3;
    const json rows = measure_timeline("e", timeline, gpu_lost);
    if (rows[0]["status"] == "skipped") GTEST_SKIP() << rows[0]["reason"];
    expect_valid(rows);
    EXPECT_EQ(rows[0]["spans"].size(), 3U) << "the pass to warm up is not among them";
    EXPECT_EQ(rows[0]["spans"][0][0], 0);
    EXPECT_TRUE(rows[1]["spans"].empty());
    EXPECT_EQ(rows[2]["spans"].size(), 3U);
    EXPECT_GT(rows[0]["median"], 0);
    EXPECT_EQ(rows[0]["verification"]["against"], "nothing");
}

TEST(MeasureTimeline, GivesNoTimeToAWrongAnswer) {
    if (!KernelClock::instance().available()) GTEST_SKIP() << KernelClock::instance().reason();
    bool gpu_lost = false;
    const json rows =
        measure_timeline("e", timeline_of([] { return std::make_unique<RoundTrip>(1); }), gpu_lost);
    expect_valid(rows);
    for (const json& row : rows) {
        EXPECT_EQ(row["status"], "failed");
        EXPECT_TRUE(row["reason"].get<std::string>().starts_with("wrong answer")) << row["reason"];
        EXPECT_EQ(row["verification"]["error"], 1);
    }
}

TEST(TimelineRows, MayBeOfCopiesAlone) {
    const Activities recorded{{}, {{CopyRecord::Way::down, 5'000, 7'000, 1, 1}}};
    const json rows = timeline_rows("e", timeline_of(nullptr), recorded);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1]["spans"], json::array());
    EXPECT_EQ(rows[2]["spans"], json::parse("[[0.0, 2.0]]"));
}

TEST(TimelineRows, MayBeOfKernelsAlone) {
    Activities recorded;
    recorded.kernels.push_back({.name = "k", .start_ns = 5'000, .end_ns = 7'000});
    const json rows = timeline_rows("e", timeline_of(nullptr), recorded);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1]["spans"], json::parse("[[0.0, 2.0]]"));
    EXPECT_EQ(rows[0]["spans"], json::array());
}

}  // namespace

}  // namespace gridmark::harness

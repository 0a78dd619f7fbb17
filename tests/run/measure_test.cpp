// Correctness gates timing: what a session does with works that are right, wrong, absent or broken. The wall
// clock runs; no test looks at how long anything took.

#include "harness/run/measure.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <thread>

#include "harness/papi/papi_counters.hpp"
#include "harness/results/result_file.hpp"
#include "harness/run/rows.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Kernel = std::function<void(const std::vector<double>& from, std::vector<double>& to)>;

const Kernel right = [](const auto& from, auto& to) {
    for (std::size_t k = 0; k < from.size(); ++k)
        to[k] = 2 * from[k] + 1;
};
const Kernel nothing = [](const auto&, auto&) {};
const Kernel copy = [](const auto& from, auto& to) { to = from; };
const Kernel slightly_wrong = [](const auto& from, auto& to) {
    right(from, to);
    to[7] *= 1 + 1e-3;
};
const Kernel not_a_number = [](const auto& from, auto& to) {
    right(from, to);
    to[3] = std::nan("");
};
const Kernel throws = [](const auto&, auto&) { throw std::runtime_error("no luck"); };

/// How often works were made and iterated, by the point's name.
struct Log {
    std::map<std::string, int> prepared, iterated;
};

/// Doubles and adds one, by a kernel that may do something else; its output starts as NaN.
class FakeWork final : public Work {
  public:
    FakeWork(std::string name, Kernel kernel, Log& log)
        : name_(std::move(name)), kernel_(std::move(kernel)), log_(log) {
        for (std::size_t k = 0; k < from_.size(); ++k)
            from_[k] = static_cast<double>(k + 1);
    }
    Verification verify() override {
        to_.assign(from_.size(), std::nan(""));
        kernel_(from_, to_);
        double error = 0;
        for (std::size_t k = 0; k < from_.size(); ++k) {
            const double distance = std::abs(to_[k] - (2 * from_[k] + 1));
            if (!(distance <= error)) error = distance;  // NaN stays NaN
            if (std::isnan(error)) break;
        }
        return {"a formula", error, 1e-9, 1};
    }
    void iterate(int count) override {
        log_.iterated[name_] += count;
        for (int n = 0; n < count; ++n)
            kernel_(from_, to_);
    }

  private:
    std::string name_;
    Kernel kernel_;
    Log& log_;
    std::vector<double> from_ = std::vector<double>(64), to_;
};

class SessionTest : public testing::Test {
  protected:
    void add(const std::string& name, const Kernel& kernel) {
        add(name, [this, name, kernel]() -> std::unique_ptr<Work> {
            ++log.prepared[name];
            return std::make_unique<FakeWork>(name, kernel, log);
        });
    }
    void add(const std::string& name, std::function<std::unique_ptr<Work>()> prepare) {
        points.push_back(
            {{.name = name, .variant = "fake", .parameters = {{"precision", "double"}, {"threads", 1}}},
             1024,
             128,
             1024,
             {{Series::Clock::wall}},
             std::move(prepare)});
    }
    /// The rows by name; every one of them fit for a file.
    std::map<std::string, json> measure(Series series = {Series::Clock::wall}) {
        Session session{"group/wall", series.clock, {}};
        for (const Point& point : points)
            session.members.emplace_back(&point, series);
        std::map<std::string, json> rows;
        for (const json row : measure_session(session, context, gpu_lost)) {
            EXPECT_NO_THROW(check_result(tests::document(json::array({row})), "rows"));
            rows[row["name"]] = row;
        }
        EXPECT_EQ(rows.size(), points.size());
        return rows;
    }
    void expect_no_time(const json& row, const std::string& status, const std::string& reason) {
        EXPECT_EQ(row["status"], status);
        EXPECT_NE(row["reason"].get<std::string>().find(reason), std::string::npos) << row["reason"];
        EXPECT_TRUE(row["median"].is_null());
        EXPECT_TRUE(row["samples"].empty());
    }

    Log log;
    std::vector<Point> points;
    MeasureContext context{
        "fake",
        {.processes = 1,
         .budget_seconds = 0.01,
         .warm_up_seconds = 1e-4,
         .relative_width = 1e-6,
         .most_samples = 18},
        nullptr,
        {.name = "a", .ceilings = {{"cpu_fma_peak_double_one_thread", 10.0}}, .cpu_l3_bytes = 1 << 20},
        false};
    bool gpu_lost = false;
};

TEST_F(SessionTest, TimesWhatIsRight) {
    add("a", right);
    add("b", right);
    const auto rows = measure();
    for (const char* name : {"a/wall", "b/wall"}) {
        const json& row = rows.at(name);
        EXPECT_EQ(row["status"], "ok");
        EXPECT_GE(row["samples"].size(), 9U);
        EXPECT_GT(row["median"], 0);
        EXPECT_EQ(row["group"], "group/wall");
        EXPECT_EQ(row["clock"], "wall");
        EXPECT_GE(row["iterations"], 1);
        EXPECT_TRUE(row["stopped"] == "interval" || row["stopped"] == "budget" || row["stopped"] == "limit");
        EXPECT_EQ(row["verification"]["against"], "a formula");
        EXPECT_EQ(row["verification"]["error"], 0);
        EXPECT_EQ(row["limit"]["ceiling"], "cpu_fma_peak_double_one_thread");
    }
    EXPECT_EQ(rows.at("a/wall")["samples"].size(), rows.at("b/wall")["samples"].size());
    EXPECT_EQ(log.prepared["a"], 1);
    EXPECT_FALSE(gpu_lost);
}

TEST_F(SessionTest, StatesTheTimeOfOneOfTheStepsThatAnIterationDoes) {
    add("many", right);
    points.back().steps = 1000;
    points.back().iterations = 7;
    points.back().stepwise_bytes = 1e9;
    context.is_first = true;
    const auto start = std::chrono::steady_clock::now();
    const json row = measure().at("many/wall");
    const double passed =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
    double sum = 0;
    for (const double sample : row["samples"])
        sum += sample;
    EXPECT_EQ(row["parameters"]["steps"], 1000);
    EXPECT_EQ(row["iterations"], 7000);
    EXPECT_EQ(row["counters"]["iterations"], 7000) << "what the counts are of";
    EXPECT_LE(sum * row["iterations"].get<double>(), passed) << "all samples were taken in that time";
    EXPECT_EQ(row["stepwise_limit"]["ceiling"], "cpu_fma_peak_double_one_thread");
}

// At first the budget is used up at once, so that every session takes its least number of samples.
TEST_F(SessionTest, TakesAsManySamplesAsAPointAsksFor) {
    context.protocol.budget_seconds = 0;
    const auto samples_with = [&](std::vector<int> wanted) {
        points.clear();
        for (const int samples : wanted) {
            add("point " + std::to_string(points.size()), right);
            points.back().samples = samples;
        }
        std::vector<std::size_t> found;
        for (const auto& [name, row] : measure())
            found.push_back(row["samples"].size());
        return found;
    };
    EXPECT_EQ(samples_with({0}), std::vector<std::size_t>{9});
    EXPECT_EQ(samples_with({4}), std::vector<std::size_t>{4});
    EXPECT_EQ(samples_with({1}), std::vector<std::size_t>{3}) << "three processes shall give nine";
    EXPECT_EQ(samples_with({3, 5}), (std::vector<std::size_t>{5, 5})) << "in turns: the most that one wants";
    EXPECT_EQ(samples_with({3, 0}), (std::vector<std::size_t>{9, 9}));
    context.protocol.budget_seconds = 10;
    EXPECT_EQ(samples_with({4}), std::vector<std::size_t>{4}) << "nor more where there is time";
    EXPECT_EQ(measure().at("point 0/wall")["stopped"], "limit");
}

TEST_F(SessionTest, GivesNoTimeToAWrongAnswer) {
    add("wrong", slightly_wrong);
    add("null", nothing);
    add("copy", copy);
    add("good", right);
    const auto rows = measure();
    for (const char* name : {"wrong/wall", "null/wall", "copy/wall"}) {
        SCOPED_TRACE(name);
        expect_no_time(rows.at(name), "failed", "wrong answer");
    }
    EXPECT_GT(rows.at("wrong/wall")["verification"]["error"], 1e-9)
        << "the failed row still says how far off";
    EXPECT_EQ(log.iterated["wrong"] + log.iterated["null"] + log.iterated["copy"], 0) << "not even started";
    EXPECT_EQ(rows.at("good/wall")["status"], "ok") << "the others go on";
}

// No file can hold a NaN: the row must say it in words.
TEST_F(SessionTest, GivesNoTimeToANaN) {
    add("nan", not_a_number);
    add("infinite", [](const auto& from, auto& to) {
        right(from, to);
        to[3] = std::numeric_limits<double>::infinity();
    });
    add("good", right);
    const auto rows = measure();
    expect_no_time(rows.at("nan/wall"), "failed", "wrong answer");
    expect_no_time(rows.at("infinite/wall"), "failed", "wrong answer");
    EXPECT_EQ(rows.at("good/wall")["status"], "ok");
}

TEST_F(SessionTest, SurvivesAWorkThatThrows) {
    add("thrower", throws);
    add("unmade", []() -> std::unique_ptr<Work> { throw std::runtime_error("cannot be made"); });
    add("good", right);
    const auto rows = measure();
    expect_no_time(rows.at("thrower/wall"), "failed", "no luck");
    expect_no_time(rows.at("unmade/wall"), "failed", "cannot be made");
    EXPECT_EQ(rows.at("good/wall")["status"], "ok");
    EXPECT_FALSE(gpu_lost);
}

TEST_F(SessionTest, FailsWhatThrowsWhileItIsTimed) {
    int calls = 0;
    add("late", [&calls](const auto& from, auto& to) {
        if (++calls > 1) throw std::runtime_error("broke later");
        right(from, to);
    });
    expect_no_time(measure().at("late/wall"), "failed", "broke later");
}

TEST_F(SessionTest, OutOfMemoryCostsItsRowOnly) {
    add("large", []() -> std::unique_ptr<Work> { throw launch::OutOfMemory("needs 900 GiB"); });
    add("good", right);
    const auto rows = measure();
    expect_no_time(rows.at("large/wall"), "failed", "needs 900 GiB");
    EXPECT_EQ(rows.at("good/wall")["status"], "ok");
    EXPECT_FALSE(gpu_lost);
}

TEST_F(SessionTest, AGpuErrorEndsTheGroup) {
    add("good", right);
    add("illegal", []() -> std::unique_ptr<Work> { throw launch::Error("illegal address"); });
    add("later", right);
    const auto rows = measure();
    expect_no_time(rows.at("illegal/wall"), "failed", "illegal address");
    expect_no_time(rows.at("good/wall"), "failed", "GPU was lost");
    expect_no_time(rows.at("later/wall"), "failed", "GPU was lost");
    EXPECT_TRUE(gpu_lost);
    EXPECT_EQ(log.prepared["later"], 0);
}

// The host executor yields no timing: its rows are skipped, with that reason.
TEST_F(SessionTest, AClockThatCannotBeHadSkipsTheRows) {
    const auto host = launch::host_device();
    context.gpu = host.get();
    add("a", right);
    const json row = measure({Series::Clock::step, Series::Launch::stream}).at("a/step/stream");
    EXPECT_EQ(row["status"], "skipped");
    EXPECT_FALSE(row["reason"].get<std::string>().empty());
    EXPECT_TRUE(row["median"].is_null());
    EXPECT_FALSE(gpu_lost);
}

TEST_F(SessionTest, CountsEventsInAPassOfTheirOwn) {
    context.is_first = true;
    add("a", right);
    const json counters = measure().at("a/wall")["counters"];
    ASSERT_TRUE(counters.is_object());
    EXPECT_GE(counters["iterations"], 1);
    const json reasons = counters.value("reasons", json::object());
    for (const CountedEvent& event : counted_events)
        EXPECT_NE(counters.contains(event.key), reasons.contains(event.key)) << event.key;
}

TEST_F(SessionTest, SharesOneWorkAmongTheSeriesOfAPoint) {
    add("a", right);
    add("wrong", copy);
    Session session{"group/wall", Series::Clock::wall, {}};
    for (const Point& point : points)
        for (int series = 0; series < 2; ++series)
            session.members.emplace_back(&point, Series{Series::Clock::wall});
    const json rows = measure_session(session, context, gpu_lost);
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(log.prepared["a"], 1);
    EXPECT_EQ(log.prepared["wrong"], 1);
    for (int k : {0, 1}) {
        EXPECT_EQ(rows[k]["status"], "ok");
        EXPECT_EQ(rows[k]["verification"]["against"], "a formula");
    }
    for (int k : {2, 3})
        expect_no_time(rows[k], "failed", "wrong answer");
}

/// Sleeps.
class SleepingWork final : public Work {
  public:
    Verification verify() override { return {"nothing", 0, 0, 1}; }
    void iterate(int count) override { std::this_thread::sleep_for(std::chrono::milliseconds(count)); }
};

TEST_F(SessionTest, TakesASampleOfAsManyIterationsAsAPointAsksFor) {
    context.protocol.budget_seconds = 0;
    add("whole", [] { return std::make_unique<SleepingWork>(); });
    points.back().samples = 3;
    points.back().iterations = 50;
    const json row = measure().at("whole/wall");
    EXPECT_EQ(row["iterations"], 50);
    EXPECT_GE(row["median"], 1000) << "a sleep of a millisecond";
    EXPECT_LT(row["median"], 45000) << "of one iteration, not of all 50";
}

TEST_F(SessionTest, CountsEventsInTheFirstProcessOnly) {
    add("a", right);
    EXPECT_TRUE(measure().at("a/wall")["counters"].is_null());
}

/// What another program does: its clock says a millisecond an iteration, until it is lost.
class OtherWork final : public Work {
  public:
    explicit OtherWork(int last) : left_(last) {}
    Verification verify() override { return {"a formula", 0, 1e-9, 1}; }
    void iterate(int) override {}
    std::optional<double> timed(int count) override {
        if (left_-- == 0) throw WorkLost(this, "it is gone");
        return 1e-3 * count;
    }
    std::string made_by() const override { return "other 1.0"; }

  private:
    int left_;
};

/// Its tolerance is a tenth of its field.
class UnguardedWork final : public Work {
  public:
    Verification verify() override { return {"a formula", 0, 0.05, 1, 0.5}; }
    void iterate(int) override {}
};

TEST_F(SessionTest, WhatNothingVerifiesIsNotTimed) {
    add("a", right);
    add("unguarded", [] { return std::make_unique<UnguardedWork>(); });
    const auto rows = measure();
    EXPECT_EQ(rows.at("a/wall")["status"], "ok");
    EXPECT_EQ(rows.at("unguarded/wall")["status"], "failed");
    EXPECT_EQ(rows.at("unguarded/wall")["reason"],
              "verified by nothing: its tolerance 0.05 is beyond 1 % of the field's 0.5");
}

TEST_F(SessionTest, WhatAnotherProgramDoesIsTimedByThatProgram) {
    add("a", right);
    add("other", [] { return std::make_unique<OtherWork>(-1); });
    points.back().iterations = 7;
    context.is_first = true;
    const auto rows = measure();
    const json& other = rows.at("other/wall");
    EXPECT_EQ(other["made_by"], "other 1.0");
    EXPECT_EQ(other["iterations"], 7);
    EXPECT_EQ(other["group"], rows.at("a/wall")["group"]);
    EXPECT_EQ(other["samples"].size(), rows.at("a/wall")["samples"].size());
    for (const json& sample : other["samples"])
        EXPECT_NEAR(sample, 1000, 1e-9);
    EXPECT_TRUE(other["counters"].is_null()) << "another program's events are not its own";
    EXPECT_FALSE(rows.at("a/wall").contains("made_by"));
}

TEST_F(SessionTest, AnotherProgramThatFailsCostsItsOwnRow) {
    for (const int last : {0, 1, 12}) {
        points.clear();
        add("a", right);
        add("other", [last] { return std::make_unique<OtherWork>(last); });
        add("b", right);
        const auto rows = measure();
        expect_no_time(rows.at("other/wall"), "failed", "it is gone");
        for (const char* name : {"a/wall", "b/wall"}) {
            EXPECT_EQ(rows.at(name)["status"], "ok");
            EXPECT_GE(rows.at(name)["samples"].size(), 9U);
        }
    }
    EXPECT_FALSE(gpu_lost);
}

}  // namespace
}  // namespace gridmark::harness

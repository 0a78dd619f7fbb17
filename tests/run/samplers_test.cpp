// What the samplers launch, in which order, and what they make of it. The GPU is a fake that writes down
// every launch; no test looks at how long anything took.

#include "harness/run/samplers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "kernels/launch/error.hpp"

namespace gridmark::harness {
namespace {

TEST(Replays, AreWholeAndOfNoMoreThanAHundredIterations) {
    for (const auto& [iterations, nodes, replayed] :
         {std::array{2, 2, 2}, {60, 60, 60}, {100, 100, 100}, {198, 100, 100}, {30000, 100, 30000}}) {
        const Replays replays = replays_for(iterations);
        EXPECT_EQ(replays.nodes, nodes) << iterations;
        EXPECT_EQ(replays.iterations, replayed) << iterations;
    }
}

/// Writes down what it is told to do: F flushes the L2, W waits, [ ] holds what a graph captures, and a
/// number behind a colon is how often it is replayed. A kernel is the letter of its work. It takes three
/// times as long when it finds nothing in the L2 but its own data from long ago: right after a flush or
/// another kernel.
struct FakeGpu {
    std::string log;
    std::vector<KernelRecord> records;
    char in_l2 = 0;
    std::size_t lost = 0, foreign = 0;  ///< records that CUPTI drops, or that another process adds

    void kernel(char letter, std::int64_t ns) {
        log += letter;
        records.emplace_back().end_ns = in_l2 == letter ? ns : 3 * ns;
        in_l2 = letter;
    }
    /// A launch takes 1 ms by events.
    double launched(const GpuClocks::Body& body) {
        const std::size_t before = records.size();
        body();
        return 1e-3 * static_cast<double>(records.size() - before);
    }
    GpuClocks clocks() {
        return {.seconds = [this](const auto& body) { return launched(body); },
                .record =
                    [this](const auto& body) {
                        records.clear();
                        body();
                        records.resize(records.size() - lost + foreign);
                        return records;
                    },
                .capture =
                    [this](const auto& body) {
                        log += '[';
                        const auto nodes = static_cast<std::size_t>(1e3 * launched(body) + 0.5);
                        log += ']';
                        return [this, nodes](int times) {
                            log += ':' + std::to_string(times);
                            records.resize(records.size() + nodes * times);
                        };
                    },
                .wait = [this] { log += 'W'; },
                .flush =
                    [this] {
                        log += 'F';
                        in_l2 = 0;
                    }};
    }
};

/// An iteration is so many kernels of so many nanoseconds.
class Letter final : public Work {
  public:
    Letter(char letter, FakeGpu& gpu, std::int64_t ns = 1000, int kernels = 1, std::string made_by = "")
        : letter_(letter), gpu_(gpu), ns_(ns), kernels_(kernels), made_by_(std::move(made_by)) {}
    Verification verify() override { return {"nothing", 0, 0, 1}; }
    void iterate(int count) override {
        for (int k = 0; k < count * kernels_; ++k)
            gpu_.kernel(letter_, ns_);
    }
    std::string made_by() const override { return made_by_; }

  private:
    char letter_;
    FakeGpu& gpu_;
    std::int64_t ns_;
    int kernels_;
    std::string made_by_;
};

Protocol without_warm_up() {
    Protocol protocol;
    protocol.warm_up_seconds = 0;
    return protocol;
}

constexpr Series hot_kernel{Series::Clock::kernel},
    cold_kernel{Series::Clock::kernel, Series::Launch::none, true};
constexpr Series by_stream{Series::Clock::step, Series::Launch::stream},
    by_graph{Series::Clock::step, Series::Launch::graph};

// A hot one follows launches of its own, each launch of a cold one a flush; cold ones come last.
TEST(KernelSampler, FlushesEachLaunchOfAColdMemberAndNoneOfAHotOne) {
    FakeGpu gpu;
    Letter a('a', gpu, 4000), b('b', gpu, 7000),
        c('c', gpu, 50000);  // the first launch takes three times that
    std::vector<Timed> members{{&a, hot_kernel}, {&b, cold_kernel}, {&c, hot_kernel}};
    const auto sampler = make_sampler(Series::Clock::kernel, members, gpu.clocks(), without_warm_up());
    EXPECT_EQ(members[0].iterations, 10);
    gpu.log.clear();
    for (Timed& m : members)
        m.iterations = m.work == &a ? 3 : m.work == &b ? 2 : 1;
    const auto rounds = sampler->rounds(2);
    EXPECT_EQ(gpu.log,
              "FaaaaaaFccc"
              "FaaaaaaFccc"
              "FbFb"
              "FbFb");
    ASSERT_EQ(rounds.size(), 2U);
    for (const auto& round : rounds) {
        ASSERT_EQ(round.size(), 3U);
        EXPECT_DOUBLE_EQ(round[0], 4e-6);
        EXPECT_DOUBLE_EQ(round[1], 21e-6);
        EXPECT_DOUBLE_EQ(round[2], 50e-6);
    }
}

TEST(KernelSampler, CountsAllKernelsOfAnIteration) {
    FakeGpu gpu;
    Letter a('a', gpu, 4000, 3), b('b', gpu, 500);
    std::vector<Timed> members{{&a, hot_kernel}, {&b, hot_kernel}};
    const auto sampler = make_sampler(Series::Clock::kernel, members, gpu.clocks(), without_warm_up());
    for (Timed& m : members)
        m.iterations = 2;
    const auto rounds = sampler->rounds(3);
    for (const auto& round : rounds) {
        EXPECT_DOUBLE_EQ(round[0], 12e-6);
        EXPECT_DOUBLE_EQ(round[1], 0.5e-6);
    }
}

TEST(KernelSampler, MakesASampleFortyMicrosecondsLong) {
    FakeGpu gpu;
    for (const auto& [ns, iterations] : {std::array{100, 50}, {1000, 40}, {30000, 2}, {50000, 1}}) {
        Letter a('a', gpu, ns);
        gpu.in_l2 = 'a';
        std::vector<Timed> members{{&a, hot_kernel}};
        make_sampler(Series::Clock::kernel, members, gpu.clocks(), without_warm_up());
        EXPECT_EQ(members[0].iterations, iterations) << ns;
    }
}

TEST(KernelSampler, TrustsNoRecordingThatLacksKernelsOrHasOthers) {
    FakeGpu gpu;
    Letter a('a', gpu);
    std::vector<Timed> members{{&a, hot_kernel}};
    const auto sampler = make_sampler(Series::Clock::kernel, members, gpu.clocks(), without_warm_up());
    gpu.lost = 1;
    EXPECT_THROW(sampler->rounds(1), KernelClockError);
    gpu.lost = 0;
    gpu.foreign = 1;
    EXPECT_THROW(sampler->rounds(1), KernelClockError);
    gpu.foreign = 0;
    EXPECT_NO_THROW(sampler->rounds(1));
}

TEST(KernelSampler, WithoutRoomForTheFlushTakesHotSamplesAndNoColdOnes) {
    FakeGpu gpu;
    Letter a('a', gpu);
    GpuClocks clocks = gpu.clocks();
    clocks.flush = nullptr;
    clocks.no_flush = std::make_exception_ptr(launch::OutOfMemory("no room"));
    std::vector<Timed> members{{&a, hot_kernel}};
    const auto sampler = make_sampler(Series::Clock::kernel, members, clocks, without_warm_up());
    members[0].iterations = 2;
    gpu.log.clear();
    sampler->rounds(1);
    EXPECT_EQ(gpu.log, "aaaa");
    members[0].series = cold_kernel;
    // That leaves the GPU as it was: another error would cost the rows that come after.
    EXPECT_THROW(make_sampler(Series::Clock::kernel, members, clocks, without_warm_up()),
                 launch::OutOfMemory);
}

// Two iterations of its own come before each sample, so that what it finds in the L2 is its own.
TEST(StepSampler, FlushesAndThenWarmsBeforeEachSample) {
    FakeGpu gpu;
    Letter a('a', gpu), b('b', gpu);
    std::vector<Timed> members{{&a, by_stream}, {&b, by_graph}};
    const auto sampler = make_sampler(Series::Clock::step, members, gpu.clocks(), without_warm_up());
    EXPECT_EQ(members[0].iterations, 6) << "2.5 ms twice, of 1 ms each";
    EXPECT_EQ(members[1].iterations, 6);
    EXPECT_EQ(gpu.log, "ab[bbbbbb]:1W") << "a graph runs once before it is timed";
    gpu.log.clear();
    const auto rounds = sampler->rounds(2);
    EXPECT_EQ(gpu.log,
              "FaaWaaaaaaFbbW:1"
              "FaaWaaaaaaFbbW:1");
    for (const auto& round : rounds)
        for (const double seconds : round)
            EXPECT_DOUBLE_EQ(seconds, 1e-3);
}

TEST(StepSampler, ReplaysAGraphOfAtMostAHundredIterations) {
    FakeGpu gpu;
    Letter a('a', gpu);
    std::vector<Timed> members{{&a, by_graph, 250}};
    const auto sampler = make_sampler(Series::Clock::step, members, gpu.clocks(), without_warm_up());
    EXPECT_EQ(members[0].iterations, 200);
    gpu.log.clear();
    EXPECT_DOUBLE_EQ(sampler->rounds(1)[0][0], 1e-3);
    EXPECT_EQ(gpu.log, ":2");
}

// It streams from the host, or another program does it: neither finds anything in this L2.
TEST(StepSampler, DoesNotFlushForWhoAsksForIterationsOrIsAnotherProgram) {
    FakeGpu gpu;
    Letter a('a', gpu), b('b', gpu, 1000, 1, "jax 0.11.2");
    std::vector<Timed> members{{&a, by_stream, 3}, {&b, by_stream}};
    const auto sampler = make_sampler(Series::Clock::step, members, gpu.clocks(), without_warm_up());
    EXPECT_EQ(members[0].iterations, 3);
    gpu.log.clear();
    sampler->rounds(1);
    EXPECT_EQ(gpu.log, "aaabbbbbb");
}

/// Of those that share a GPU's settings the one that was chosen last is the only one to run.
class Chosen final : public Work {
  public:
    Chosen(FakeGpu& gpu, const Work*& chosen) : gpu_(gpu), chosen_(chosen) {}
    Verification verify() override { return {"nothing", 0, 0, 1}; }
    void select() override { chosen_ = this; }
    void iterate(int count) override {
        EXPECT_EQ(chosen_, this) << "runs with what another one has set";
        for (int k = 0; k < count; ++k)
            gpu_.kernel('a', 1000);
    }

  private:
    FakeGpu& gpu_;
    const Work*& chosen_;
};

TEST(GpuSamplers, SelectAMemberBeforeItRuns) {
    for (const Series& series : {by_stream, by_graph, hot_kernel, cold_kernel}) {
        FakeGpu gpu;
        const Work* chosen = nullptr;
        Chosen a(gpu, chosen), b(gpu, chosen);
        std::vector<Timed> members{{&a, series}, {&b, series}};
        const auto sampler = make_sampler(series.clock, members, gpu.clocks(), without_warm_up());
        sampler->rounds(2);
    }
}

/// By a clock of its own an iteration takes so long.
class OwnClock final : public Work {
  public:
    explicit OwnClock(double seconds) : seconds_(seconds) {}
    Verification verify() override { return {"nothing", 0, 0, 1}; }
    void iterate(int) override {}
    std::optional<double> timed(int count) override { return seconds_ * count; }

  private:
    double seconds_;
};

TEST(WallSampler, MakesASampleFiveMillisecondsLong) {
    OwnClock second(1), millisecond(1e-3), nanosecond(1e-9), asked(1e-3);
    const Series series{Series::Clock::wall};
    std::vector<Timed> members{
        {&second, series}, {&millisecond, series}, {&nanosecond, series}, {&asked, series, 3}};
    const auto sampler = make_sampler(Series::Clock::wall, members, GpuClocks{}, without_warm_up());
    std::vector<int> iterations;
    for (const Timed& member : members)
        iterations.push_back(member.iterations);
    EXPECT_EQ(iterations, (std::vector{1, 5, 10000, 3})) << "10000 at most, and as many as are asked for";
    const auto round = sampler->rounds(1).at(0);
    EXPECT_DOUBLE_EQ(round[0], 1) << "seconds per iteration";
    EXPECT_DOUBLE_EQ(round[1], 1e-3);
    EXPECT_DOUBLE_EQ(round[3], 1e-3);
}

TEST(WallSampler, TakesTurnsSoThatNoneAlwaysFollowsTheSame) {
    FakeGpu gpu;
    std::string& text = gpu.log;
    Letter a('a', gpu), b('b', gpu), c('c', gpu);
    const Series series{Series::Clock::wall};
    std::vector<Timed> members{{&a, series, 1}, {&b, series, 1}, {&c, series, 1}};
    const auto sampler = make_sampler(Series::Clock::wall, members, GpuClocks{}, without_warm_up());
    text.clear();
    const auto rounds = sampler->rounds(3);
    EXPECT_EQ(text, "abcbcacab");
    for (const auto& round : rounds)
        EXPECT_EQ(round.size(), 3U);
    text.clear();
    sampler->rounds(1);
    EXPECT_EQ(text, "cba") << "and goes on where it was";
}

}  // namespace
}  // namespace gridmark::harness

// Blocks that run at once and wait for each other: right answers in every order, and every mistake found.

#include <algorithm>
#include <thread>

#include "kernels/launch/host_thread_sanitizer.hpp"
#include "tests/launch/kernels.hpp"
#include "tests/launch/orders.hpp"
#include "tests/support/weak_device.hpp"

namespace gridmark::launch_tests {
namespace {

using launch::Buffer;

/// The ring's values and what its blocks tell each other with.
struct RingMemory {
    Buffer<double> values;
    Buffer<unsigned> flags, epochs;
    Buffer<unsigned long long> messages;

    RingMemory(launch::Device& device, std::span<const double> start)
        : values(device, 2 * start.size()),
          flags(device, std::vector<unsigned>(start.size())),
          epochs(device, std::vector<unsigned>(start.size())),
          messages(device, std::vector<unsigned long long>(4 * start.size())) {
        std::vector<double> twice(2 * start.size(), -1e9);
        std::copy(start.begin(), start.end(), twice.begin());
        values.upload(twice);
    }
    std::vector<double> get() const {
        std::vector<double> all(values.size());
        values.download(all);
        return all;
    }
};

std::vector<double> ring_start(unsigned blocks) {
    std::vector<double> start(blocks);
    for (unsigned i = 0; i < blocks; ++i)
        start[i] = i * i % 17;
    return start;
}

std::vector<double> expected(std::vector<double> now, int steps) {
    const std::size_t count = now.size();
    for (int step = 0; step < steps; ++step) {
        const std::vector<double> last = now;
        for (std::size_t i = 0; i < count; ++i)
            now[i] = (last[(i + count - 1) % count] + last[(i + 1) % count]) / 2;
    }
    return now;
}

/// The first half of `all` after an even number of steps, else the second.
std::vector<double> half(const std::vector<double>& all, int steps) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    return steps % 2 == 0 ? std::vector(all.begin(), middle) : std::vector(middle, all.end());
}

class Cooperative : public OnEach {
  protected:
    launch::Stream stream() { return device->stream(); }
};

TEST_P(Cooperative, NeighboursWaitForEachOthersFlags) {
    for (const unsigned blocks : {1u, 2u, 3u, 11u}) {
        const auto start = ring_start(blocks);
        RingMemory memory(*device, start);
        const auto run = [&](int steps) {
            GRIDMARK_SELECT(stream(), ring_by_flags)
            (stream(), memory.values.data(), memory.flags.data(), memory.epochs.data(), blocks, 40, steps);
        };
        run(13);
        EXPECT_EQ(half(memory.get(), 13), expected(start, 13)) << blocks;
        // Again from the other half, as a graph would repeat it: the numbers go on.
        memory.values.upload(RingMemory(*device, half(memory.get(), 13)).get());
        run(4);
        EXPECT_EQ(half(memory.get(), 4), expected(start, 17)) << blocks;
    }
}

TEST_P(Cooperative, NeighboursWaitForEachOthersMessages) {
    for (const unsigned blocks : {1u, 2u, 3u, 11u}) {
        const auto start = ring_start(blocks);
        RingMemory memory(*device, start);
        for (const int steps : {13, 4, 0, 1})
            GRIDMARK_SELECT(stream(), ring_by_messages)
        (stream(), memory.values.data(), memory.messages.data(), memory.epochs.data(), blocks, 33, steps);
        EXPECT_EQ(half(memory.get(), 0), expected(start, 18)) << blocks;
    }
}

TEST_P(Cooperative, AsManyBlocksAsFitAndNoMore) {
    const unsigned threads = 128;
    const int most = GRIDMARK_SELECT(stream(), ring_blocks)(threads);
    ASSERT_GE(most, 8);
    const auto start = ring_start(static_cast<unsigned>(most) + 1);
    RingMemory memory(*device, start);
    const auto run = [&](int blocks) {
        GRIDMARK_SELECT(stream(), ring_by_messages)
        (stream(), memory.values.data(), memory.messages.data(), memory.epochs.data(),
         static_cast<unsigned>(blocks), threads, 3);
        device->synchronize();
    };
    run(most);
    EXPECT_EQ(error_of([&] { run(most + 1); }),
              "cannot launch " + std::to_string(most + 1) +
                  " blocks that wait for each other: " + std::to_string(most) + " of them fit at once");
    run(2);  // the device still works
}

INSTANTIATE_TEST_SUITE_P(Launch, Cooperative, testing::ValuesIn(all_targets()), target_name);

/// Mistakes, which only the host may run: on a GPU they hang.
class CooperativeFault : public Cooperative {
  protected:
    static std::string at(int line) { return "tests/launch/cooperative.cu:" + std::to_string(line); }
    static constexpr unsigned blocks = 5;
};

TEST_P(CooperativeFault, AMissingWaitGivesAWrongAnswer) {
    if (launch::executor::thread_sanitizer) GTEST_SKIP() << "a race: see RaceDeathTest";
    const auto start = ring_start(blocks);
    RingMemory memory(*device, start);
    host::ring_without_waiting(stream(), memory.values.data(), memory.flags.data(), memory.epochs.data(),
                               blocks, 5);
    EXPECT_NE(half(memory.get(), 5), expected(start, 5));
}

TEST_P(CooperativeFault, AMissingSignalIsADeadlockWithItsLine) {
    RingMemory memory(*device, ring_start(blocks));
    const auto run = [&] {
        host::ring_without_signal(stream(), memory.values.data(), memory.flags.data(), memory.epochs.data(),
                                  blocks, 5);
    };
    // Four of the five wait.
    expect_parts(error_of(run), {"blocks wait for each other: block (", at(host::line_of_wait()), ", block (",
                                 "and 1 more"});
}

TEST_P(CooperativeFault, BlocksThatWaitForNobodyAreADeadlock) {
    Buffer<unsigned> flag(*device, std::vector<unsigned>(1));
    expect_parts(error_of([&] { host::wait_alone(stream(), flag.data(), 1, true); }),
                 {"blocks wait for each other: block (0, 0, 0) at ", at(host::line_of_wait_alone())});
    expect_parts(error_of([&] { host::wait_alone(stream(), flag.data(), 8, true); }),
                 {"blocks wait for each other: ", "and 5 more"});
    flag.upload(std::vector<unsigned>{1});
    EXPECT_EQ(error_of([&] { host::wait_alone(stream(), flag.data(), 7, true); }), "");
}

TEST_P(CooperativeFault, AnOrdinaryLaunchMayNotWaitForOtherBlocks) {
    Buffer<unsigned> flag(*device, std::vector<unsigned>(1));
    expect_parts(error_of([&] { host::wait_alone(stream(), flag.data(), 1, false); }),
                 {"only launch_cooperative runs all blocks at once: block (0, 0, 0) at ",
                  at(host::line_of_wait_alone())});
}

TEST_P(CooperativeFault, AnErrorInOneBlockEndsAll) {
    Buffer<unsigned> flag(*device, std::vector<unsigned>(1));
    for (int again = 0; again < 2; ++again)
        EXPECT_EQ(error_of([&] {
                      host::throw_while_others_wait(stream(), flag.data(), 5);
                  }).find("negative temperature, in thread ("),
                  0u);
}

INSTANTIATE_TEST_SUITE_P(Launch, CooperativeFault, testing::ValuesIn(host_targets()), target_name);

/// Blocks that see each other's writes late and in another order.
class WeakMemory : public testing::Test {
  protected:
    using Ring = void (*)(launch::Stream, double*, unsigned*, unsigned*, unsigned, int);
    static constexpr unsigned blocks = 7;
    static constexpr int steps = 20, seeds = 12;

    void SetUp() override {
        if (launch::executor::thread_sanitizer) GTEST_SKIP() << "it judges orders itself: see RaceDeathTest";
    }
    static launch::HostOptions options(int seed) {
        using Order = launch::HostOptions::Order;
        constexpr Order orders[] = {Order::forward, Order::reverse, Order::random};
        return {orders[seed % 3], static_cast<std::uint64_t>(seed)};
    }
    /// Whether the ring by flags gives the right answer.
    static bool is_right(launch::Device& device, Ring ring) {
        const auto start = ring_start(blocks);
        RingMemory memory(device, start);
        ring(device.stream(), memory.values.data(), memory.flags.data(), memory.epochs.data(), blocks, steps);
        return half(memory.get(), steps) == expected(start, steps);
    }
    static int right_answers(Ring ring) {
        int right = 0;
        for (int seed = 0; seed < seeds; ++seed) {
            tests::WeakDevice device(options(seed));
            right += is_right(device, ring) ? 1 : 0;
        }
        return right;
    }
};

TEST_F(WeakMemory, FlagsOrderWhatTheyAnnounce) {
    EXPECT_EQ(right_answers(
                  [](launch::Stream stream, double* values, unsigned* flags, unsigned* epochs, unsigned count,
                     int times) { host::ring_by_flags(stream, values, flags, epochs, count, 2, times); }),
              seeds);
}

// Not even the two words of a message come together.
TEST_F(WeakMemory, MessagesAreTheirOwnFlags) {
    for (int seed = 0; seed < seeds; ++seed) {
        tests::WeakDevice device(options(seed));
        const auto start = ring_start(blocks);
        RingMemory memory(device, start);
        for (const int times : {13, 4, 0, 3})
            host::ring_by_messages(device.stream(), memory.values.data(), memory.messages.data(),
                                   memory.epochs.data(), blocks, 33, times);
        EXPECT_EQ(half(memory.get(), 0), expected(start, steps)) << seed;
        EXPECT_GT(device.late(), 0u);
    }
}

// What the host alone, where blocks run in turns on one thread, cannot find.
TEST_F(WeakMemory, AMissingReleaseOrAcquireGivesAWrongAnswer) {
    const auto strong = launch::host_device();
    for (const Ring ring : {host::ring_without_release, host::ring_without_acquire}) {
        EXPECT_TRUE(is_right(*strong, ring));
        EXPECT_EQ(right_answers(ring), 0);
    }
}

TEST_F(WeakMemory, AMissingSignalIsStillADeadlock) {
    for (int seed = 0; seed < seeds; ++seed) {
        tests::WeakDevice device(options(seed));
        expect_parts(error_of([&] { is_right(device, host::ring_without_signal); }),
                     {"blocks wait for each other: block (", "and 3 more"});
    }
}

// Real threads, for the order of this machine's memory and, under ThreadSanitizer, that of C++.
TEST(Messages, OrderWhatOneThreadTellsAnother) {
    constexpr std::size_t count = 20000;
    for (int again = 0; again < 5; ++again) {
        std::vector<double> values(count);
        std::vector<unsigned> flags(count);
        std::vector<unsigned long long> messages(2 * count);
        std::thread teller([&] { host::tell_thread(values, flags, messages); });
        EXPECT_EQ(host::hear_thread(values, flags, messages), 0);
        teller.join();
    }
}

}  // namespace
}  // namespace gridmark::launch_tests

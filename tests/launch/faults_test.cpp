// The mistakes that the host executor is there to find.

#include <omp.h>

#include <cmath>
#include <cstring>

#include "kernels/launch/host_thread_sanitizer.hpp"
#include "tests/launch/kernels.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::launch_tests {
namespace {

using launch::Buffer;

class Fault : public OnEach {
  protected:
    launch::Stream stream() { return device->stream(); }
    static std::string at(int line) { return "tests/launch/faults.cu:" + std::to_string(line); }
};

TEST_P(Fault, ThreadsRunInTheOrderAskedFor) {
    if (launch::executor::thread_sanitizer) GTEST_SKIP() << "counts without a barrier: a race";
    constexpr unsigned threads = 40, rounds = 2;
    const auto run = [&] {
        Buffer<unsigned> buffer(*device, std::vector<unsigned>(1 + threads * rounds));
        host::order_of_threads(stream(), buffer.data(), threads, rounds);
        std::vector<unsigned> order(buffer.size());
        buffer.download(order);
        return order;
    };
    using Order = launch::HostOptions::Order;
    const Order wanted = GetParam().options.order;
    const auto order = run();
    unsigned in_place = 0;
    for (unsigned i = 0; i < threads * rounds; ++i) {
        const unsigned forward = i % threads;
        in_place += order[1 + i] == (wanted == Order::reverse ? threads - 1 - forward : forward) ? 1 : 0;
    }
    if (wanted != Order::random) {
        EXPECT_EQ(in_place, threads * rounds);
        return;
    }
    EXPECT_LT(in_place, threads);
    // Another order after the barrier, another one in the next launch, and the same ones on another device.
    const std::vector<unsigned> first(order.begin() + 1, order.begin() + 1 + threads);
    EXPECT_NE(first, std::vector<unsigned>(order.begin() + 1 + threads, order.end()));
    EXPECT_NE(run(), order);
    device = launch::host_device(GetParam().options);
    EXPECT_EQ(run(), order);
}

TEST_P(Fault, RemovedBarrierGivesAWrongAnswer) {
    if (launch::executor::thread_sanitizer) GTEST_SKIP() << "a race: see RaceDeathTest";
    std::vector<float> values(64), reversed(64);
    for (std::size_t i = 0; i < 64; ++i)
        values[i] = reversed[63 - i] = static_cast<float>(i);
    Buffer<float> buffer(*device, values);
    host::reverse_without_barrier(stream(), buffer.data(), 64);
    buffer.download(values);
    EXPECT_NE(std::memcmp(values.data(), reversed.data(), sizeof(float) * 64), 0);
}

TEST_P(Fault, BarrierForSomeThreadsIsNamed) {
    expect_parts(
        error_of([&] { host::barrier_for_some(stream(), 32, 16); }),
        {"the barrier at ", at(host::line_of_barrier_for_some()), "16 of 32", "16 had returned", "in block"});
    // One thread less, and one thread only; a block that is not a whole number of warps.
    expect_parts(error_of([&] { host::barrier_for_some(stream(), 50, 49); }), {"49 of 50"});
    expect_parts(error_of([&] { host::barrier_for_some(stream(), 1024, 1); }), {"1 of 1024"});
    // Those that returned had waited at this very line before.
    expect_parts(error_of([&] { host::barrier_more_often_for_some(stream(), 32, 8); }),
                 {"8 of 32", "24 had returned"});
    expect_parts(error_of([&] { host::barrier_more_often_for_some(stream(), 32, 31); }),
                 {"31 of 32", "1 had returned"});
    EXPECT_EQ(error_of([&] { host::barrier_for_some(stream(), 50, 50); }), "");
    EXPECT_EQ(error_of([&] { host::barrier_for_some(stream(), 50, 0); }), "");
}

TEST_P(Fault, BarriersAtTwoLinesAreNamed) {
    expect_parts(error_of([&] { host::barriers_at_two_lines(stream(), 32); }),
                 {at(host::line_of_first_barrier()), "16 of 32", "thread (1, 0, 0) waits at ",
                  at(host::line_of_second_barrier())});
    EXPECT_EQ(error_of([&] { host::barriers_at_two_lines(stream(), 1); }), "");
}

TEST_P(Fault, ShuffleForSomeLanesOfTheMaskIsNamed) {
    expect_parts(error_of([&] { host::shuffle_for_some(stream(), 0xffffffffu); }),
                 {"the warp operation at ", at(host::line_of_shuffle()), "16 of 32", "waits at"});
    expect_parts(error_of([&] { host::shuffle_for_some(stream(), 0xfffeu); }), {"leaves out its own thread"});
    EXPECT_EQ(error_of([&] { host::shuffle_for_some(stream(), 0xffffu); }), "");
}

TEST_P(Fault, UnwrittenSharedMemoryIsNotANumber) {
    constexpr std::size_t threads = 32, blocks = 64;
    Buffer<float> buffer(*device, blocks * threads);
    host::read_unwritten(stream(), buffer.data());
    std::vector<float> values(buffer.size());
    buffer.download(values);
    // Each block leaves out another element: what an earlier block wrote there must be gone.
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(std::isnan(values[i]), i % threads == i / threads % threads) << "at " << i;
}

TEST_P(Fault, OverrunOfSharedMemoryNamesTheArray) {
    if (launch::executor::address_sanitizer)
        GTEST_SKIP() << "AddressSanitizer stops the program: see SharedOverrun";
    EXPECT_EQ(error_of([&] { host::write_past_shared(stream(), 32); }), "");
    for (const int index : {-1, -200, 33, 33 + 255})
        expect_parts(error_of([&] { host::write_past_shared(stream(), index); }),
                     {"wrote outside its shared array 'overrun'", "in block (0, 0, 0)"});
    EXPECT_EQ(error_of([&] { host::write_past_dynamic(stream(), 9); }), "");
    expect_parts(error_of([&] { host::write_past_dynamic(stream(), 10); }), {"'(dynamic)'"});
}

TEST_P(Fault, BlocksThatDependOnEachOtherAreRightInOneOrderOnly) {
    const int workers = omp_get_max_threads();
    omp_set_num_threads(1);
    std::vector<float> values(100, 1.0f);
    std::vector<float> one_by_one(100, 2.0f);
    one_by_one.back() = 1.0f;
    Buffer<float> buffer(*device, values);
    host::neighbour_in_place(stream(), buffer.data(), 100);
    omp_set_num_threads(workers);
    buffer.download(values);
    EXPECT_EQ(values == one_by_one, GetParam().options.order == launch::HostOptions::Order::forward);
}

TEST_P(Fault, ExceptionLeavesTheKernelWithItsPlace) {
    for (const bool after_barrier : {false, true})
        expect_parts(error_of([&] { host::throw_in_kernel(stream(), 4, after_barrier); }),
                     {"negative temperature", "in thread (5, 0, 0)", "in block (2, 0, 0)"});
    EXPECT_EQ(error_of([&] { host::throw_in_kernel(stream(), 2, true); }), "");
}

// Stacks of waiting threads that were not unwound would pile up until Linux maps no more.
TEST_P(Fault, ManyFailuresCostNothing) {
    for (int i = 0; i < 50; ++i) {
        EXPECT_NE(error_of([&] { host::barrier_for_some(stream(), 1024, 1023); }), "");
        EXPECT_NE(error_of([&] { host::throw_in_kernel(stream(), 40, true); }), "");
    }
    EXPECT_EQ(error_of([&] { host::barrier_for_some(stream(), 64, 64); }), "");
}

INSTANTIATE_TEST_SUITE_P(Launch, Fault, testing::ValuesIn(host_targets()), target_name);

// A program that must die. In a thread-safe style: the workers of OpenMP do not survive a bare fork.
class FaultDeathTest : public testing::Test {
  protected:
    void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
    std::unique_ptr<launch::Device> device = launch::host_device();
};

TEST_F(FaultDeathTest, SharedOverrun) {
    if (!launch::executor::address_sanitizer) GTEST_SKIP() << "needs a build with AddressSanitizer";
    host::write_past_shared(device->stream(), 32);
    // Whichever sanitizer comes first.
    const char* const report = "AddressSanitizer: use-after-poison|runtime error: index 33 out of bounds";
    EXPECT_DEATH(host::write_past_shared(device->stream(), 33), report);
    host::write_past_dynamic(device->stream(), 9);
    EXPECT_DEATH(host::write_past_dynamic(device->stream(), 10), "AddressSanitizer: use-after-poison");
    EXPECT_DEATH(host::write_past_dynamic(device->stream(), -1), "AddressSanitizer: use-after-poison");
}

TEST_F(FaultDeathTest, GlobalOverrun) {
    if (!launch::executor::address_sanitizer) GTEST_SKIP() << "needs a build with AddressSanitizer";
    Buffer<float> buffer(*device, 1001);
    host::write_global(device->stream(), buffer.data(), 1000);
    EXPECT_DEATH(host::write_global(device->stream(), buffer.data(), 1001),
                 "AddressSanitizer: heap-buffer-overflow");
    EXPECT_DEATH(host::write_global(device->stream(), buffer.data(), -1),
                 "AddressSanitizer: heap-buffer-overflow");
}

TEST_F(FaultDeathTest, StackOverflow) {
    Buffer<float> buffer(*device, 1);
    host::deep_stack(device->stream(), 50, buffer.data());
    // The guard page: a signal, never a wrong answer.
    EXPECT_DEATH(host::deep_stack(device->stream(), 100000, buffer.data()), "");
}

}  // namespace
}  // namespace gridmark::launch_tests

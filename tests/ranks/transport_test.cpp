#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "kernels/ranks/transport.hpp"

namespace gridmark::ranks {
namespace {

template <class T, std::size_t n>
std::span<std::byte> bytes(std::array<T, n>& values) {
    return std::as_writable_bytes(std::span(values));
}

class InProcessTest : public testing::TestWithParam<Arrival> {};

TEST_P(InProcessTest, MessagesComeInOrderAndCarryWhatWasSent) {
    run_in_process(3, GetParam(), 5, [](Transport& t) {
        const int next = (t.rank() + 1) % 3, before = (t.rank() + 2) % 3;
        std::array<double, 2> in[3], out[3];
        for (int k = 0; k < 3; ++k) {
            out[k] = {t.rank() + 0.5, k + 0.25};
            t.receive(before, bytes(in[k]));
        }
        for (auto& message : out)
            t.send(next, bytes(message));
        t.finish();
        for (int k = 0; k < 3; ++k)
            EXPECT_EQ(in[k], (std::array{before + 0.5, k + 0.25}));
    });
}

TEST_P(InProcessTest, AllRanksLearnTheLargestValue) {
    run_in_process(4, GetParam(), 5, [](Transport& t) {
        EXPECT_EQ(t.most(t.rank()), 3);
        EXPECT_EQ(t.most(-t.rank() - 1.0), -1);
    });
}

TEST_P(InProcessTest, AFailureEndsTheOthersWaits) {
    const auto run = [&] {
        run_in_process(3, GetParam(), 5, [](Transport& t) {
            if (t.rank() == 1) throw std::runtime_error("rank 1 is ill");
            std::array<float, 1> in{};
            t.receive(1, bytes(in));
            t.finish();
            ADD_FAILURE() << "got a message that nobody sent";
        });
    };
    try {
        run();
        FAIL() << "no error";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "rank 1 is ill");
    }
}

INSTANTIATE_TEST_SUITE_P(Arrivals, InProcessTest,
                         testing::Values(Arrival::early, Arrival::late, Arrival::by_chance));

TEST(InProcess, BeforeItIsWaitedForALateMessagesPlaceHoldsNan) {
    run_in_process(2, Arrival::late, 1, [](Transport& t) {
        std::array<double, 4> in{}, out{1, 2, 3, 4};
        t.receive(1 - t.rank(), bytes(in));
        t.send(1 - t.rank(), bytes(out));
        t.progress();
        for (const double value : in)
            EXPECT_TRUE(std::isnan(value));
        t.finish();
        EXPECT_EQ(in, out);
    });
}

}  // namespace
}  // namespace gridmark::ranks

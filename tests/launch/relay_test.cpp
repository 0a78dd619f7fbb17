// Blocks of a cluster that send each other messages: right answers in every order, and mistakes found.

#include "kernels/launch/host_thread_sanitizer.hpp"
#include "tests/launch/kernels.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::launch_tests {
namespace {

std::vector<double> expected(int clusters, int size, int messages, int words) {
    std::vector<double> all;
    for (int block = 0; block < clusters * size; ++block)
        for (int n = 0; n < messages; ++n)
            for (int word = 0; word < words; ++word) {
                const int first = word == words - 1 ? block - block % size : block;
                double sum = 0;
                for (int before = first; before <= block; ++before)
                    sum += 100.0 * before + n;
                all.push_back(sum);
                all.push_back((block - first + 1.0) * word);
            }
    return all;
}

class Relay : public OnEach {
  protected:
    launch::Stream stream() { return device->stream(); }
    template <class Run>
    std::vector<double> written(int messages, Run run) {
        return result<double>(expected(2, 3, messages, 5).size(), run);
    }
};

TEST_P(Relay, MessagesCrossFromBlockToBlock) {
    for (const int size : {1, 2, 3, 8})
        for (const int messages : {0, 1, 3, 17}) {
            const auto right = expected(5, size, messages, 33);
            const auto got = result<double>(right.size(), [&](double* to) {
                GRIDMARK_SELECT(stream(), relay)(stream(), to, 5, size, messages, 33);
            });
            EXPECT_EQ(got, right) << size << " blocks, " << messages << " messages";
        }
}

TEST_P(Relay, AGridIsOfWholeClusters) {
    const auto complaint = [&](launch::Dim3 grid, unsigned size) {
        return error_of([&] { GRIDMARK_SELECT(stream(), empty_clusters)(stream(), grid, size, nullptr); });
    };
    EXPECT_EQ(complaint({7}, 2), "cannot launch clusters of 2 blocks: a grid of (7, 1, 1) is no row of them");
    EXPECT_EQ(complaint({4, 2}, 2),
              "cannot launch clusters of 2 blocks: a grid of (4, 2, 1) is no row of them");
    EXPECT_EQ(complaint({9}, 9), "cannot launch clusters of 9 blocks: 1 to 8 can be");
    EXPECT_EQ(complaint({4}, 0), "cannot launch clusters of 0 blocks: 1 to 8 can be");
    EXPECT_EQ(complaint({4}, 2), "");
}

INSTANTIATE_TEST_SUITE_P(Launch, Relay, testing::ValuesIn(all_targets()), target_name);

/// Mistakes, which only the host may run: on a GPU they hang.
class RelayFault : public Relay {};

TEST_P(RelayFault, WithoutRoomMessagesOverwriteEachOther) {
    if (launch::executor::thread_sanitizer) GTEST_SKIP() << "a race";
    const auto got = written(40, [&](double* to) { host::relay_without_room(stream(), to, 40); });
    EXPECT_NE(got, expected(2, 3, 40, 5));
}

TEST_P(RelayFault, MessagesThatNobodyReleasesAreADeadlock) {
    const auto run = [&](int messages) {
        return error_of([&] {
            written(messages, [&](double* to) { host::relay_without_release(stream(), to, messages); });
        });
    };
    EXPECT_EQ(run(3), "") << "so many fit";
    expect_parts(run(4), {"blocks wait for each other: block (", "kernels/launch/relay.hpp:"});
}

TEST_P(RelayFault, ABlockOfAnOrdinaryLaunchHasNoCluster) {
    expect_parts(error_of([&] { host::meet_nobody(stream()); }),
                 {"a block without a cluster meets others: only launch_clusters makes clusters"});
}

INSTANTIATE_TEST_SUITE_P(Launch, RelayFault, testing::ValuesIn(host_targets()), target_name);

}  // namespace
}  // namespace gridmark::launch_tests

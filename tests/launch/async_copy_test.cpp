// Copies from global to shared memory that go on while the kernel computes.

#include "kernels/launch/host_thread_sanitizer.hpp"
#include "tests/launch/kernels.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::launch_tests {
namespace {

constexpr int width = 64, rows = 7;

template <class T>
using Reverse = void (*)(launch::Stream, const T*, T*, int);

class AsyncCopy : public OnEach {
  protected:
    /// Whether `reverse` reversed every row.
    template <class T>
    bool reverses(Reverse<T> reverse, T (*make)(int)) {
        std::vector<T> from, expected;
        for (int i = 0; i < rows * width; ++i) {
            from.push_back(make(i));
            expected.push_back(make(i / width * width + width - 1 - i % width));
        }
        const launch::Buffer<T> device_from(*device, from);
        return result<T>(from.size(),
                         [&](T* to) { reverse(device->stream(), device_from.data(), to, rows); }) == expected;
    }
    /// Whether `copy` copied the even values of a row and made the odd ones zeros.
    template <class T>
    bool copies_even(void (*copy)(launch::Stream, const T*, T*), T (*make)(int)) {
        std::vector<T> from, expected;
        for (int i = 0; i < width; ++i) {
            from.push_back(make(i + 1));
            expected.push_back(i % 2 == 0 ? make(i + 1) : T{});
        }
        const launch::Buffer<T> device_from(*device, from);
        return result<T>(from.size(), [&](T* to) { copy(device->stream(), device_from.data(), to); }) ==
               expected;
    }
};

float number(int i) {
    return static_cast<float>(i);
}
double half(int i) {
    return 0.5 * i;
}
Wide wide(int i) {
    return {0.5 * i, -i - 1.0};
}

TEST_P(AsyncCopy, ArrivesBeforeTheWaitAndTheBarrierEnd) {
    EXPECT_TRUE(reverses<float>(GRIDMARK_SELECT(device->stream(), reverse_rows), number));
    EXPECT_TRUE(reverses<double>(GRIDMARK_SELECT(device->stream(), reverse_double_rows), half));
    EXPECT_TRUE(reverses<Wide>(GRIDMARK_SELECT(device->stream(), reverse_wide_rows), wide));
}

TEST_P(AsyncCopy, PutsZerosWhereItsConditionDoesNotHold) {
    EXPECT_TRUE(copies_even<float>(GRIDMARK_SELECT(device->stream(), copy_even_values), number));
    EXPECT_TRUE(copies_even<double>(GRIDMARK_SELECT(device->stream(), copy_even_doubles), half));
    EXPECT_TRUE(copies_even<Wide>(GRIDMARK_SELECT(device->stream(), copy_even_wide), wide));
}
INSTANTIATE_TEST_SUITE_P(On, AsyncCopy, testing::ValuesIn(all_targets()), target_name);

// What the host does for those who forget to wait; a GPU would often give the right answer.
using AsyncCopyFault = AsyncCopy;

TEST_P(AsyncCopyFault, IsSeen) {
    EXPECT_FALSE(reverses<float>(host::reverse_rows_without_wait, number));
    if (launch::executor::thread_sanitizer) GTEST_SKIP() << "a race without the barrier: see RaceDeathTest";
    EXPECT_FALSE(reverses<float>(host::reverse_rows_without_barrier, number));
}
INSTANTIATE_TEST_SUITE_P(On, AsyncCopyFault, testing::ValuesIn(host_targets()), target_name);

}  // namespace
}  // namespace gridmark::launch_tests

#include "harness/cache.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {
namespace {

double plenty() {
    return 1e18;
}

int alive = 0;

/// Ten, and each thing that lives takes four.
double little() {
    return 10 - 4 * alive;
}

struct Counted {
    explicit Counted(int number) : number(number) { ++alive; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --alive; }
    int number;
};

template <class T>
std::vector<int> made_for(Cache<T>& cache, const std::vector<int>& numbers, double bytes) {
    std::vector<int> made;
    for (const int number : numbers) {
        const auto value = cache.get([&](const T& m) { return m.number == number; }, bytes,
                                     [&] {
                                         made.push_back(number);
                                         return std::make_shared<const T>(number);
                                     });
        EXPECT_EQ(value->number, number);
    }
    return made;
}

TEST(Cache, MakesEachOnceWhileMemoryIsPlenty) {
    Cache<Counted> cache(100, plenty);
    EXPECT_EQ(made_for(cache, {1, 2, 3, 1, 2, 3, 4, 1}, 1e9), (std::vector<int>{1, 2, 3, 4}));
}

TEST(Cache, LetsTheLongestUnaskedGoBeforeItMakesAnother) {
    Cache<Counted> cache(100, little);
    EXPECT_EQ(made_for(cache, {1, 2}, 2), (std::vector<int>{1, 2})) << "6 of 10 are free after the first";
    // 2 are free: one must go, and 1 was asked for last.
    EXPECT_EQ(made_for(cache, {1, 3, 1, 2}, 2), (std::vector<int>{3, 2}));
    EXPECT_EQ(alive, 2);
}

TEST(Cache, LeavesThreeTimesItsBytesFree) {
    Cache<Counted> cache(100, little);
    // 6 of 10 are free after the first: enough for three times 2, and not for three times 3.
    EXPECT_EQ(made_for(cache, {1, 2, 1}, 2), (std::vector<int>{1, 2}));
    Cache<Counted> other(100, [] { return little() + 4 * 2; });  // of what the first one holds nobody knows
    EXPECT_EQ(made_for(other, {1, 2, 1}, 3), (std::vector<int>{1, 2, 1}));
}

TEST(Cache, WhatItGaveAwayStaysWithItsUser) {
    Cache<Counted> cache(1, plenty);
    const auto first =
        cache.get([](const Counted&) { return false; }, 0, [] { return std::make_shared<const Counted>(7); });
    (void)made_for(cache, {8}, 0);
    EXPECT_EQ(first->number, 7);
    EXPECT_EQ(alive, 2);
}

TEST(Cache, MakesWhatIsAskedForEvenWhereNothingMoreCanGo) {
    Cache<Counted> cache(100, little);
    EXPECT_EQ(made_for(cache, {1, 2}, 100), (std::vector<int>{1, 2}));
    EXPECT_EQ(alive, 1);
}

TEST(Cache, HoldsNoMoreThanItsMostAndMakesTheOthersAnew) {
    Cache<Counted> cache(2, plenty);
    EXPECT_EQ(made_for(cache, {1, 1, 2, 1, 2, 3, 2, 3, 1, 3}, 0), (std::vector<int>{1, 2, 3, 1}));
    EXPECT_EQ(alive, 2);
}

TEST(Cache, LetsTheOlderGoBeforeItMakesAnother) {
    Cache<Counted> cache(1, plenty);
    for (const int number : {1, 2}) {
        (void)cache.get([&](const Counted& c) { return c.number == number; }, 0,
                        [&] {
                            EXPECT_EQ(alive, 0) << "both in memory at once";
                            return std::make_shared<const Counted>(number);
                        });
    }
}

TEST(FreeHostMemory, IsKnownHere) {
    EXPECT_GT(free_host_memory(), 1e6);
}

/// What is made of two numbers.
struct Sum {
    Sum(int a, int b) : of(a + b) { ++made; }
    Sum(const Sum&) = delete;
    int of;
    static inline int made = 0;
};

TEST(Shared, IsMadeOnceOfTheSameArguments) {
    const auto first = shared<Sum>(1, 1, 2), other = shared<Sum>(1, 2, 1);
    EXPECT_EQ(first->of, 3);
    EXPECT_NE(first, other);
    EXPECT_EQ((shared<Sum>(1, 1, 2)), first);
    EXPECT_EQ(Sum::made, 2);
}

struct OnDevice {
    OnDevice(launch::Device&, std::shared_ptr<const Sum> of) : host(std::move(of)) {}
    std::shared_ptr<const Sum> host;
};

TEST(Shared, OnADeviceAreTheLastTwo) {
    const auto device = launch::host_device();
    const std::shared_ptr<const Sum> hosts[] = {shared<Sum>(1, 1, 1), shared<Sum>(1, 2, 2),
                                                shared<Sum>(1, 3, 3)};
    const auto kept = [&](int which) { return shared_on_device<OnDevice>(*device, hosts[which]); };
    const std::weak_ptr<const OnDevice> first = kept(0);
    const auto second = kept(1);
    EXPECT_EQ(kept(0), first.lock());
    kept(2);
    EXPECT_EQ(first.expired(), false) << "asked for after the second one";
    EXPECT_NE(kept(1), second);
    EXPECT_TRUE(first.expired());
}

}  // namespace
}  // namespace gridmark::harness

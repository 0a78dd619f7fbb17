#include "harness/kept.hpp"

#include <gtest/gtest.h>

#include <vector>

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
std::vector<int> made_for(Kept<T>& kept, const std::vector<int>& numbers, double bytes) {
    std::vector<int> made;
    for (const int number : numbers) {
        const auto value = kept.get([&](const T& m) { return m.number == number; }, bytes,
                                    [&] {
                                        made.push_back(number);
                                        return std::make_shared<const T>(number);
                                    });
        EXPECT_EQ(value->number, number);
    }
    return made;
}

TEST(Kept, MakesEachOnceWhileMemoryIsPlenty) {
    Kept<Counted> kept(plenty);
    EXPECT_EQ(made_for(kept, {1, 2, 3, 1, 2, 3, 4, 1}, 1e9), (std::vector<int>{1, 2, 3, 4}));
}

TEST(Kept, LetsTheLongestUnaskedGoBeforeItMakesAnother) {
    Kept<Counted> kept(little);
    EXPECT_EQ(made_for(kept, {1, 2}, 2), (std::vector<int>{1, 2})) << "6 of 10 are free after the first";
    // 2 are free: one must go, and 1 was asked for last.
    EXPECT_EQ(made_for(kept, {1, 3, 1, 2}, 2), (std::vector<int>{3, 2}));
    EXPECT_EQ(alive, 2);
}

TEST(Kept, MakesWhatIsAskedForEvenWhereNothingMoreCanGo) {
    Kept<Counted> kept(little);
    EXPECT_EQ(made_for(kept, {1, 2}, 100), (std::vector<int>{1, 2}));
    EXPECT_EQ(alive, 1);
}

TEST(FreeHostMemory, IsKnownHere) {
    EXPECT_GT(free_host_memory(), 1e6);
}

}  // namespace
}  // namespace gridmark::harness

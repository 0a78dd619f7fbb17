#include "harness/last_two.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gridmark::harness {
namespace {

struct Made {
    int number;
};

TEST(LastTwo, KeepsTheLastTwoAndMakesTheOthersAnew) {
    LastTwo<Made> kept;
    std::vector<int> made;
    const auto get = [&](int number) {
        const auto value = kept.get([&](const Made& m) { return m.number == number; },
                                    [&] {
                                        made.push_back(number);
                                        return std::make_shared<const Made>(Made{number});
                                    });
        EXPECT_EQ(value->number, number);
    };
    for (const int number : {1, 1, 2, 1, 2, 3, 2, 3, 1, 3})
        get(number);
    EXPECT_EQ(made, (std::vector<int>{1, 2, 3, 1}));
}

TEST(LastTwo, LetsTheOlderGoBeforeItMakesAnother) {
    LastTwo<Made> kept;
    std::weak_ptr<const Made> first;
    for (int number = 1; number <= 3; ++number) {
        const auto value = kept.get([&](const Made& m) { return m.number == number; },
                                    [&] {
                                        if (number == 3) {
                                            EXPECT_TRUE(first.expired()) << "both in memory at once";
                                        }
                                        return std::make_shared<const Made>(Made{number});
                                    });
        if (number == 1) first = value;
    }
}

}  // namespace
}  // namespace gridmark::harness

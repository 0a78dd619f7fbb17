#include "kernels/pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include "kernels/storage.hpp"

namespace gridmark {
namespace {

std::uintptr_t place(const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory);
}

TEST(Pages, HoldEveryByteAskedForWhateverTheirNumber) {
    for (const std::size_t bytes : {std::size_t{1}, least_paged_bytes, (std::size_t{2} << 20) - 1,
                                    std::size_t{2} << 20, (std::size_t{4} << 20) + 1}) {
        std::vector<unsigned char*> arrays;
        for (int k = 0; k < 70; ++k) {  // more than it takes to come round the page
            arrays.push_back(static_cast<unsigned char*>(allocate_pages(bytes)));
            arrays.back()[0] = static_cast<unsigned char>(k);
            arrays.back()[bytes - 1] = static_cast<unsigned char>(k);
        }
        for (int k = 0; k < 70; ++k) {
            EXPECT_EQ(arrays[k][0], k) << bytes;
            EXPECT_EQ(arrays[k][bytes - 1], k) << bytes;
            free_pages(arrays[k], bytes);
        }
    }
}

TEST(Pages, ArraysOfAVariantLieAsFarApartAsThoseOfTheNext) {
    constexpr std::size_t bytes = 100000, page = std::size_t{2} << 20;
    std::vector<void*> arrays(8);
    for (void*& array : arrays)
        array = allocate_pages(bytes);
    const auto distance = [&](int a, int b) { return (place(arrays[b]) - place(arrays[a])) % page; };
    for (int k = 0; k + 4 < 8; ++k)
        EXPECT_EQ(distance(k, k + 3), distance(k + 1, k + 4));
    for (void* array : arrays)
        free_pages(array, bytes);
}

TEST(Pages, AHandfulOfArraysKeepsApartInTheFirstCacheAndInThePage) {
    std::vector<void*> arrays(7);
    for (void*& array : arrays)
        array = allocate_pages(100000);
    for (const void* a : arrays) {
        EXPECT_EQ(place(a) % 512, 0U);
        for (const void* b : arrays) {
            if (a == b) continue;
            const auto apart = (place(a) - place(b)) / 64 % 64;
            EXPECT_GE(std::min<std::uintptr_t>(apart, 64 - apart), 3U);
        }
    }
    for (void* array : arrays)
        free_pages(array, 100000);
}

TEST(Pages, WhatNoMachineHasIsRefused) {
    EXPECT_THROW(allocate_pages(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
    EXPECT_THROW(allocate_pages(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
    // AddressSanitizer's own allocator ends the program instead.
    if (!launch::executor::address_sanitizer) {
        EXPECT_THROW(Storage<double>(std::size_t{1} << 58), std::bad_alloc);
    }
}

TEST(Pages, StorageOfEverySizeKeepsItsValuesWhenItGrows) {
    Storage<int> values;
    for (int k = 0; k < 100000; ++k)
        values.push_back(k);
    for (int k = 0; k < 100000; ++k)
        ASSERT_EQ(values[k], k);
}

}  // namespace
}  // namespace gridmark

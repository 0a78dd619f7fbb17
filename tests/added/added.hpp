#pragma once

#include <vector>

#include "kernels/launch/variants.hpp"

/// For a file that stands in for a study's gpu_variants.cpp, whose two functions it has under other names:
/// its table for the host executor, and one entry more, which MAKE<T>(table) returns.
#define GRIDMARK_ADD_GPU_VARIANT(MAKE)                                                        \
    template <class T>                                                                        \
    std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor) {                  \
        static const std::vector<GpuVariant<T>> table = [] {                                  \
            const auto listed = listed_variants<T>(launch::Executor::host);                   \
            std::vector<GpuVariant<T>> all(listed.begin(), listed.end());                     \
            all.push_back(MAKE<T>(listed));                                                   \
            return all;                                                                       \
        }();                                                                                  \
        if (executor == launch::Executor::host) return table;                                 \
        return {};                                                                            \
    }                                                                                         \
    template <class T>                                                                        \
    const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name) { \
        for (const GpuVariant<T>& variant : gpu_variants<T>(executor))                        \
            if (variant.name == name) return &variant;                                        \
        return nullptr;                                                                       \
    }                                                                                         \
    template std::span<const GpuVariant<float>> gpu_variants(launch::Executor);               \
    template std::span<const GpuVariant<double>> gpu_variants(launch::Executor);              \
    template const GpuVariant<float>* find_gpu_variant(launch::Executor, std::string_view);   \
    template const GpuVariant<double>* find_gpu_variant(launch::Executor, std::string_view);

namespace gridmark::added_tests {

/// The entry of that name.
template <class Table>
const auto& entry(const Table& table, std::string_view name) {
    for (const auto& found : table)
        if (found.name == name) return found;
    return table.front();
}

}  // namespace gridmark::added_tests

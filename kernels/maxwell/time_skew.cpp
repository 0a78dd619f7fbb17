#include "kernels/maxwell/time_skew.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/maxwell/scheme.hpp"
#include "kernels/maxwell/solver.hpp"

namespace gridmark::maxwell {
namespace {

/// With so many steps a trip the link is hidden, and thicker slabs gain nothing.
constexpr int most_steps = 96, most_depth = 32;

/// Half of a window is for the skew, the other for four slabs.
TimeSkew in_ring(int nx, int ring) {
    const int steps = std::clamp((ring - 1) / 2, 1, most_steps);
    const int even = steps > 1 ? steps / 2 * 2 : 1;
    return {nx, ring, std::clamp((ring - 1 - even) / 4, 1, most_depth), even};
}

}  // namespace

template <class T>
std::size_t device_bytes(const Layout& l, const GpuVariant<T>& variant, const TimeSkew& skew) {
    const std::size_t slot = 2 * components * sizeof(T) + coefficient_bytes<T>(variant.by_index);
    const std::size_t tables =
        variant.by_index ? MaterialIndex<T>::most * (sizeof(OfE<T>) + sizeof(OfH<T>)) : 0;
    const std::size_t spacings = 2 * sizeof(T) * static_cast<std::size_t>(l.n[0] + l.n[1] + l.n[2]);
    const std::size_t wave = 4 * sizeof(T) * static_cast<std::size_t>(l.n[2] + 1) + sizeof(Drive);
    return skew.ring * l.plane() * slot + tables + spacings + (skew.steps + 1) * wave;
}

int launches(const TimeSkew& skew) {
    int count = 0;
    for (int s = 0; s < skew.count(); ++s)
        for (int k = 0; k < skew.steps; ++k)
            count += skew.stepped(s, k).depth() > 0 ? 1 : 0;
    return count;
}

TimeSkew least_time_skew(const Layout& layout) {
    return in_ring(layout.n[0], std::min(layout.planes(), roomy_ring(1, 1)));
}

template <class T>
std::size_t whole_bytes(const Layout& layout, const GpuVariant<T>& variant) {
    return device_bytes(layout, variant, in_ring(layout.n[0], layout.planes()));
}

template <class T>
TimeSkew time_skew_for(const Layout& layout, const GpuVariant<T>& variant, std::size_t bytes) {
    const int nx = layout.n[0];
    const auto needs = [&](int ring) { return device_bytes(layout, variant, in_ring(nx, ring)); };
    const int least = least_time_skew(layout).ring;
    if (needs(least) > bytes)
        throw std::invalid_argument(std::to_string(bytes) + " bytes on the device cannot hold a window of " +
                                    std::to_string(least) + " layers, which needs " +
                                    std::to_string(needs(least)));
    // The largest that fits lies in [low, high].
    int low = least, high = std::min(layout.planes(), roomy_ring(most_depth, most_steps));
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (needs(middle) <= bytes)
            low = middle;
        else
            high = middle - 1;
    }
    return in_ring(nx, low);
}

#define GRIDMARK_INSTANTIATE(T)                                                              \
    template std::size_t device_bytes(const Layout&, const GpuVariant<T>&, const TimeSkew&); \
    template std::size_t whole_bytes(const Layout&, const GpuVariant<T>&);                   \
    template TimeSkew time_skew_for(const Layout&, const GpuVariant<T>&, std::size_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell

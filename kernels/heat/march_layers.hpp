#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/launch/shape.hpp"

namespace gridmark::heat {

/// A march through some layers: layers that it goes through besides, and how short and long it may be.
struct March {
    int rim, shortest, longest;
};

/// Into how many layers each to cut marches through nz layers, by `columns` blocks side by side of which a
/// GPU runs `resident` at once: those for which all blocks, wave after wave, are done soonest.
inline int march_layers(int nz, const launch::Dim3& columns, std::size_t resident, const March& march) {
    const std::size_t at_once = std::max<std::size_t>(resident, 1);
    int best = 0;
    std::size_t best_cost = 0;
    for (int parts = 1; parts <= nz; ++parts) {
        const int layers = (nz + parts - 1) / parts;
        if (layers > march.longest) continue;
        if (best > 0 && layers < march.shortest) break;
        const std::size_t blocks = static_cast<std::size_t>(columns.x) * columns.y * parts;
        const std::size_t cost =
            (blocks + at_once - 1) / at_once * static_cast<std::size_t>(layers + march.rim);
        if (best == 0 || cost < best_cost) best = layers, best_cost = cost;
    }
    return best;
}

}  // namespace gridmark::heat

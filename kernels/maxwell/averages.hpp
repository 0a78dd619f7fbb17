#pragma once

#include <array>
#include <span>

#include "kernels/maxwell/layout.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/storage.hpp"

namespace gridmark::maxwell {

/// eps, mu and sigma where each component lives, averaged once: of E over the four cells around an edge, of H
/// over the two at a face, weighted by their sizes. Ghosts hold vacuum. Source: paper, section 2.
template <class T>
struct Coefficients {
    Layout layout;
    std::array<Storage<T>, 3> eps, mu, sigma;

    Planes<const T> planes(const std::array<Storage<T>, 3>& arrays) const {
        return {{arrays[0].data(), arrays[1].data(), arrays[2].data()}, 0};
    }
};

template <class T>
Coefficients<T> average(const Grid& grid, const Body& body, int threads);

}  // namespace gridmark::maxwell

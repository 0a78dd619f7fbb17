#pragma once

#include <cstdint>

#include "kernels/maxwell/materials.hpp"

/// Bodies that come with the study, in grids of any size; lengths as shares of the grid's.
namespace gridmark::maxwell {

/// Nothing but vacuum.
Body empty_box(const Grid& grid);
/// A plate across the wave, as wide as the grid: eps 4 from 0.5 to 0.6 of its length.
Body dielectric_slab(const Grid& grid);
/// A sphere in the middle, its diameter 0.4 of the shortest side: eps 4, and lossy, sigma 8 / diameter.
Body lossy_sphere(const Grid& grid);
/// Fuselage, wings and tail of an aircraft, of boxes that conduct well, nose towards the wave.
Body aircraft(const Grid& grid);
/// Every cell of one of 16 materials, both at random: eps 1 ... 4, mu 1 ... 2, sigma 0 ... 0.2.
Body random_body(const Grid& grid, std::uint64_t seed);
/// The same, but for vacuum in the outermost cells: the paper's bodies keep off the boundary.
Body random_body_inside(const Grid& grid, std::uint64_t seed);

}  // namespace gridmark::maxwell

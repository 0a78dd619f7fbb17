#pragma once

#include "kernels/maxwell/layout.hpp"
#include "kernels/maxwell/material_index.hpp"
#include "kernels/maxwell/source.hpp"

/// What a whole step in one launch works on. It cannot be done in place, since other blocks still read what
/// one would overwrite: the fields go from one set of arrays into another.
namespace gridmark::maxwell {

/// The incident wave on the device, a step ahead of its source: E and H as they are after the step whose
/// current `drive` holds. So a step finds all that it needs of the wave, and makes the next one beside it.
template <class T>
struct Ahead {
    Wave<T> wave;
    Drive* drive;
};

/// Coefficients on a device as bytes and two tables.
template <class T>
struct Indexed {
    const std::uint8_t *e, *h;
    const OfE<T>* of_e;
    const OfH<T>* of_h;
    int combinations_e, combinations_h;
};

template <class T>
struct Pass {
    Arrays<T> now;            ///< the coefficients' arrays are null where they come by index
    Indexed<T> index;         ///< null where they come as arrays
    Planes<T> e, h;           ///< fields a step later
    Ahead<T> ahead, further;  ///< the wave of this step and of the next
};

}  // namespace gridmark::maxwell

#pragma once

#include <string>

#include "harness/fields/hdf5_dataset.hpp"

namespace gridmark::harness {

/// Reads all values of a dataset in C order, converted to T (float or double); `to` has room for them. Throws
/// UsageError naming the dataset when they cannot be read, or when one is not finite or finite only in a
/// wider type than T.
template <class T>
void read_values(const InputDataset& dataset, const std::string& name, T* to);

}  // namespace gridmark::harness

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/fields/hdf5_handle.hpp"

namespace gridmark::harness {

/// Throws UsageError when the values of /name lie in other files, std::runtime_error when HDF5 cannot tell.
void check_storage(hid_t dataset, const std::string& name);

/// Bytes that HDF5 may take to read a dataset of these sizes beside the values themselves, as its chunks have
/// it. Throws std::runtime_error.
std::size_t chunk_buffers(hid_t dataset, const std::vector<std::size_t>& sizes);

/// Why a dataset's values cannot be read, after HDF5 has failed at it.
std::string reading_failure(hid_t dataset);

}  // namespace gridmark::harness

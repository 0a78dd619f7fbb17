#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/fields/hdf5_handle.hpp"

namespace gridmark::harness {

/// A dataset of a file that is not trusted: its type is a number, its values lie in the file itself.
struct InputDataset {
    Handle id;
    std::vector<std::size_t> sizes;  ///< none is 0
    std::size_t values;              ///< their product
    std::size_t buffers;             ///< bytes that HDF5 may take to read it, beside the values
};

/// Whether a link of that name is there, wherever it leads: the groups before it too. Throws UsageError
/// naming the dataset when HDF5 cannot tell.
bool has_link(hid_t file, const std::string& name);

/// Opens /name of a file whose links lead nowhere else (see forget_external_links) and looks at all that can
/// be refused before values are read. Throws UsageError naming the dataset and what is wrong with it.
InputDataset open_dataset(hid_t file, const std::string& name, int rank);

/// Links to other files are followed no more, not even from within a path. Throws std::runtime_error.
void forget_external_links();

/// Throws UsageError when the values of /name lie in other files, std::runtime_error when HDF5 cannot tell.
void check_storage(hid_t dataset, const std::string& name);

/// Bytes that HDF5 may take to read a dataset of these sizes beside the values themselves, as its chunks have
/// it. Throws std::runtime_error.
std::size_t chunk_buffers(hid_t dataset, const std::vector<std::size_t>& sizes);

/// Why a dataset's values cannot be read, after HDF5 has failed at it.
std::string reading_failure(hid_t dataset);

/// Reads all values of a dataset in C order, converted to T (float or double); `to` has room for them. Throws
/// UsageError naming the dataset when they cannot be read, or when one is not finite or finite only in a
/// wider type than T.
template <class T>
void read_values(const InputDataset& dataset, const std::string& name, T* to);

}  // namespace gridmark::harness

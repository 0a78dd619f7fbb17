#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/fields/hdf5_handle.hpp"
#include "harness/fields/solution.hpp"

/// HDF5 files as another program sees them.
namespace gridmark::tests {

/// All values of a dataset that must have this type and these sizes.
template <class T>
std::vector<T> look(const std::filesystem::path& path, const std::string& name,
                    const std::vector<std::uint64_t>& sizes) {
    using harness::Handle;
    const hid_t type = std::is_same_v<T, float>    ? H5T_NATIVE_FLOAT
                       : std::is_same_v<T, double> ? H5T_NATIVE_DOUBLE
                                                   : H5T_NATIVE_INT64;
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle found(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
    std::vector<hsize_t> extent(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extent.data(), nullptr);
    if (H5Tequal(found, type) <= 0 || !std::equal(extent.begin(), extent.end(), sizes.begin(), sizes.end()))
        throw std::runtime_error(name + " is something else");
    std::vector<T> values(std::accumulate(extent.begin(), extent.end(), hsize_t{1}, std::multiplies<>()));
    harness::check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
}

/// Equal values, or both NaN.
template <class T>
bool same(const std::vector<T>& one, const std::vector<T>& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

/// A solution of one field, /last.
inline const harness::Solution one_field{{{"last", {2, 2}, std::vector<float>{1, 2, 3, 4}}},
                                         {{"steps", 7}, {"kind", "still"}}};

}  // namespace gridmark::tests

#include "harness/fields/hdf5_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

#include "harness/fields/hdf5_storage.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

/// The index of a value in each dimension, last fastest.
std::vector<hsize_t> index_of(std::size_t position, const std::vector<std::size_t>& sizes) {
    std::vector<hsize_t> index(sizes.size());
    for (std::size_t i = sizes.size(); i-- > 0; position /= sizes[i])
        index[i] = position % sizes[i];
    return index;
}

/// One value as the file has it, in the widest type.
long double read_one(hid_t dataset, const std::vector<hsize_t>& index) {
    const Handle in_file(H5Dget_space(dataset), H5Sclose);
    if (!index.empty()) check(H5Sselect_elements(in_file, H5S_SELECT_SET, 1, index.data()));
    const Handle here(H5Screate(H5S_SCALAR), H5Sclose);
    long double value = 0;
    check(H5Dread(dataset, H5T_NATIVE_LDOUBLE, here, in_file, H5P_DEFAULT, &value));
    return value;
}

template <class T>
void check_finite(const InputDataset& dataset, const std::string& name, const T* values) {
    std::size_t first = dataset.values, count = 0;
    for (std::size_t i = dataset.values; i-- > 0;)
        if (!std::isfinite(values[i])) {
            first = i;
            ++count;
        }
    if (count == 0) return;
    const std::vector<hsize_t> index = index_of(first, dataset.sizes);
    const long double value = read_one(dataset.id, index);
    const char* type = std::is_same_v<T, float> ? "float" : "double";
    const std::string what = std::isfinite(value)
                                 ? fmt::format("{:.6Lg}, too large for {}", value, type)
                                 : fmt::format("{}, not a finite number", std::isnan(value) ? "nan" : "inf");
    throw UsageError(fmt::format("/{}[{}] is {}; {} of its {} values {} not finite as {}", name,
                                 fmt::join(index, ","), what, count, dataset.values,
                                 count == 1 ? "is" : "are", type));
}

}  // namespace

template <class T>
void read_values(const InputDataset& dataset, const std::string& name, T* to) {
    const hid_t type = std::is_same_v<T, float> ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    try {
        if (H5Dread(dataset.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
            throw std::runtime_error(reading_failure(dataset.id));
        check_finite(dataset, name, to);
    } catch (const UsageError&) {
        throw;
    } catch (const std::exception& error) {
        throw UsageError(fmt::format("/{} cannot be read ({})", name, error.what()));
    }
}

template void read_values(const InputDataset& dataset, const std::string& name, float* to);
template void read_values(const InputDataset& dataset, const std::string& name, double* to);

}  // namespace gridmark::harness

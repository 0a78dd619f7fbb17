#include "harness/fields/hdf5_records.hpp"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace gridmark::harness {
namespace {

// Of HDF5's oldest form, the default: files of later forms are marked while they are written, and a killed
// program leaves the mark, for which HDF5 then refuses them.
Handle create_file(const std::filesystem::path& path) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    check(H5Pset_file_locking(access, false, true));  // its lock would keep readers out until the end
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
}

hid_t type_of(Number number) {
    switch (number) {
        case Number::float32:
            return H5T_NATIVE_FLOAT;
        case Number::float64:
            return H5T_NATIVE_DOUBLE;
        case Number::int64:
            return H5T_NATIVE_INT64;
    }
    throw std::logic_error("no such number");
}

/// What a record reads as that was never written.
void set_unwritten(hid_t creation, Number number) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::int64_t none = -1;
    if (number == Number::int64)
        check(H5Pset_fill_value(creation, H5T_NATIVE_INT64, &none));
    else
        check(H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &nan));
}

}  // namespace

Hdf5Records::Hdf5Records(const std::filesystem::path& path) : file_(create_file(path)) {}

void Hdf5Records::begin(const std::string& name, Number number, const std::vector<std::size_t>& sizes) {
    if (sizes.empty()) throw std::logic_error(fmt::format("recorded {}: no sizes", name));
    if (datasets_.contains(name)) throw std::logic_error(fmt::format("recorded {}: begun twice", name));
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    check(H5Pset_create_intermediate_group(links, 1));
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    // Where the values lie is settled now: what says so in the file changes no more.
    check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
    set_unwritten(creation, number);
    std::vector<hsize_t> extent(sizes.begin(), sizes.end());
    const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
    Handle id(H5Dcreate2(file_, name.c_str(), type_of(number), space, links, creation, H5P_DEFAULT),
              H5Dclose);
    flush();
    datasets_.emplace(name, Dataset{std::move(id), number, std::move(extent)});
}

void Hdf5Records::write(const std::string& name, std::size_t index, const Recorder::Values& values) {
    const auto found = datasets_.find(name);
    if (found == datasets_.end()) throw std::logic_error(fmt::format("recorded {}: never begun", name));
    const auto& [id, number, sizes] = found->second;
    std::vector<hsize_t> record = sizes, from(sizes.size(), 0);
    record[0] = 1;
    from[0] = index;
    const auto wanted = std::accumulate(record.begin(), record.end(), hsize_t{1}, std::multiplies<>());
    std::visit(
        [&, &id = id, &number = number, &sizes = sizes]<class T>(std::span<const T> given) {
            if (number_of<T>() != number || given.size() != wanted || index >= sizes[0])
                throw std::logic_error(fmt::format("recorded {}[{}]: no such record", name, index));
            const Handle here(H5Screate_simple(1, &wanted, nullptr), H5Sclose);
            const Handle there(H5Dget_space(id), H5Sclose);
            check(H5Sselect_hyperslab(there, H5S_SELECT_SET, from.data(), nullptr, record.data(), nullptr));
            check(H5Dwrite(id, type_of(number), here, there, H5P_DEFAULT, given.data()));
        },
        values);
    flush();
}

void Hdf5Records::flush() {
    check(H5Fflush(file_, H5F_SCOPE_LOCAL));
}

}  // namespace gridmark::harness

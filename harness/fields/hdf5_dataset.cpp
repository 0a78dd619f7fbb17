#include "harness/fields/hdf5_dataset.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using Names = std::vector<std::string>;

herr_t collect_dataset(hid_t group, const char* name, const H5L_info_t* link, void* to) {
    constexpr std::size_t most = 12;  // a line's worth
    H5O_info_t object;
    if (link->type != H5L_TYPE_HARD ||
        H5Oget_info_by_name2(group, name, &object, H5O_INFO_BASIC, H5P_DEFAULT) < 0 ||
        object.type != H5O_TYPE_DATASET)
        return 0;
    auto& names = *static_cast<Names*>(to);
    names.push_back(names.size() < most ? printable("/" + std::string(name)) : "...");
    return names.size() > most ? 1 : 0;
}

/// The datasets at the file's root, in words.
std::string datasets_of(hid_t file) {
    Names names;
    check(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_dataset, &names));
    return names.empty() ? "no dataset" : fmt::format("{}", fmt::join(names, ", "));
}

/// Throws unless the name leads to an object of this file.
void check_link(hid_t file, const std::string& name) {
    if (!has_link(file, name))
        throw UsageError(
            fmt::format("there is no /{}; at its root the file has {}", name, datasets_of(file)));
    H5L_info_t link;
    check(H5Lget_info(file, name.c_str(), &link, H5P_DEFAULT));
    if (link.type == H5L_TYPE_SOFT && H5Oexists_by_name(file, name.c_str(), H5P_DEFAULT) <= 0)
        throw UsageError(fmt::format("/{} is a soft link that leads to nothing in this file", name));
    if (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT)
        throw UsageError(fmt::format("/{} is a link to another file, which is not followed", name));
}

void check_kind(hid_t file, const std::string& name) {
    H5O_info_t object;
    check(H5Oget_info_by_name2(file, name.c_str(), &object, H5O_INFO_BASIC, H5P_DEFAULT));
    if (object.type != H5O_TYPE_DATASET)
        throw UsageError(fmt::format("/{} is {}, not a dataset", name,
                                     object.type == H5O_TYPE_GROUP ? "a group" : "a named type"));
}

void check_type(hid_t dataset, const std::string& name) {
    const Handle type(H5Dget_type(dataset), H5Tclose);
    const auto words = [&] {
        switch (H5Tget_class(type)) {
            case H5T_INTEGER:
            case H5T_FLOAT:
                return "";
            case H5T_STRING:
                return "strings";
            case H5T_COMPOUND:
                return "compounds";
            case H5T_ENUM:
                return "booleans or other enumerated values";
            case H5T_ARRAY:
                return "arrays";
            default:
                return "no numbers";
        }
    }();
    if (*words != '\0')
        throw UsageError(
            fmt::format("/{} holds {}; integers or floating-point numbers are needed", name, words));
}

std::vector<std::size_t> sizes_of(hid_t dataset, const std::string& name, int rank) {
    const Handle space(H5Dget_space(dataset), H5Sclose);
    if (H5Sget_simple_extent_type(space) == H5S_NULL) throw UsageError(fmt::format("/{} is empty", name));
    hsize_t sizes[H5S_MAX_RANK];
    const int found = H5Sget_simple_extent_dims(space, sizes, nullptr);
    check(found);
    if (found != rank)
        throw UsageError(
            fmt::format("/{} has {} dimension{}, {} are needed", name, found, found == 1 ? "" : "s", rank));
    return {sizes, sizes + found};
}

std::size_t product(const std::vector<std::size_t>& sizes, const std::string& name) {
    std::size_t values = 1;
    for (const std::size_t size : sizes) {
        if (size == 0)
            throw UsageError(
                fmt::format("/{} has the sizes [{}]: none may be 0", name, fmt::join(sizes, ",")));
        if (__builtin_mul_overflow(values, size, &values))
            throw UsageError(
                fmt::format("/{} has the sizes [{}]: no machine holds that", name, fmt::join(sizes, ",")));
    }
    return values;
}

}  // namespace

void forget_external_links() {
    check(H5Lunregister(H5L_TYPE_EXTERNAL));
}

bool has_link(hid_t file, const std::string& name) try {
    // Group by group: H5Lexists fails, and does not deny, where one on the way is not there.
    std::size_t end = 0;
    do {
        end = name.find('/', end + 1);
        const htri_t exists = H5Lexists(file, name.substr(0, end).c_str(), H5P_DEFAULT);
        check(exists);
        if (exists == 0) return false;
    } while (end != std::string::npos);
    return true;
} catch (const std::exception& error) {
    throw UsageError(fmt::format("/{} cannot be read ({})", name, error.what()));
}

InputDataset open_dataset(hid_t file, const std::string& name, int rank) {
    try {
        check_link(file, name);
        check_kind(file, name);
        Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
        check_type(dataset, name);
        check_storage(dataset, name);
        std::vector<std::size_t> sizes = sizes_of(dataset, name, rank);
        const std::size_t values = product(sizes, name);
        const std::size_t buffers = chunk_buffers(dataset, sizes);
        return {std::move(dataset), std::move(sizes), values, buffers};
    } catch (const UsageError&) {
        throw;
    } catch (const std::exception& error) {
        throw UsageError(fmt::format("/{} cannot be read ({})", name, error.what()));
    }
}

void check_storage(hid_t dataset, const std::string& name) {
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    if (H5Pget_layout(creation) == H5D_VIRTUAL || H5Pget_external_count(creation) != 0)
        throw UsageError(fmt::format("/{} keeps its values in other files, which are not read", name));
}

// A decoder's output grows by doubling, with an old and a new buffer side by side for a moment, and each
// chunk of a selection costs nearly 4 KiB.
std::size_t chunk_buffers(hid_t dataset, const std::vector<std::size_t>& sizes) {
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    if (H5Pget_layout(creation) != H5D_CHUNKED) return 0;
    std::array<hsize_t, H5S_MAX_RANK> chunk;
    chunk.fill(1);  // for dimensions that a damaged file lacks
    check(H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data()));
    const Handle type(H5Dget_type(dataset), H5Tclose);
    double bytes = 4.0 * static_cast<double>(H5Tget_size(type)), count = 4096;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        bytes *= static_cast<double>(chunk[i]);
        count *= std::ceil(static_cast<double>(sizes[i]) / static_cast<double>(chunk[i]));
    }
    constexpr double most = 0x1p60;  // more than there is, and can be added to
    return static_cast<std::size_t>(bytes + count < most ? bytes + count : most);
}

std::string reading_failure(hid_t dataset) {
    std::string reason = hdf5_reason();  // before other calls clear it
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
        unsigned flags = 0, configuration = 0;
        std::size_t values = 0;
        char name[64] = "";
        const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values,
                                                   nullptr, sizeof name, name, &configuration);
        if (filter >= 0 && H5Zfilter_avail(filter) <= 0)
            return printable(fmt::format("its filter {}{}{} is not available", filter, *name ? " " : "",
                                         std::string(name, ::strnlen(name, sizeof name))));
    }
    return reason;
}

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

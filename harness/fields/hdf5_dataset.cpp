#include "harness/fields/hdf5_dataset.hpp"

#include <fmt/format.h>

#include "harness/fields/hdf5_storage.hpp"
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

}  // namespace gridmark::harness

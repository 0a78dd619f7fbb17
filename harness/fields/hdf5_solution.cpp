#include "harness/fields/hdf5_solution.hpp"

namespace gridmark::harness {
namespace {

hid_t type_of(float) {
    return H5T_NATIVE_FLOAT;
}
hid_t type_of(double) {
    return H5T_NATIVE_DOUBLE;
}
hid_t type_of(std::uint8_t) {
    return H5T_NATIVE_UINT8;
}

void write_field(hid_t file, const Field& field) {
    const std::vector<hsize_t> sizes(field.sizes.begin(), field.sizes.end());
    const Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
    std::visit(
        [&](const auto& values) {
            const hid_t type = type_of(values.front());
            const Handle set(
                H5Dcreate2(file, field.name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                H5Dclose);
            check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
        },
        field.values);
}

void write_attribute(hid_t group, const std::string& name, hid_t type, const void* value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(attribute, type, value));
}

void write_parameter(hid_t group, const std::string& name, const nlohmann::json& value) {
    if (value.is_string()) {
        const auto text = value.get<std::string>();
        const char* characters = text.c_str();
        const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
        check(H5Tset_size(type, H5T_VARIABLE));
        check(H5Tset_cset(type, H5T_CSET_UTF8));
        write_attribute(group, name, type, &characters);
    } else if (value.is_number_integer()) {
        const auto number = value.get<std::int64_t>();
        write_attribute(group, name, H5T_NATIVE_INT64, &number);
    } else {
        const auto number = value.get<double>();
        write_attribute(group, name, H5T_NATIVE_DOUBLE, &number);
    }
}

}  // namespace

void write_solution(hid_t file, const Solution& solution) {
    for (const Field& field : solution.fields)
        write_field(file, field);
    const Handle group(H5Gcreate2(file, "parameters", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    for (const auto& [name, value] : solution.parameters.items())
        write_parameter(group, name, value);
}

}  // namespace gridmark::harness

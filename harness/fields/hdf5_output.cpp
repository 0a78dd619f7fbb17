#include "harness/fields/hdf5_output.hpp"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "harness/fields/hdf5_handle.hpp"
#include "harness/os/output.hpp"

namespace gridmark::harness {

/// A new HDF5 file that takes records. Writing one changes its values alone, so that a program may be killed
/// at any moment of it and the file stays whole. Beginning a dataset, or adding a solution at the end,
/// also changes what says where the others lie: a kill within that moment may cost them.
class Hdf5Records {
  public:
    /// Replaces what was at the path. Throws std::runtime_error.
    explicit Hdf5Records(const std::filesystem::path& path);

    hid_t file() const { return file_; }
    /// As Recorder's; they throw std::runtime_error where HDF5 fails.
    void begin(const std::string& name, Number number, const std::vector<std::size_t>& sizes);
    void write(const std::string& name, std::size_t index, const Recorder::Values& values);
    /// Everything reaches the file. Throws std::runtime_error.
    void flush();

  private:
    struct Dataset {
        Handle id;
        Number number;
        std::vector<hsize_t> sizes;
    };

    Handle file_;
    std::map<std::string, Dataset> datasets_;  // after the file: they close before it
};

namespace {

// Of HDF5's oldest form, the default: files of later forms are marked while they are written, and a killed
// program leaves the mark, for which HDF5 then refuses them.
Handle create_file(const std::filesystem::path& path) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    // Its lock would keep readers out until the end.
#if H5_VERSION_GE(1, 10, 7)
    check(H5Pset_file_locking(access, false, true));
#else
    check(::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1));
#endif
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

namespace {

/// Does what may fail for the file's sake. What is a study's mistake stays one.
template <class Action>
void attempt(const std::filesystem::path& path, Action action) {
    try {
        action();
    } catch (const std::logic_error&) {
        throw;
    } catch (const std::exception& error) {
        throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), error.what()));
    }
}

}  // namespace

Hdf5Output::Hdf5Output(std::filesystem::path path) : path_(std::move(path)) {
    check_output(path_, "--out");
    H5dont_atexit();  // what could not be written would be written again when the program ends, and crash
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // one line of ours instead of its stack of errors
}

Hdf5Output::~Hdf5Output() = default;

void Hdf5Output::open() {
    if (records_) return;
    auto out = std::make_unique<OutputFile>(path_);
    attempt(path_, [&] { records_ = std::make_unique<Hdf5Records>(out->partial()); });
    file_ = std::move(out);
}

void Hdf5Output::begin(const std::string& name, Number number, const std::vector<std::size_t>& sizes) {
    open();
    attempt(path_, [&] { records_->begin(name, number, sizes); });
}

void Hdf5Output::write(const std::string& name, std::size_t index, Values values) {
    open();
    attempt(path_, [&] { records_->write(name, index, values); });
}

void Hdf5Output::finish(const Solution& solution) {
    open();
    attempt(path_, [&] {
        write_solution(records_->file(), solution);
        records_->flush();
    });
    records_.reset();
    file_->put_in_place();
}

}  // namespace gridmark::harness

#include "harness/fields/hdf5_output.hpp"

#include <stdexcept>

#include "harness/fields/hdf5_records.hpp"
#include "harness/fields/hdf5_solution.hpp"
#include "harness/fields/partial_file.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

/// Does what may fail for the file's sake. What is a study's mistake stays one.
template <class Action>
void attempt(const std::filesystem::path& path, Action action) {
    try {
        action();
    } catch (const UsageError&) {
        throw;
    } catch (const std::logic_error&) {
        throw;
    } catch (const std::exception&) {
        throw UsageError("--out: cannot write " + path.string());
    }
}

}  // namespace

Hdf5Output::Hdf5Output(std::filesystem::path path) : path_(std::move(path)) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // one line of ours instead of its stack of errors
}

Hdf5Output::~Hdf5Output() = default;

void Hdf5Output::open() {
    if (records_) return;
    auto partial = std::make_unique<PartialFile>(path_);
    records_ = std::make_unique<Hdf5Records>(partial->path());
    partial_ = std::move(partial);
}

void Hdf5Output::begin(const std::string& name, Number number, const std::vector<std::size_t>& sizes) {
    attempt(path_, [&] {
        open();
        records_->begin(name, number, sizes);
    });
}

void Hdf5Output::write(const std::string& name, std::size_t index, Values values) {
    attempt(path_, [&] {
        open();
        records_->write(name, index, values);
    });
}

void Hdf5Output::finish(const Solution& solution) {
    attempt(path_, [&] {
        open();
        write_solution(records_->file(), solution);
        records_->flush();
        records_.reset();
        partial_->put_in_place();
    });
}

}  // namespace gridmark::harness

#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

namespace gridmark::harness {

/// What HDF5 complained of most specifically in the last call, one line without control characters.
std::string hdf5_reason();

/// An HDF5 identifier that closes itself; negative ones throw std::runtime_error with HDF5's reason.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t));
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&&) = delete;
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// Throws std::runtime_error with HDF5's reason when a call failed (a negative status).
void check(herr_t status);

/// Text from a file, fit for a line of an error: control characters become '?', and long text is cut.
std::string printable(std::string text);

}  // namespace gridmark::harness

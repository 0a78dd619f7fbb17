#pragma once

#include "kernels/launch/device.hpp"
#include "kernels/maxwell/solver.hpp"
#include "kernels/maxwell/stored.hpp"
#include "kernels/storage.hpp"

namespace gridmark::maxwell {

/// Six components on a device, 0 at first.
template <class T>
class DeviceFields {
  public:
    DeviceFields() = default;
    DeviceFields(launch::Device& device, const Layout& layout)
        : device_(&device), layout_(layout), padded_(layout.plane()) {
        for (launch::Buffer<T>& field : fields_) {
            field = launch::Buffer<T>(device, layout.size());
            device.fill_bytes(field.data(), 0, layout.size() * sizeof(T));
        }
    }

    void enter(Planes<T>& e, Planes<T>& h) {
        for (int c = 0; c < components; ++c)
            (c < 3 ? e : h).data[c % 3] = fields_[c].data();
    }
    void set_plane(int component, int x, const T* values) {
        store_plane(layout_, values, padded_.data());
        device_->upload(fields_[component].data() + x * layout_.plane(), padded_.data(),
                        padded_.size() * sizeof(T));
    }
    /// A plane of fields on the same device.
    void copy_plane(int component, int x, const DeviceFields& from) {
        const std::size_t at = x * layout_.plane();
        device_->copy(fields_[component].data() + at, from.fields_[component].data() + at,
                      layout_.plane() * sizeof(T));
    }
    void get_plane(int component, int x, T* values) const {
        device_->download(padded_.data(), fields_[component].data() + x * layout_.plane(),
                          padded_.size() * sizeof(T));
        load_plane(layout_, padded_.data(), values);
    }
    T value(int component, int x, int y, int z) const {
        T value;
        device_->download(
            &value,
            fields_[component].data() + x * layout_.plane() + static_cast<std::size_t>(y) * layout_.pitch + z,
            sizeof value);
        return value;
    }

  private:
    launch::Device* device_ = nullptr;
    Layout layout_{};
    launch::Buffer<T> fields_[components];
    mutable Storage<T> padded_;  ///< a plane on its way: thousands pass
};

}  // namespace gridmark::maxwell

#pragma once

#include <vector>

#include "kernels/launch/device.hpp"
#include "kernels/maxwell/solver.hpp"
#include "kernels/maxwell/stored.hpp"

namespace gridmark::maxwell {

/// Six components on a device, 0 at first.
template <class T>
class DeviceFields {
  public:
    DeviceFields() = default;
    DeviceFields(launch::Device& device, const Layout& layout) : device_(&device), layout_(layout) {
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
        std::vector<T> padded(layout_.plane());
        store_plane(layout_, values, padded.data());
        device_->upload(fields_[component].data() + x * layout_.plane(), padded.data(),
                        padded.size() * sizeof(T));
    }
    void get_plane(int component, int x, T* values) const {
        std::vector<T> padded(layout_.plane());
        device_->download(padded.data(), fields_[component].data() + x * layout_.plane(),
                          padded.size() * sizeof(T));
        load_plane(layout_, padded.data(), values);
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
};

}  // namespace gridmark::maxwell

#pragma once

#include <utility>

#include "kernels/launch/device.hpp"

namespace gridmark::launch {

/// What a kernel gets of a 3-D texture; read it with fetch() (texture_fetch.hpp). On the host `data` is the
/// texture's memory, on a GPU `object` its number.
template <class T>
struct Texture3View {
    unsigned long long object = 0;
    const T* data = nullptr;
    int nx = 0, ny = 0, nz = 0;
};

/// Throws Error unless a texture of these sizes holds so many values.
void check_texture(int nx, int ny, int nz, std::size_t values);

/// A 3-D texture of float or double: point filter, coordinates in points, clamped at the edges. A copy of its
/// source, which may change or go away afterwards. The device must outlive it.
template <class T>
class Texture3 {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a texture here holds words of 4 or 8 bytes");

  public:
    Texture3() = default;
    /// From nx * ny * nz values, x fastest. Throws OutOfMemory, and Error where a side is larger than the
    /// device's textures.
    Texture3(Device& device, const Buffer<T>& values, int nx, int ny, int nz)
        : device_(&device), view_{0, nullptr, nx, ny, nz} {
        check_texture(nx, ny, nz, values.size());
        memory_ = device.make_texture(values.data(), sizeof(T), nx, ny, nz);
        view_.object = memory_.object;
        if (device.executor() == Executor::host) view_.data = static_cast<const T*>(memory_.memory);
    }
    Texture3(Texture3&& other) noexcept { swap(other); }
    Texture3& operator=(Texture3&& other) noexcept {
        Texture3(std::move(other)).swap(*this);
        return *this;
    }
    ~Texture3() {
        if (device_ != nullptr) device_->release_texture(memory_);
    }

    /// For a kernel's parameters.
    const Texture3View<T>& view() const { return view_; }

    void swap(Texture3& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(memory_, other.memory_);
        std::swap(view_, other.view_);
    }

  private:
    Device* device_ = nullptr;
    TextureMemory memory_;
    Texture3View<T> view_;
};

}  // namespace gridmark::launch

#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "kernels/launch/shape.hpp"

namespace gridmark::launch {

class Device;

/// A 3-D texture's storage: CUDA's number of the object (0 on the host) and its memory, which only the device
/// understands. See Texture3 in texture.hpp.
struct TextureMemory {
    unsigned long long object = 0;
    void* memory = nullptr;
};

/// What runs a kernel: a GPU, or the fibers of the host executor (correct, never a timing).
enum class Executor { gpu, host };

/// Where kernels are launched, in order. `handle` is the cudaStream_t on a GPU and null on the host.
struct Stream {
    Device* device = nullptr;
    void* handle = nullptr;
};

/// One GPU, or the host in its place: its memory and its stream.
class Device {
  public:
    virtual ~Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    /// What runs the kernels launched on this device.
    virtual Executor executor() const = 0;
    /// Uninitialised device memory, aligned to 256 bytes; NaN on the host. Throws OutOfMemory.
    virtual void* allocate(std::size_t bytes) = 0;
    /// Gives memory of allocate() back; null is nothing.
    virtual void release(void* memory) noexcept = 0;
    /// Copies from the host to the device, after all that the stream holds; returns when it is done.
    virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
    /// Copies from the device to the host, after all that the stream holds; returns when it is done.
    virtual void download(void* to, const void* from, std::size_t bytes) = 0;
    /// Copies within the device, in the order of the stream.
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    /// Sets every byte, in the order of the stream.
    virtual void fill_bytes(void* memory, unsigned char value, std::size_t bytes) = 0;
    /// A 3-D texture that holds a copy of nx * ny * nz words (x fastest) of 4 or 8 bytes in device memory.
    virtual TextureMemory make_texture(const void* from, std::size_t word, int nx, int ny, int nz) = 0;
    /// Gives a texture of make_texture() back.
    virtual void release_texture(TextureMemory texture) noexcept = 0;
    /// Waits for all that the stream holds; throws Error if a kernel failed.
    virtual void synchronize() = 0;
    /// The device's own stream (on a GPU not the default one, so that a graph can capture it).
    virtual Stream stream() = 0;

    // Further streams, whose work overlaps where it may; OwnedStream (streams.hpp) owns one. The host
    // executor does all work immediately, in the order in which it is put in.

    virtual Stream make_stream() = 0;
    /// Gives a stream of make_stream() back.
    virtual void release_stream(Stream stream) noexcept = 0;
    /// Puts a copy into a stream and returns; the host's memory should be pinned, else the copy may wait.
    virtual void put_upload(Stream stream, void* to, const void* from, std::size_t bytes) = 0;
    virtual void put_download(Stream stream, void* to, const void* from, std::size_t bytes) = 0;
    /// Puts a copy within the device into a stream.
    virtual void put_copy(Stream stream, void* to, const void* from, std::size_t bytes) = 0;
    /// Puts the setting of every byte into a stream.
    virtual void put_fill(Stream stream, void* memory, unsigned char value, std::size_t bytes) = 0;
    /// A event that record() sets after all that a stream holds then; streams and the host can wait for it.
    virtual void* make_event() = 0;
    virtual void release_event(void* event) noexcept = 0;
    virtual void record(void* event, Stream stream) = 0;
    virtual void wait(void* event, Stream stream) = 0;
    virtual void wait(void* event) = 0;
    /// Host memory that the device reads and writes by itself; throws OutOfMemory.
    virtual void* allocate_pinned(std::size_t bytes) = 0;
    virtual void release_pinned(void* memory) noexcept = 0;

  protected:
    Device() = default;
};

/// Throws OutOfMemory for an array that is larger than any memory.
void check_array(std::size_t count, std::size_t element_bytes);
/// Throws Error unless so many elements on the host and on the device can be copied to each other.
void check_copy(std::size_t host, std::size_t device);

/// An array of T in a device's memory. The device must outlive it.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>, "device memory holds plain data only");

  public:
    Buffer() = default;
    /// `count` uninitialised elements.
    Buffer(Device& device, std::size_t count) : device_(&device), count_(count) {
        check_array(count, sizeof(T));
        if (count > 0) data_ = static_cast<T*>(device.allocate(count * sizeof(T)));
    }
    /// A copy of `values`.
    Buffer(Device& device, std::span<const T> values) : Buffer(device, values.size()) { upload(values); }
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer(std::move(other)).swap(*this);
        return *this;
    }
    ~Buffer() {
        if (data_ != nullptr) device_->release(data_);
    }

    /// The address on the device.
    T* data() { return data_; }
    const T* data() const { return data_; }
    /// The number of elements.
    std::size_t size() const { return count_; }

    /// Copies all elements from the host.
    void upload(std::span<const T> from) {
        check_copy(from.size(), count_);
        if (count_ > 0) device_->upload(data_, from.data(), count_ * sizeof(T));
    }
    /// Copies all elements to the host.
    void download(std::span<T> to) const {
        check_copy(to.size(), count_);
        if (count_ > 0) device_->download(to.data(), data_, count_ * sizeof(T));
    }

    void swap(Buffer& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
    }

  private:
    Device* device_ = nullptr;
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace gridmark::launch

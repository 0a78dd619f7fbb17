#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "kernels/launch/make_device.hpp"

namespace gridmark::launch {
namespace executor {
struct Call;
class BlockMemory;
}  // namespace executor

/// The host as a device; see host_device().
class HostDevice : public Device {
  public:
    explicit HostDevice(HostOptions options) : options_(options) {}

    Executor executor() const override { return Executor::host; }
    void* allocate(std::size_t bytes) override;
    void release(void* memory) noexcept override;
    void upload(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
    void download(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
    void copy(void* to, const void* from, std::size_t bytes) override;
    void fill_bytes(void* memory, unsigned char value, std::size_t bytes) override;
    TextureMemory make_texture(const void* from, std::size_t word, int nx, int ny, int nz) override;
    void release_texture(TextureMemory texture) noexcept override { release(texture.memory); }
    void synchronize() override {}  // a launch returns when it is done
    Stream stream() override { return {this, nullptr}; }
    Stream make_stream() override { return stream(); }
    void release_stream(Stream) noexcept override {}
    void put_upload(Stream, void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
    void put_download(Stream, void* to, const void* from, std::size_t bytes) override {
        copy(to, from, bytes);
    }
    void put_copy(Stream, void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
    void put_fill(Stream, void* memory, unsigned char value, std::size_t bytes) override {
        fill_bytes(memory, value, bytes);
    }
    void* make_event() override { return nullptr; }
    void release_event(void*) noexcept override {}
    void record(void*, Stream) override {}
    void wait(void*, Stream) override {}
    void wait(void*) override {}
    void* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
    void release_pinned(void* memory) noexcept override { release(memory); }

    /// Runs a launch of `call`: `run` runs all its blocks. Tests override it, to fail as a GPU does or to put
    /// another kernel in the place of this one.
    virtual void launch(const executor::Call&, const std::function<void()>& run) { run(); }
    /// What stands between blocks that run at once and the memory; null: they see each other's writes at
    /// once. Tests override it.
    virtual executor::BlockMemory* between_blocks() { return nullptr; }
    /// The order of the next launch: under `random` each launch has a seed of its own.
    HostOptions next_options();
    std::uint64_t launches() const { return launches_.load(std::memory_order_relaxed); }
    /// A block has ended, whose threads met so often.
    void met(const Meetings& block);
    /// The most of each since they were taken last.
    Meetings take_meetings();

  private:
    std::mutex met_;
    Meetings meetings_;
    HostOptions options_;
    std::atomic<std::uint64_t> launches_{0};
};

}  // namespace gridmark::launch

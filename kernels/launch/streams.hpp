#pragma once

#include <cstddef>
#include <span>

#include "kernels/launch/device.hpp"

namespace gridmark::launch {

/// A point in a stream's work, for other streams and the host to wait for. May be set again and again.
class Event {
  public:
    explicit Event(Device& device) : device_(device), event_(device.make_event()) {}
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { device_.release_event(event_); }

    /// Sets it after all that the stream holds now.
    void set(Stream stream) { device_.record(event_, stream); }
    /// What is put into the stream from now on waits for it.
    void hold(Stream stream) { device_.wait(event_, stream); }
    /// Returns when it is reached.
    void wait() { device_.wait(event_); }

  private:
    Device& device_;
    void* event_;
};

/// Bytes that copies moved between host and device.
struct Moved {
    std::size_t up = 0, down = 0;
};

/// A stream beside the device's own, with copies that do not wait.
class OwnedStream {
  public:
    explicit OwnedStream(Device& device) : device_(device), stream_(device.make_stream()) {}
    OwnedStream(const OwnedStream&) = delete;
    OwnedStream& operator=(const OwnedStream&) = delete;
    ~OwnedStream() { device_.release_stream(stream_); }

    Stream stream() const { return stream_; }
    template <class T>
    void upload(T* to, std::span<const T> from) {
        if (from.empty()) return;
        device_.put_upload(stream_, to, from.data(), from.size_bytes());
        moved_.up += from.size_bytes();
    }
    template <class T>
    void download(std::span<T> to, const T* from) {
        if (to.empty()) return;
        device_.put_download(stream_, to.data(), from, to.size_bytes());
        moved_.down += to.size_bytes();
    }
    /// Within the device; both may not overlap.
    template <class T>
    void copy(T* to, const T* from, std::size_t count) {
        if (count > 0) device_.put_copy(stream_, to, from, count * sizeof(T));
    }
    /// Zeros.
    template <class T>
    void clear(T* memory, std::size_t count) {
        if (count > 0) device_.put_fill(stream_, memory, 0, count * sizeof(T));
    }

    /// What all copies moved that were put into it so far.
    Moved moved() const { return moved_; }

  private:
    Device& device_;
    Stream stream_;
    Moved moved_;
};

/// A piece's way through a device, and how far it is.
struct Passage {
    Event sent, computed, fetched;

    explicit Passage(Device& device) : sent(device), computed(device), fetched(device) {}

    /// What send(), compute() and fetch() put into these streams: each waits for the one before.
    template <class Send, class Compute, class Fetch>
    void put(Stream up, Stream computing, Stream down, const Send& send, const Compute& compute,
             const Fetch& fetch) {
        send();
        sent.set(up);
        sent.hold(computing);
        compute();
        computed.set(computing);
        computed.hold(down);
        fetch();
        fetched.set(down);
    }
};

/// Calls act(first, place, count) for each part of `count` layers from `first` on that lies in one piece in a
/// ring of so many, where layer 0 lies at `shift`.
template <class Index, class Act>
void for_pieces(Index first, Index count, Index ring, Index shift, const Act& act) {
    while (count > 0) {
        const Index place = (first + shift) % ring, part = count < ring - place ? count : ring - place;
        act(first, place, part);
        first += part;
        count -= part;
    }
}

/// An array in host memory that a device copies from and to by itself; uninitialised.
template <class T>
class Pinned {
  public:
    Pinned(Device& device, std::size_t count) : device_(device), count_(count) {
        check_array(count, sizeof(T));
        if (count > 0) data_ = static_cast<T*>(device.allocate_pinned(count * sizeof(T)));
    }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    ~Pinned() {
        if (data_ != nullptr) device_.release_pinned(data_);
    }
    std::span<T> span() { return {data_, count_}; }
    std::span<const T> span() const { return {data_, count_}; }

  private:
    Device& device_;
    T* data_ = nullptr;
    std::size_t count_;
};

}  // namespace gridmark::launch

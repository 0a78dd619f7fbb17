#pragma once

#include <deque>
#include <functional>
#include <set>
#include <utility>

#include "kernels/launch/host_device.hpp"

namespace gridmark::tests {

/// The host as a device that does everything as late as it may: whatever is in a stream is done only when
/// somebody waits for it. Some streams may be as early as they may be instead.
/// Streams are queues of copies, events and whatever else is put in.
class LateDevice final : public launch::HostDevice {
  public:
    /// Bit i: whether the stream made i-th does things early.
    explicit LateDevice(unsigned early) : HostDevice({}), is_early_(early) {}

    launch::Stream make_stream() override {
        auto* const stream = new Pending;
        stream->early = &early_;
        if (is_early_ >> made_++ & 1) early_.insert(stream);
        return {this, stream};
    }
    void release_stream(launch::Stream stream) noexcept override {
        early_.erase(of(stream));
        delete of(stream);
    }
    void put_upload(launch::Stream stream, void* to, const void* from, std::size_t bytes) override {
        put(stream, [=, this] { HostDevice::copy(to, from, bytes); });
    }
    void put_download(launch::Stream stream, void* to, const void* from, std::size_t bytes) override {
        put(stream, [=, this] { HostDevice::copy(to, from, bytes); });
    }
    void put_copy(launch::Stream stream, void* to, const void* from, std::size_t bytes) override {
        put(stream, [=, this] { HostDevice::copy(to, from, bytes); });
    }
    void* make_event() override { return new Recorded; }
    void release_event(void* event) noexcept override { delete static_cast<Recorded*>(event); }
    void record(void* event, launch::Stream stream) override {
        auto* const m = static_cast<Recorded*>(event);
        m->stream = of(stream);
        m->position = of(stream)->put;
    }
    void wait(void* event, launch::Stream stream) override {
        const Recorded m = *static_cast<Recorded*>(event);
        of(stream)->work.push_back({[m] { m.reach(); }, m});
        ++of(stream)->put;
    }
    void wait(void* event) override { static_cast<Recorded*>(event)->reach(); }

    static void put(launch::Stream stream, std::function<void()> work) {
        of(stream)->work.push_back({std::move(work), {}});
        ++of(stream)->put;
        of(stream)->catch_up();
    }

  private:
    struct Pending;
    struct Recorded {
        Pending* stream = nullptr;
        long position = 0;
        void reach() const {
            if (stream != nullptr) stream->reach(position);
        }
        bool is_reached() const { return stream == nullptr || stream->done >= position; }
    };
    /// Something to do, perhaps not before an event.
    struct Work {
        std::function<void()> act;
        Recorded behind;
    };
    struct Pending {
        std::deque<Work> work;
        long put = 0, done = 0;
        bool is_busy = false;
        std::set<Pending*>* early = nullptr;
        void reach(long position) {
            while (done < position) {
                const auto next = std::move(work.front());
                work.pop_front();
                is_busy = true;
                next.act();
                is_busy = false;
                ++done;
                catch_up();
            }
        }
        /// Lets early streams do what need not wait any more.
        void catch_up() const {
            for (Pending* const stream : *early)
                while (!stream->is_busy && !stream->work.empty() && stream->work.front().behind.is_reached())
                    stream->reach(stream->done + 1);
        }
    };
    const unsigned is_early_;
    int made_ = 0;
    std::set<Pending*> early_;
    static Pending* of(launch::Stream stream) { return static_cast<Pending*>(stream.handle); }
};

}  // namespace gridmark::tests

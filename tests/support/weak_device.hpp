#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "kernels/launch/host_block.hpp"
#include "kernels/launch/host_random.hpp"
#include "tests/support/tracking_device.hpp"

namespace gridmark::tests {

/// The host in place of a machine whose memory keeps no order, such as an ARM processor or a GPU: what a
/// block writes, other blocks see later, one 8-byte word before another whatever the order of the stores, and
/// they may go on reading what they have read. Only a release sends all that its block wrote on its way ahead
/// of the flag, and only an acquire shows all that has arrived.
///
/// Every block that may wait for others has a view of the device's memory, which stands there during its
/// turns. What it changes goes to a common memory at random, and what others changed comes from there to its
/// view at random. Threads of a block share its view: barriers order them, and ThreadSanitizer judges those.
/// It would take the views for races; so no test with this device runs under it.
class WeakDevice final : public TrackingDevice, launch::executor::BlockMemory {
  public:
    explicit WeakDevice(launch::HostOptions options) : TrackingDevice(options), random_(options.seed) {}

    void launch(const launch::executor::Call&, const std::function<void()>& run) override {
        common_ = start_ = in_memory();
        try {
            run();
        } catch (...) {
            finish();
            throw;
        }
        finish();
    }
    launch::executor::BlockMemory* between_blocks() override { return this; }

    /// Words that arrived later than they were written, so far: none means that nothing was tested.
    std::uint64_t late() const { return late_; }

  private:
    using Block = launch::executor::Block;
    using Image = std::vector<std::uint64_t>;  ///< of all arrays, each from a word of its own

    struct View {
        Image seen;
        Image own;                ///< the bits of `seen` that the block wrote and the common memory lacks
        std::uint64_t fresh = 0;  ///< the common memory's version that it holds
    };
    enum class Share { some, all };

    void enter(const Block& block) override {
        if (!views_.contains(&block)) views_[&block] = {start_, Image(start_.size())};
        View& view = views_[&block];
        refresh(view, Share::some);
        put_in_memory(view.seen);
    }
    void leave(const Block& block, bool ended) override {
        View& view = views_[&block];
        collect(view);
        publish(view, ended ? Share::all : Share::some);
        if (ended) views_.erase(&block);
        changed_ = true;
    }
    void order(const Block& block, std::memory_order order) override {
        View& view = views_[&block];
        const bool both = order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
        if (both || order == std::memory_order_release) {
            collect(view);
            publish(view, Share::all);
        }
        if ((both || order == std::memory_order_acquire) && view.fresh != version_) {
            collect(view);
            refresh(view, Share::all);
            put_in_memory(view.seen);
        }
    }
    bool is_late() const override {
        for (const auto& [block, view] : views_)
            for (std::size_t i = 0; i < common_.size(); ++i)
                if (view.own[i] != 0 || view.seen[i] != common_[i]) return true;
        return false;
    }
    void finish() {
        if (changed_) put_in_memory(common_);
        changed_ = false;
        views_.clear();
    }

    bool takes(Share share) {
        const bool taken = share == Share::all || (random_() & 1u) != 0;
        late_ += taken ? 0 : 1;
        return taken;
    }
    /// What the block changed since its view was put into memory.
    void collect(View& view) {
        const Image now = in_memory();
        for (std::size_t i = 0; i < now.size(); ++i)
            for (std::uint64_t byte = 0xff; now[i] != view.seen[i] && byte != 0; byte <<= 8)
                if (((now[i] ^ view.seen[i]) & byte) != 0) view.own[i] |= byte;
        view.seen = now;
    }
    void publish(View& view, Share share) {
        for (std::size_t i = 0; i < common_.size(); ++i) {
            std::uint64_t& own = view.own[i];
            if (own == 0 || !takes(share)) continue;
            common_[i] = (common_[i] & ~own) | (view.seen[i] & own);
            own = 0;
            ++version_;
        }
    }
    void refresh(View& view, Share share) {
        if (view.fresh == version_) return;
        view.fresh = version_;
        for (std::size_t i = 0; i < common_.size(); ++i) {
            const std::uint64_t others = (common_[i] ^ view.seen[i]) & ~view.own[i];
            if (others == 0) continue;
            if (takes(share))
                view.seen[i] ^= others;
            else
                view.fresh = version_ - 1;
        }
    }

    template <class Copy>
    void for_each_array(Copy copy) const {
        std::size_t word = 0;
        for (const auto& [at, bytes] : arrays_) {
            copy(at, bytes, word);
            word += (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
        }
    }
    Image in_memory() const {
        Image image;
        for_each_array([&](const std::byte* at, std::size_t bytes, std::size_t word) {
            image.resize(word + (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
            std::memcpy(image.data() + word, at, bytes);
        });
        return image;
    }
    void put_in_memory(const Image& image) const {
        for_each_array([&](std::byte* at, std::size_t bytes, std::size_t word) {
            std::memcpy(at, image.data() + word, bytes);
        });
    }

    launch::executor::Random random_;
    Image start_, common_;
    std::uint64_t version_ = 0;  ///< of the common memory
    std::map<const Block*, View> views_;
    std::uint64_t late_ = 0;
    bool changed_ = false;  ///< since the launch began, by blocks that may wait
};

}  // namespace gridmark::tests

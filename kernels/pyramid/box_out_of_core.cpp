#include "kernels/pyramid/box_out_of_core.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace gridmark::pyramid {

Skew skew_for(const Box& box, int height, std::size_t reach, std::size_t device_values) {
    if (box.size() <= device_values) return {box.nz, height, reach, true};
    if (box.dimensions == 2)
        throw std::invalid_argument("device_values " + std::to_string(device_values) +
                                    " do not hold the layer: two dimensions take " +
                                    std::to_string(box.size()));
    const auto left_behind = static_cast<std::size_t>(height) * (reach + 1);
    const std::size_t layers = device_values / box.layer();
    if (layers < left_behind + 3)
        throw std::invalid_argument("device_values " + std::to_string(device_values) +
                                    " hold no slab: " + std::to_string(height) + " steps that reach " +
                                    std::to_string(reach) + " layers each need at least " +
                                    std::to_string((left_behind + 3) * box.layer()));
    return {(layers - left_behind) / 3, height, reach};
}

namespace {

using Place = std::ptrdiff_t;

/// Layers begin ... end - 1, of those that there are.
struct Range {
    Place begin, end;

    static Range within(Place begin, Place end, std::size_t nz) {
        const auto clipped = [&](Place z) { return std::clamp(z, Place{0}, static_cast<Place>(nz)); };
        return {clipped(begin), clipped(end)};
    }
    std::size_t count() const { return static_cast<std::size_t>(std::max(Place{0}, end - begin)); }
    Layers layers() const { return {static_cast<std::size_t>(begin), count()}; }
};

template <class T>
class Skewed final : public SkewedBox<T> {
  public:
    Skewed(launch::Device& device, const BoxKernels<T>& kernels, const Box& box, const AxisSolve<T>& sweep,
           const Skew& skew, T* memory)
        : box_(box),
          sweep_(sweep),
          skew_(skew),
          kernels_(kernels),
          ring_{memory, box.nx, box.ny, skew.ring(box)},
          recurrences_(memory + ring_.layers * box.layer()),
          up_(device),
          compute_(device),
          down_(device),
          slots_{launch::Passage(device), launch::Passage(device), launch::Passage(device)} {}

    void pass(std::span<T> u, int steps) override {
        const std::size_t slabs = skew_.slabs(box_);
        for (std::size_t k = 0; k < slabs; ++k) {
            launch::Passage& slot = slots_[k % slots_.size()];
            // Its part of the ring is that of the slab three before, which must have been fetched.
            if (k >= slots_.size()) slot.fetched.hold(up_.stream());
            slot.put(
                up_.stream(), compute_.stream(), down_.stream(),
                [&] {
                    for_pieces(slab(k, 0), u, [&](T* on_device, std::span<T> on_host) {
                        up_.upload(on_device, std::span<const T>(on_host));
                    });
                },
                [&] {
                    for (int t = 0; t < steps; ++t)
                        step(k, t);
                },
                [&] {
                    for_pieces(slab(k, steps), u, [&](T* on_device, std::span<T> on_host) {
                        down_.download(on_host, static_cast<const T*>(on_device));
                    });
                });
        }
        slots_[(slabs - 1) % slots_.size()].fetched.wait();
    }

    launch::Moved moved() const override { return {up_.moved().up, down_.moved().down}; }

  private:
    /// Slab k's layers after t steps.
    Range slab(std::size_t k, int t) const {
        if (skew_.is_whole) return {0, static_cast<Place>(box_.nz)};
        const auto depth = static_cast<Place>(skew_.depth), lower = t * static_cast<Place>(skew_.reach),
                   begin = static_cast<Place>(k) * depth - lower;
        return Range::within(begin, begin + depth, box_.nz);
    }

    void step(std::size_t k, int t) {
        const Range now = slab(k, t), next = slab(k, t + 1);
        if (now.count() > 0) {
            kernels_.sweep_x(compute_.stream(), sweep_, ring_, now.layers());
            kernels_.sweep_y(compute_.stream(), sweep_, ring_, now.layers());
        }
        if (next.count() == 0 || box_.dimensions == 2) return;
        const Range ahead = skew_.is_whole ? Range{0, 0} : Range{next.end, now.end};
        T* const recurrence = recurrences_ + static_cast<std::size_t>(t) * box_.layer();
        const bool is_last = next.end == static_cast<Place>(box_.nz);
        kernels_.sweep_z(compute_.stream(), sweep_, ring_,
                         {next.layers(), ahead.count(), next.begin == 0 ? nullptr : recurrence,
                          is_last ? nullptr : recurrence});
    }

    /// copy(on the device, on the host) of the parts in which layers lie in the ring.
    template <class Copy>
    void for_pieces(Range range, std::span<T> u, const Copy& copy) {
        const std::size_t layer = box_.layer();
        launch::for_pieces(range.layers().begin, range.count(), ring_.layers, std::size_t{0},
                           [&](std::size_t z, std::size_t place, std::size_t count) {
                               copy(ring_.values + place * layer, u.subspan(z * layer, count * layer));
                           });
    }

    Box box_;
    AxisSolve<T> sweep_;
    Skew skew_;
    const BoxKernels<T>& kernels_;
    Ring<T> ring_;
    T* recurrences_;  ///< a layer for each step
    launch::OwnedStream up_, compute_, down_;
    std::array<launch::Passage, 3> slots_;
};

}  // namespace

template <class T>
std::unique_ptr<SkewedBox<T>> skewed_box(launch::Device& device, const BoxKernels<T>& kernels, const Box& box,
                                         const AxisSolve<T>& sweep, const Skew& skew, T* memory) {
    return std::make_unique<Skewed<T>>(device, kernels, box, sweep, skew, memory);
}

template std::unique_ptr<SkewedBox<float>> skewed_box(launch::Device&, const BoxKernels<float>&, const Box&,
                                                      const AxisSolve<float>&, const Skew&, float*);
template std::unique_ptr<SkewedBox<double>> skewed_box(launch::Device&, const BoxKernels<double>&, const Box&,
                                                       const AxisSolve<double>&, const Skew&, double*);

}  // namespace gridmark::pyramid

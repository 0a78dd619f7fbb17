// Many steps a trip through the GPU.
//
// Streamed as published, every half step sends fields and coefficients up and fetches what has changed: 84
// bytes a node over a link that does one for 80 of the GPU's own memory. But a plane that is there can take
// more than one step. What stops a slab from stepping on alone is its edges: a step needs a plane more on
// either side than it makes. Computing these twice would cost as many planes as steps at both edges. A slab
// that moves one plane back with every step (skew.hpp) costs nothing: what it lacks in front the slab before
// has left there, as it was after that very step, for the fields go to and fro between two sets and the slab
// before has gone one plane back, too, before it came to overwrite them.
//
// So planes pass through a window on the device, a ring of planes in each array. They come with their
// coefficients, take `steps` steps one slab at a time, and leave: each goes up once and down once a trip.
// While a slab is computed the next one is on its way up and the last one on its way down, by three streams
// that wait for each other's marks; the host only puts work into them. A trip's first slabs come while the
// last ones of the trip before are computed. With enough steps the link is hidden, and the rate is that of
// the grid in memory.
//
// The single pass brings all that a step needs along: current, ghosts, and the wave, of which the device
// keeps the states of a whole trip; whichever slab comes first to a step makes the wave of the next, and
// those behind it make it again.
#include "kernels/maxwell/skewed.hpp"

#include <deque>

#include "kernels/maxwell/host_solver.hpp"

namespace gridmark::maxwell {
namespace {

using Bytes = std::span<std::byte>;

/// An array of the host's, of which the device holds a ring of planes.
struct Passing {
    std::byte *host, *device;
    std::size_t plane;  ///< bytes
};

/// Calls do(first plane, its place in the ring, planes) for each part of the planes that lies in one piece.
template <class Do>
void for_pieces(const Ring& ring, Slab planes, Do act) {
    while (planes.depth() > 0) {
        const int place = (planes.first + ring.shift) % ring.planes;
        const int count = std::min(planes.depth(), ring.planes - place);
        act(planes.first, place, count);
        planes.first += count;
    }
}

/// The wave at each step of a trip, one state behind the other in a ring.
template <class T>
class WaveStates {
  public:
    WaveStates(launch::Device& device, const Problem& problem, int states)
        : n_(problem.grid.n(2)),
          states_(states),
          values_(device, states * values_of_one()),
          drives_(device, states) {
        Incident<T> incident(problem);
        const Drive drive = incident.drive();
        incident.advance();
        device.upload(values_.data(), incident.wave().e[0], values_of_one() * sizeof(T));
        device.upload(drives_.data(), &drive, sizeof drive);
    }
    Ahead<T> at(long step) {
        const std::size_t slots = n_ + 1;
        const long state = step % states_;
        T* const w = values_.data() + state * values_of_one();
        return {{{w, w + slots}, {w + 2 * slots, w + 3 * slots}, n_}, drives_.data() + state};
    }

  private:
    std::size_t values_of_one() const { return 4 * static_cast<std::size_t>(n_ + 1); }
    int n_, states_;
    launch::Buffer<T> values_;
    launch::Buffer<Drive> drives_;
};

template <class T>
class Skewed final : public StreamedSolver<T> {
  public:
    Skewed(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem,
           const PinnedCoefficients<T>& coefficients, const Skew& skew, int threads)
        : device_(device),
          variant_(variant),
          host_(device, problem, threads),
          skew_(skew),
          ring_(make_ring(host_.arrays().layout, skew.ring)),
          wave_(device, problem, skew.steps + 1),
          up_(device),
          compute_(device),
          down_(device),
          sent_(device),
          advanced_(device) {
        arrays_.layout = host_.arrays().layout;
        arrays_.dct = host_.arrays().dct;
        for (int axis = 0; axis < 3; ++axis) {
            arrays_.half[axis] = keep(host_.spacings()[axis].half.data(), problem.grid.n(axis));
            arrays_.node[axis] = keep(host_.spacings()[axis].node.data(), problem.grid.n(axis));
        }
        for (State& state : states_)
            for (int c = 0; c < components; ++c) {
                T*& field = (c < 3 ? state.e : state.h).data[c % 3];
                field = pass<T>((c < 3 ? host_.arrays().e : host_.arrays().h).data[c % 3], state.fields);
                device.fill_bytes(field, 0, ring_.values * sizeof(T));
            }
        if (variant.by_index)
            enter(coefficients.index());
        else
            enter(coefficients);
        device.synchronize();
    }

    void set_plane(int component, int x, const T* values) override { host_.set_plane(component, x, values); }
    void get_plane(int component, int x, T* values) override { host_.get_plane(component, x, values); }
    T value(int component, int x, int y, int z) override { return host_.value(component, x, y, z); }
    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(arrays_.layout); }

    void steps(int count) override { run(count, true, true); }
    void transfers(int count) override { run(count, true, false); }
    void kernels(int count) override { run(count, false, true); }

  private:
    class Host final : public HostSolver<T> {
      public:
        Host(launch::Device& device, const Problem& problem, int threads)
            : HostSolver<T>(problem, threads), fields_(device, this->arrays_.layout, threads) {
            this->use(fields_.data);
        }
        void steps(int) override {}
        const Arrays<T>& arrays() const { return this->arrays_; }
        const Spacings<T>& spacings() const { return this->spacings_; }

      private:
        PinnedFields<T> fields_;
    };

    /// One of the two sets of fields.
    struct State {
        Planes<T> e, h;
        std::vector<Passing> fields;
    };

    /// A slab on its way down.
    struct Leaving {
        long free;  ///< planes of all trips that nobody needs when it has left
        std::unique_ptr<launch::Mark> fetched;
    };

    /// Memory on the device that holds a copy.
    template <class Value>
    Value* keep(const Value* values, std::size_t count) {
        Value* const kept = allocate<Value>(count);
        device_.upload(kept, values, count * sizeof(Value));
        return kept;
    }
    template <class Value>
    Value* allocate(std::size_t count) {
        memory_.emplace_back(device_, count * sizeof(Value));
        return reinterpret_cast<Value*>(memory_.back().data());
    }
    /// A ring for an array of the host's.
    template <class Value>
    Value* pass(const Value* host, std::vector<Passing>& among) {
        Value* const device = allocate<Value>(ring_.values);
        among.push_back({reinterpret_cast<std::byte*>(const_cast<Value*>(host)),
                         reinterpret_cast<std::byte*>(device), arrays_.layout.plane() * sizeof(Value)});
        return device;
    }
    void enter(const PinnedCoefficients<T>& coefficients) {
        Arrays<T> host{};
        coefficients.enter(host);
        for (int c = 0; c < 3; ++c) {
            arrays_.eps.data[c] = pass<T>(host.eps.data[c], coefficients_);
            arrays_.sigma.data[c] = pass<T>(host.sigma.data[c], coefficients_);
            arrays_.mu.data[c] = pass<T>(host.mu.data[c], coefficients_);
        }
    }
    void enter(const Indexed<T>& host) {
        index_ = host;
        index_.e = pass<std::uint8_t>(host.e, coefficients_);
        index_.h = pass<std::uint8_t>(host.h, coefficients_);
        index_.of_e = keep(host.of_e, host.combinations_e);
        index_.of_h = keep(host.of_h, host.combinations_h);
    }

    void run(int count, bool copies, bool computes) {
        for (int done = 0; done < count; done += skew_.steps)
            trip(skew_.of(std::min(skew_.steps, count - done)), copies, computes);
        if (!leaving_.empty()) leaving_.back().fetched->wait();
        leaving_.clear();
        free_ = first_;
    }

    void trip(const Skew& skew, bool copies, bool computes) {
        ring_.shift = static_cast<int>(first_ % ring_.planes);
        for (int s = 0; s < skew.count(); ++s) {
            wait_for_room(first_ + skew.brought(s).last - ring_.planes);
            if (copies) send(skew, s);
            sent_.set(up_.stream());
            sent_.hold(compute_.stream());
            if (computes) advance(skew, s);
            advanced_.set(compute_.stream());
            advanced_.hold(down_.stream());
            if (copies) fetch(skew, s);
            leaving_.push_back({first_ + skew.free_after(s), std::make_unique<launch::Mark>(device_)});
            leaving_.back().fetched->set(down_.stream());
        }
        first_ += skew.nx + 1;
        if (computes) step_ += skew.steps;
    }

    /// Holds what is sent from now on until the first `planes` planes of all trips are not needed any more.
    void wait_for_room(long planes) {
        if (planes <= free_) return;
        while (leaving_.front().free < planes)
            leaving_.pop_front();
        leaving_.front().fetched->hold(up_.stream());
        free_ = leaving_.front().free;
    }

    /// Fields go into the first set. An odd number of steps ends in the second, which then must have the
    /// slots, too, that no step writes.
    void send(const Skew& skew, int s) {
        const bool both = skew.steps % 2 == 1;
        for (const auto* arrays : {&coefficients_, &states_[0].fields, both ? &states_[1].fields : nullptr})
            for (int k = 0; arrays != nullptr && k < static_cast<int>(arrays->size()); ++k) {
                const Passing& array = (*arrays)[k];
                for_pieces(ring_, skew.brought(s), [&](int x, int place, int count) {
                    up_.upload(array.device + place * array.plane,
                               std::span<const std::byte>(array.host + x * array.plane, count * array.plane));
                });
            }
    }

    void advance(const Skew& skew, int s) {
        for (int k = 0; k < skew.steps; ++k) {
            const Slab planes = skew.stepped(s, k);
            if (planes.depth() == 0) continue;
            const State &now = states_[k % 2], &later = states_[(k + 1) % 2];
            Pass<T> pass{planes,
                         ring_,
                         arrays_,
                         index_,
                         later.e,
                         later.h,
                         wave_.at(step_ + k),
                         wave_.at(step_ + k + 1)};
            pass.now.e = now.e;
            pass.now.h = now.h;
            variant_.step(compute_.stream(), pass);
        }
    }

    void fetch(const Skew& skew, int s) {
        for (const Passing& array : states_[skew.steps % 2].fields)
            for_pieces(ring_, skew.finished(s), [&](int x, int place, int count) {
                down_.download(Bytes(array.host + x * array.plane, count * array.plane),
                               static_cast<const std::byte*>(array.device + place * array.plane));
            });
    }

    launch::Device& device_;
    const GpuVariant<T>& variant_;
    Host host_;
    const Skew skew_;
    Ring ring_;
    WaveStates<T> wave_;
    std::vector<launch::Buffer<std::byte>> memory_;
    Arrays<T> arrays_{};
    Indexed<T> index_{};
    State states_[2];
    std::vector<Passing> coefficients_;
    launch::Queue up_, compute_, down_;
    launch::Mark sent_, advanced_;
    std::deque<Leaving> leaving_;
    long first_ = 0;  ///< number of the trip's first plane among those of all trips
    long free_ = 0;   ///< planes of all trips that nobody needs once the copies up are done
    long step_ = 0;   ///< steps before the trip
};

}  // namespace

template <class T>
Traffic traffic(const Layout& layout, const GpuVariant<T>& variant, const Skew& skew) {
    const double plane = static_cast<double>(layout.size()) / skew.steps;
    const double fields = components * sizeof(T);
    const bool odd = skew.steps % 2 == 1;
    return {plane * ((odd ? 2 : 1) * fields + (variant.by_index ? 2 : 9 * sizeof(T))), plane * fields};
}

template <class T>
std::unique_ptr<StreamedSolver<T>> skewed(launch::Device& device, const GpuVariant<T>& variant,
                                          const Problem& problem, const PinnedCoefficients<T>& coefficients,
                                          const Skew& skew, int threads) {
    return std::make_unique<Skewed<T>>(device, variant, problem, coefficients, skew, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                      \
    template Traffic traffic(const Layout&, const GpuVariant<T>&, const Skew&);                      \
    template std::unique_ptr<StreamedSolver<T>> skewed(launch::Device&, const GpuVariant<T>&,        \
                                                       const Problem&, const PinnedCoefficients<T>&, \
                                                       const Skew&, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell

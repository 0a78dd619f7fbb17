// Several time steps per pass through the GPU, by time skewing (parallelogram tiling).
//
// Streamed as published, every half step sends fields and coefficients up and fetches what has changed. That
// is 84 bytes a node up and 24 down. The link moves one byte while the GPU's own memory moves eighty.
//
// A plane that is on the GPU can take more than one step. What limits a slab is its edges: a step reads one
// plane more on either side than it makes. To make those planes twice would cost as many at both edges as
// there are steps. So a slab moves back by a plane with every step (TimeSkew), and nothing is computed twice.
// In front it reads what the slab before left there, as it was after that very step. This holds because
// fields go to and fro between two sets, and because the slab before has moved back, too.
//
// Planes go through a window on the device, a ring in each array (Window). They come with their coefficients,
// take `steps` steps, and leave: up once and down once per pass. With some fifty steps the link is hidden,
// and the rate is nearly that of a grid that lies on the device.
//
//     steps  \       \       \        each step ends a plane earlier:
//      ^      \ s - 1 \   s   \     slab s takes step 0 on the planes that have just come,
//      |       \       \       \    and the last one as far back as there are steps
//      +-----------------------------> planes
//
// The host puts all of this into four streams: copies up, copies down, and steps of odd and of even slabs. It
// waits for the end only. Events order them. A slab is computed when it has come, and fetched when it is
// computed. A copy up waits until the planes whose place it takes have left and nobody reads them. Step k of
// a slab waits for step k - 1 of the slab before, which has made the plane in front. Behind, nobody reads
// what this step overwrites.
//
// So two slabs are computed at a time: where one's step runs out of blocks, the other's fill the device. The
// first planes of a pass come while the last ones of the pass before are computed.
//
// The single-pass kernel does all else that belongs to a step. The wave's states of a whole pass are kept;
// the slab that has the first plane in a step makes the next state.
#include "kernels/maxwell/time_skewing.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>

#include "kernels/fitting.hpp"
#include "kernels/maxwell/host_solver.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "kernels/maxwell/solver.hpp"
#include "kernels/maxwell/staging.hpp"
#include "kernels/maxwell/whole_step.hpp"

namespace gridmark::maxwell {
namespace {

/// With so many steps per pass the link is hidden, and deeper slabs gain nothing.
constexpr int most_steps = 96, most_depth = 32;

/// Half of a window is for the skew, the other for four slabs.
TimeSkew in_ring(int nx, int ring) {
    const int steps = std::clamp((ring - 1) / 2, 1, most_steps);
    const int even = steps > 1 ? steps / 2 * 2 : 1;
    return {nx, ring, std::clamp((ring - 1 - even) / 4, 1, most_depth), even};
}

}  // namespace

template <class T>
std::size_t device_bytes(const Layout& l, const CoefficientSize& coefficients, const TimeSkew& skew) {
    const std::size_t slot = 2 * components * sizeof(T) + coefficients.per_node;
    const std::size_t spacings = 2 * sizeof(T) * static_cast<std::size_t>(l.n[0] + l.n[1] + l.n[2]);
    const std::size_t wave = 4 * sizeof(T) * static_cast<std::size_t>(l.n[2] + 1) + sizeof(Drive);
    return skew.ring * l.plane() * slot + coefficients.tables + spacings + (skew.steps + 1) * wave;
}

int launches(const TimeSkew& skew) {
    int count = 0;
    for (int s = 0; s < skew.count(); ++s)
        for (int k = 0; k < skew.steps; ++k)
            count += skew.stepped(s, k).depth() > 0 ? 1 : 0;
    return count;
}

TimeSkew least_time_skew(const Layout& layout) {
    return in_ring(layout.n[0], std::min(layout.planes(), roomy_ring(1, 1)));
}

TimeSkew make_time_skew(const Layout& layout, int depth, int steps) {
    if (steps > 1 && steps % 2 != 0)
        throw std::invalid_argument(
            "steps per pass must be even or one: fields go to and fro between two sets");
    const int ring = roomy_ring(depth, steps);
    if (ring > layout.planes())
        throw std::invalid_argument("slabs of " + std::to_string(depth) + " planes and " +
                                    std::to_string(steps) + " steps per pass need " + std::to_string(ring) +
                                    " planes, the grid has " + std::to_string(layout.planes()));
    return {layout.n[0], ring, depth, steps};
}

template <class T>
std::size_t whole_bytes(const Layout& layout, const CoefficientSize& coefficients) {
    return device_bytes<T>(layout, coefficients, in_ring(layout.n[0], layout.planes()));
}

template <class T>
TimeSkew time_skew_for(const Layout& layout, const CoefficientSize& coefficients, std::size_t bytes) {
    const int nx = layout.n[0];
    const auto needs = [&](int ring) { return device_bytes<T>(layout, coefficients, in_ring(nx, ring)); };
    const int least = least_time_skew(layout).ring;
    if (needs(least) > bytes)
        throw std::invalid_argument(std::to_string(bytes) + " bytes on the device cannot hold a window of " +
                                    std::to_string(least) + " planes, which needs " +
                                    std::to_string(needs(least)));
    const int most = std::min(layout.planes(), roomy_ring(most_depth, most_steps));
    return in_ring(nx, largest_that_fits(least, most, [&](int ring) { return needs(ring) <= bytes; }));
}

namespace {

template <class T>
class TimeSkewed final : public StreamedSolver<T> {
  public:
    TimeSkewed(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem,
               const StreamedCoefficients<T>& coefficients, const TimeSkew& skew, int threads)
        : device_(device),
          variant_(variant),
          host_(device, problem, threads),
          skew_(skew),
          window_(device, host_.arrays(), coefficients, skew.ring),
          wave_(device, problem, skew.steps + 1),
          up_(device),
          down_(device),
          sent_(device),
          advanced_(device) {
        for (Lane& lane : lanes_) {
            lane.compute = std::make_unique<launch::OwnedStream>(device);
            for (int k = 0; k < skew.steps; ++k)
                lane.stepped.push_back(std::make_unique<launch::Event>(device));
        }
    }

    void set_plane(int component, int x, const T* values) override { host_.set_plane(component, x, values); }
    void get_plane(int component, int x, T* values) override { host_.get_plane(component, x, values); }
    T value(int component, int x, int y, int z) override { return host_.value(component, x, y, z); }
    std::optional<launch::KernelInfo> kernel_info() const override {
        return variant_.info(host_.arrays().layout);
    }

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

      private:
        StreamedFields<T> fields_;
    };

    /// A stream of steps, for every other slab.
    struct Lane {
        std::unique_ptr<launch::OwnedStream> compute;
        std::vector<std::unique_ptr<launch::Event>> stepped;  ///< by steps
    };

    /// A slab on its way down.
    struct Leaving {
        long free;  ///< planes of all passes that nobody needs when it has left
        std::unique_ptr<launch::Event> fetched;
    };

    void run(int count, bool copies, bool computes) {
        for (int done = 0; done < count; done += skew_.steps)
            pass(skew_.of(std::min(skew_.steps, count - done)), copies, computes);
        if (!leaving_.empty()) leaving_.back().fetched->wait();
        leaving_.clear();
        free_ = first_;
    }

    void pass(const TimeSkew& skew, bool copies, bool computes) {
        // Fields come into the first set. An odd number of steps ends in the second, which then must have the
        // slots, too, that no step writes.
        const bool is_odd = skew.steps % 2 == 1;
        window_.begin_at(first_);
        for (int s = 0; s < skew.count(); ++s) {
            wait_for_room(first_ + skew.brought(s).last - skew.ring);
            if (copies) window_.send(up_, skew.brought(s), is_odd);
            sent_.set(up_.stream());
            const launch::Stream compute = lane_of(slab_).compute->stream();
            sent_.hold(compute);
            if (computes) advance(skew, s);
            advanced_.set(compute);
            advanced_.hold(down_.stream());
            if (copies) window_.fetch(down_, skew.finished(s), is_odd ? 1 : 0);
            leaving_.push_back({first_ + skew.free_after(s), std::make_unique<launch::Event>(device_)});
            leaving_.back().fetched->set(down_.stream());
            ++slab_;
        }
        first_ += skew.nx + 1;
        if (computes) step_ += skew.steps;
    }

    /// Holds what is sent from now on until nobody needs the first `planes` planes of all passes.
    void wait_for_room(long planes) {
        if (planes <= free_) return;
        while (leaving_.front().free < planes)
            leaving_.pop_front();
        leaving_.front().fetched->hold(up_.stream());
        free_ = leaving_.front().free;
    }

    Lane& lane_of(long slab) { return lanes_[slab % 2]; }

    /// The first step of a pass waits for all of the pass before.
    void advance(const TimeSkew& skew, int s) {
        const launch::Stream compute = lane_of(slab_).compute->stream();
        for (int k = 0; k < skew.steps; ++k) {
            if (slab_ > 0 && (s == 0 ? k == 0 : k > 0))
                lane_of(slab_ - 1).stepped[s == 0 ? last_step_ : k - 1]->hold(compute);
            const Slab planes = skew.stepped(s, k);
            if (planes.depth() > 0) step(compute, planes, k);
            lane_of(slab_).stepped[k]->set(compute);
        }
        last_step_ = skew.steps - 1;
    }

    void step(launch::Stream compute, Slab planes, int k) {
        WholeStep<T> step = window_.step(planes, k % 2);
        step.ahead = wave_.at(step_ + k);
        step.further = wave_.at(step_ + k + 1);
        variant_.step(compute, step);
    }

    launch::Device& device_;
    const GpuVariant<T>& variant_;
    Host host_;
    const TimeSkew skew_;
    Window<T> window_;
    WaveStates<T> wave_;
    launch::OwnedStream up_, down_;
    Lane lanes_[2];
    launch::Event sent_, advanced_;
    std::deque<Leaving> leaving_;
    long first_ = 0;  ///< number of the pass's first plane among those of all passes
    long free_ = 0;   ///< planes of all passes that nobody needs once the copies up are done
    long step_ = 0;   ///< steps before the pass
    long slab_ = 0;   ///< slabs of all passes before this one
    int last_step_ = 0;
};

}  // namespace

template <class T>
Traffic traffic(const Layout& layout, const CoefficientSize& coefficients, const TimeSkew& skew) {
    const double plane = static_cast<double>(layout.size()) / skew.steps;
    const double fields = components * sizeof(T);
    const int sets = skew.steps % 2 == 1 ? 2 : 1,
              arrays = coefficients.tables > 0 ? 1 : 9;  // of coefficients
    double sent = 0, fetched = 0;                        // slabs
    for (int s = 0; s < skew.count(); ++s) {
        sent += skew.brought(s).depth() > 0 ? 1 : 0;
        fetched += skew.finished(s).depth() > 0 ? 1 : 0;
    }
    return {plane * (sets * fields + static_cast<double>(coefficients.per_node)), plane * fields,
            sent * (sets * components + arrays) / skew.steps, fetched * components / skew.steps};
}

template <class T>
std::unique_ptr<StreamedSolver<T>> time_skewed(launch::Device& device, const GpuVariant<T>& variant,
                                               const Problem& problem,
                                               const StreamedCoefficients<T>& coefficients,
                                               const TimeSkew& skew, int threads) {
    return std::make_unique<TimeSkewed<T>>(device, variant, problem, coefficients, skew, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                             \
    template std::size_t device_bytes<T>(const Layout&, const CoefficientSize&, const TimeSkew&);           \
    template std::size_t whole_bytes<T>(const Layout&, const CoefficientSize&);                             \
    template TimeSkew time_skew_for<T>(const Layout&, const CoefficientSize&, std::size_t);                 \
    template Traffic traffic<T>(const Layout&, const CoefficientSize&, const TimeSkew&);                    \
    template std::unique_ptr<StreamedSolver<T>> time_skewed(launch::Device&, const GpuVariant<T>&,          \
                                                            const Problem&, const StreamedCoefficients<T>&, \
                                                            const TimeSkew&, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell

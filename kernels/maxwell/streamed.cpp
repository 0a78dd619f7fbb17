#include "kernels/maxwell/streamed.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/fitting.hpp"
#include "kernels/maxwell/host_solver.hpp"

namespace gridmark::maxwell {
namespace {

template <class T>
std::size_t spacing_values(const Layout& l) {
    constexpr std::size_t unit = row_alignment / sizeof(T);
    const std::size_t values = 2 * static_cast<std::size_t>(l.n[0] + l.n[1] + l.n[2]);
    return (values + unit - 1) / unit * unit;
}

template <class T>
class Streamed final : public StreamedSolver<T> {
  public:
    Streamed(launch::Device& device, const GpuVariant<T>& variant, const Problem& problem,
             const StreamedCoefficients<T>& coefficients, const Slabs& slabs, T* memory, int threads,
             HostMemory host_memory)
        : device_(device),
          variant_(variant),
          host_(device, problem, coefficients, threads, host_memory),
          slabs_(slabs),
          waits_(host_memory == HostMemory::pageable),
          waiting_(device),
          up_(device),
          compute_(device),
          down_(device) {
        const Layout& l = host_.arrays().layout;
        Arrays<T> on_device = host_.arrays();
        T* at = memory;
        const auto place = [&](const std::vector<T>& values) {
            device.upload(at, values.data(), values.size() * sizeof(T));
            at += values.size();
            return at - values.size();
        };
        for (int axis = 0; axis < 3; ++axis) {
            on_device.half[axis] = place(host_.spacings()[axis].half);
            on_device.node[axis] = place(host_.spacings()[axis].node);
        }
        for (int k = 0; k < slabs.buffers; ++k)
            buffers_.push_back(std::make_unique<Busy>(
                device, StagingBuffer<T>(
                            on_device, slabs.depth,
                            memory + spacing_values<T>(l) + k * StagingBuffer<T>::values(l, slabs.depth))));
    }

    void set_plane(int component, int x, const T* values) override { host_.set_plane(component, x, values); }
    void get_plane(int component, int x, T* values) override { host_.get_plane(component, x, values); }
    T value(int component, int x, int y, int z) override { return host_.value(component, x, y, z); }
    std::optional<launch::KernelInfo> kernel_info() const override {
        return variant_.info(host_.arrays().layout);
    }

    void steps(int count) override {
        host_.add_current(0, slabs_.nx);
        run(count, true, true);
    }
    void transfers(int count) override { run(count, true, false); }
    void kernels(int count) override { run(count, false, true); }

  private:
    /// The fields, and what the CPU does to them.
    class Host final : public HostSolver<T> {
      public:
        Host(launch::Device& device, const Problem& problem, const StreamedCoefficients<T>& coefficients,
             int threads, HostMemory memory)
            : HostSolver<T>(problem, threads), fields_(device, this->arrays_.layout, threads, memory) {
            this->use(fields_.data);
            coefficients.enter(this->arrays_);
        }
        void steps(int) override {}
        const Arrays<T>& arrays() const { return this->arrays_; }
        const Spacings<T>& spacings() const { return this->spacings_; }
        void advance_wave() { this->incident_.advance(); }
        void set_ghosts(Slab slab) {
            maxwell::set_ghosts(this->arrays_, this->incident_.wave(), slab.first, slab.last, this->threads_);
        }
        void add_current(int x0, int x1) {
            maxwell::add_current(this->arrays_, this->incident_.drive(), x0, x1, this->threads_);
        }

      private:
        StreamedFields<T> fields_;
    };

    /// A staging buffer, and how far the slab in it is.
    struct Busy {
        StagingBuffer<T> buffer;
        launch::Passage passage;
        Busy(launch::Device& device, const StagingBuffer<T>& buffer) : buffer(buffer), passage(device) {}
    };

    // Tasks are numbered through: E's half step of all slabs, H's, E's of the next step and so on.
    int slab_of(long task) const { return static_cast<int>(task % slabs_.count()); }
    Half half_of(long task) const { return task / slabs_.count() % 2 == 0 ? Half::e : Half::h; }
    /// The last task that must be finished before this one starts. H's half step reads E of its slab and of
    /// the one before; E's reads H of its slab and of the one behind.
    long needed(long task) const {
        const bool one_more = half_of(task) == Half::e && slab_of(task) + 1 < slabs_.count();
        return task - slabs_.count() + (one_more ? 1 : 0);
    }

    void run(long count, bool copies, bool computes) {
        const long tasks = 2 * count * slabs_.count();
        const bool whole = copies && computes;
        long finished = 0;
        const auto finish_up_to = [&](long last) {
            for (; finished <= last; ++finished)
                finish(finished, whole, finished + slabs_.count() >= tasks);
        };
        for (long task = 0; task < tasks; ++task) {
            finish_up_to(std::max(needed(task), task - slabs_.buffers));
            start(task, copies, computes);
        }
        finish_up_to(tasks - 1);
        if (waits_) device_.synchronize();
    }

    Busy& buffer_of(long task) { return *buffers_[task % slabs_.buffers]; }

    void start(long task, bool copies, bool computes) {
        Busy& busy = buffer_of(task);
        busy.buffer.take(slabs_[slab_of(task)], half_of(task));
        if (waits_) {
            if (copies) busy.buffer.send(waiting_, host_.arrays());
            if (computes) busy.buffer.advance(device_.stream(), variant_);
            if (copies) busy.buffer.fetch(waiting_, host_.arrays());
            return;
        }
        busy.passage.put(
            up_.stream(), compute_.stream(), down_.stream(),
            [&] {
                if (copies) busy.buffer.send(up_, host_.arrays());
            },
            [&] {
                if (computes) busy.buffer.advance(compute_.stream(), variant_);
            },
            [&] {
                if (copies) busy.buffer.fetch(down_, host_.arrays());
            });
    }

    /// Waits for a task. After H's half step it does the CPU's part of what is ready: ghosts of the slab's
    /// planes, and the next step's current. The slab's last plane gets its current one slab later: H's half
    /// step of the slab behind may still be reading E there.
    void finish(long task, bool whole, bool last_step) {
        if (!waits_) buffer_of(task).passage.fetched.wait();
        if (!whole || half_of(task) == Half::e) return;
        const int k = slab_of(task);
        const Slab slab = slabs_[k];
        if (k == 0) host_.advance_wave();
        host_.set_ghosts(slab);
        if (!last_step)
            host_.add_current(std::max(slab.first - 1, 0),
                              slab.last == slabs_.nx ? slab.last : slab.last - 1);
    }

    launch::Device& device_;
    const GpuVariant<T>& variant_;
    Host host_;
    Slabs slabs_;
    bool waits_;
    WaitingCopies waiting_;
    launch::OwnedStream up_, compute_, down_;
    std::vector<std::unique_ptr<Busy>> buffers_;
};

}  // namespace

template <class T>
std::size_t device_values(const Layout& layout, const Slabs& slabs) {
    return spacing_values<T>(layout) + slabs.buffers * StagingBuffer<T>::values(layout, slabs.depth);
}

template <class T>
Traffic traffic(const Layout& layout, const Slabs& slabs) {
    double up = 0, down = 0;
    for (int k = 0; k < slabs.count(); ++k)
        for (const Half half : {Half::e, Half::h}) {
            up += StagingBuffer<T>::planes_sent(slabs[k], half);
            down += StagingBuffer<T>::planes_fetched(slabs[k]);
        }
    const double plane = static_cast<double>(layout.plane() * sizeof(T));
    // E's half step sends two coefficients and two fields of three components, H's one coefficient.
    return {up * plane, down * plane, (12.0 + 9.0) * slabs.count(), (3.0 + 3.0) * slabs.count()};
}

template <class T>
Slabs slabs_for(const Layout& layout, int buffers, std::size_t values) {
    const auto fits = [&](int depth) {
        return device_values<T>(layout, {layout.n[0], depth, buffers}) <= values;
    };
    if (!fits(1))
        throw std::invalid_argument(std::to_string(values) +
                                    " values on the device cannot hold slabs of one plane, which need " +
                                    std::to_string(device_values<T>(layout, {layout.n[0], 1, buffers})));
    return {layout.n[0], largest_that_fits(1, layout.n[0], fits), buffers};
}

template <class T>
std::unique_ptr<StreamedSolver<T>> streamed(launch::Device& device, const GpuVariant<T>& variant,
                                            const Problem& problem,
                                            const StreamedCoefficients<T>& coefficients, const Slabs& slabs,
                                            T* memory, int threads, HostMemory host_memory) {
    return std::make_unique<Streamed<T>>(device, variant, problem, coefficients, slabs, memory, threads,
                                         host_memory);
}

#define GRIDMARK_INSTANTIATE(T)                                                                          \
    template std::size_t device_values<T>(const Layout&, const Slabs&);                                  \
    template Traffic traffic<T>(const Layout&, const Slabs&);                                            \
    template Slabs slabs_for<T>(const Layout&, int, std::size_t);                                        \
    template std::unique_ptr<StreamedSolver<T>> streamed(launch::Device&, const GpuVariant<T>&,          \
                                                         const Problem&, const StreamedCoefficients<T>&, \
                                                         const Slabs&, T*, int, HostMemory);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell

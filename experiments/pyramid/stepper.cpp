#include "experiments/pyramid/stepper.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "kernels/storage.hpp"

namespace gridmark::pyramid {
namespace {

/// to = from, of one size, by OpenMP threads.
template <class T>
void copy_values(std::span<const T> from, std::span<T> to, int threads) {
    const auto n = static_cast<std::ptrdiff_t>(from.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i)
        to[i] = from[i];
}

template <class T>
class CpuStepper final : public Stepper<T> {
  public:
    CpuStepper(const Problem& problem, const std::string& variant, int threads)
        : problem_(problem),
          thomas_(problem.s, problem.n),
          serial_(find_cpu_variant(variant)->serial),
          threads_(serial_ ? 1 : threads),
          now_(problem.n),
          next_(serial_ ? 0 : problem.n) {}

    void start(std::span<const T> field, std::span<const T> target) override {
        copy_values<T>(field, now_, threads_);
        if (!serial_) copy_values<T>(target, next_, threads_);
    }
    void steps(int count) override {
        for (int n = 0; n < count; ++n) {
            if (serial_) {
                thomas_.solve(now_);
                continue;
            }
            cpu_openmp<T>(problem_, now_, next_, threads_);
            std::swap(now_, next_);
        }
    }
    void read(std::span<T> field) override { copy_values<T>(now_, field, threads_); }

  private:
    Problem problem_;
    Thomas<T> thomas_;
    bool serial_;  ///< in place
    int threads_;
    Storage<T> now_, next_;
};

template <class T>
class InMemoryStepper final : public Stepper<T> {
  public:
    InMemoryStepper(launch::Device& device, const Problem& problem, const GpuVariant<T>& solver)
        : device_(device),
          problem_(problem),
          solver_(solver),
          now_(device, problem.n),
          next_(device, solver.in_place ? 0 : problem.n),
          scratch_(device, solver.scratch(problem.n)) {
        solver_.prepare(device.stream(), problem.s, problem.n, scratch_.data());
    }

    void start(std::span<const T> field, std::span<const T> target) override {
        now_.upload(field);
        if (!solver_.in_place) next_.upload(target);
    }
    void steps(int count) override {
        T *now = now_.data(), *next = next_.data();
        advance(solver_, device_.stream(), problem_.s, problem_.n, count, now, next, scratch_.data());
        if (now != now_.data()) now_.swap(next_);
    }
    int steps_per_launch() const override { return solver_.steps_per_launch.most; }
    void read(std::span<T> field) override { now_.download(field); }
    std::optional<launch::KernelInfo> kernel_info() const override { return solver_.info(); }

  private:
    launch::Device& device_;
    Problem problem_;
    const GpuVariant<T>& solver_;
    launch::Buffer<T> now_, next_, scratch_;
};

/// The driver of a version, with so many values of device memory.
template <class T>
std::unique_ptr<OutOfCore<T>> driver_of(launch::Device& device, const Version& version,
                                        const GpuVariant<T>& solver, double s, const Pieces& pieces,
                                        T* memory, int threads) {
    if (version.one_layer) return one_layer_driver<T>(device, solver, s, pieces, memory, threads);
    return version.overlapped ? overlapped_driver<T>(device, solver, s, pieces, memory, threads)
                              : synchronous_driver<T>(device, solver, s, pieces, memory, threads);
}

template <class T>
class Streamed final : public StreamedStepper<T> {
  public:
    Streamed(std::shared_ptr<Stage<T>> stage, const Version& version, const GpuVariant<T>& solver, double s,
             const Pieces& pieces, int height, int threads)
        : solver_(solver),
          height_(height),
          threads_(threads),
          stage_(std::move(stage)),
          now_(stage_->now.span()),
          next_(version.one_layer ? now_ : stage_->next.span()),
          driver_(driver_of<T>(stage_->device, version, solver, s, pieces, stage_->memory.data(), threads)) {}

    void start(std::span<const T> field, std::span<const T> target) override {
        copy_values<T>(target, next_, threads_);
        copy_values<T>(field, now_, threads_);
    }
    void steps(int count) override {
        for (; count > 0; count -= height_, std::swap(now_, next_))
            driver_->pass(now_, next_, std::min(height_, count));
    }
    void transfers(int count) override {
        for (; count > 0; count -= height_, std::swap(now_, next_))
            driver_->pass(now_, next_, 0);
    }
    void kernels(int count) override {
        for (; count > 0; count -= height_)
            driver_->compute(std::min(height_, count));
    }
    void read(std::span<T> field) override { copy_values<T>(now_, field, threads_); }
    std::optional<launch::KernelInfo> kernel_info() const override { return solver_.info(); }
    Traffic traffic() const override { return driver_->traffic(); }
    std::size_t host_values() const override {
        return stage_->now.span().size() + stage_->next.span().size() + driver_->host_values();
    }

  private:
    const GpuVariant<T>& solver_;
    int height_, threads_;
    std::shared_ptr<Stage<T>> stage_;
    std::span<T> now_, next_;
    std::unique_ptr<OutOfCore<T>> driver_;
};

}  // namespace

template <class T>
Pieces pieces_of(const Version& version, const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                 std::size_t device_values) {
    return version.overlapped ? overlapped_pieces(solver, n, padding, device_values)
                              : synchronous_pieces(solver, n, padding, device_values);
}

template <class T>
std::size_t device_values_of(const Version& version, const GpuVariant<T>& solver, const Pieces& pieces) {
    return version.overlapped ? overlapped_values(solver, pieces) : synchronous_values(solver, pieces);
}

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads) {
    return std::make_unique<CpuStepper<T>>(problem, variant, threads);
}

template <class T>
std::unique_ptr<Stepper<T>> in_memory_stepper(launch::Device& device, const Problem& problem,
                                              const GpuVariant<T>& solver) {
    return std::make_unique<InMemoryStepper<T>>(device, problem, solver);
}

template <class T>
std::unique_ptr<StreamedStepper<T>> streamed_stepper(std::shared_ptr<Stage<T>> stage, const Version& version,
                                                     const GpuVariant<T>& solver, double s,
                                                     const Pieces& pieces, int height, int threads) {
    return std::make_unique<Streamed<T>>(std::move(stage), version, solver, s, pieces, height, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                             \
    template Pieces pieces_of(const Version&, const GpuVariant<T>&, std::size_t, std::size_t, std::size_t); \
    template std::size_t device_values_of(const Version&, const GpuVariant<T>&, const Pieces&);             \
    template std::unique_ptr<Stepper<T>> cpu_stepper(const Problem&, const std::string&, int);              \
    template std::unique_ptr<Stepper<T>> in_memory_stepper(launch::Device&, const Problem&,                 \
                                                           const GpuVariant<T>&);                           \
    template std::unique_ptr<StreamedStepper<T>> streamed_stepper(                                          \
        std::shared_ptr<Stage<T>>, const Version&, const GpuVariant<T>&, double, const Pieces&, int, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid

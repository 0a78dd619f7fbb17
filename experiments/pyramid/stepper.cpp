#include "experiments/pyramid/stepper.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "kernels/launch/error.hpp"
#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/medium.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "kernels/storage.hpp"

namespace gridmark::pyramid {
namespace {

/// Steps in place, in one thread: Thomas's algorithm or LAPACK's.
template <class T, class Solver>
class SerialStepper final : public Stepper<T> {
  public:
    SerialStepper(std::size_t n, Solver solver) : solver_(std::move(solver)), now_(n) {}

    void start(std::span<const T> field, std::span<const T>) override { copy_values<T>(field, now_, 1); }
    void steps(int count) override {
        for (int n = 0; n < count; ++n)
            solver_.solve(now_);
    }
    void read(std::span<T> field) override { copy_values<T>(now_, field, 1); }

  private:
    Solver solver_;
    Storage<T> now_;
};

template <class T>
class ParallelStepper final : public Stepper<T> {
  public:
    ParallelStepper(const Problem& problem, int threads)
        : problem_(problem), threads_(threads), now_(problem.n), next_(problem.n) {}

    void start(std::span<const T> field, std::span<const T> target) override {
        copy_values<T>(field, now_, threads_);
        copy_values<T>(target, next_, threads_);
    }
    void steps(int count) override {
        for (int n = 0; n < count; ++n) {
            cpu_openmp<T>(problem_, now_, next_, threads_);
            std::swap(now_, next_);
        }
    }
    void read(std::span<T> field) override { copy_values<T>(now_, field, threads_); }

  private:
    Problem problem_;
    int threads_;
    Storage<T> now_, next_;
};

template <class T>
class InMemoryStepper final : public Stepper<T> {
  public:
    InMemoryStepper(launch::Device& device, std::size_t n, const Matrix<T>& matrix,
                    const GpuVariant<T>& solver)
        : device_(device),
          n_(n),
          s_(matrix.s),
          solver_(solver),
          now_(device, n),
          next_(device, solver.in_place ? 0 : n),
          scratch_(device, solver.scratch(n)) {
        std::size_t first = 0;
        if (matrix.medium.size() > 0)
            for (const auto diagonal : {matrix.medium.lower, matrix.medium.diagonal, matrix.medium.upper}) {
                device.upload(scratch_.data() + first, diagonal.data(), diagonal.size_bytes());
                first += aligned<T>(n);
            }
        solver_.prepare(device.stream(), s_, n, scratch_.data());
    }

    void start(std::span<const T> field, std::span<const T> target) override {
        now_.upload(field);
        if (!solver_.in_place) next_.upload(target);
    }
    void steps(int count) override {
        T *now = now_.data(), *next = next_.data();
        advance(solver_, device_.stream(), s_, n_, count, now, next, scratch_.data());
        if (now != now_.data()) now_.swap(next_);
    }
    int steps_per_launch() const override { return solver_.steps_per_launch.most; }
    void read(std::span<T> field) override { now_.download(field); }
    std::optional<launch::KernelInfo> kernel_info() const override { return solver_.info(); }

  private:
    launch::Device& device_;
    std::size_t n_;
    double s_;
    const GpuVariant<T>& solver_;
    launch::Buffer<T> now_, next_, scratch_;
};

/// The driver of a version, with so many values of device memory.
template <class T>
std::unique_ptr<OutOfCore<T>> driver_of(launch::Device& device, const Version& version,
                                        const GpuVariant<T>& solver, const Matrix<T>& matrix,
                                        const Pieces& pieces, T* memory, int threads) {
    if (version.one_layer) return one_layer_driver<T>(device, solver, matrix, pieces, memory, threads);
    return version.overlapped ? overlapped_driver<T>(device, solver, matrix, pieces, memory, threads)
                              : synchronous_driver<T>(device, solver, matrix, pieces, memory, threads);
}

template <class T>
class Streamed final : public StreamedStepper<T> {
  public:
    Streamed(std::shared_ptr<Stage<T>> stage, const Version& version, const GpuVariant<T>& solver,
             const Matrix<T>& matrix, const Pieces& pieces, int height, int threads)
        : solver_(solver),
          height_(height),
          threads_(threads),
          stage_(std::move(stage)),
          now_(stage_->now.span()),
          next_(version.one_layer ? now_ : stage_->next.span()),
          driver_(driver_of<T>(stage_->device, version, solver, matrix, pieces, stage_->memory.data(),
                               threads)) {}

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
std::unique_ptr<Stepper<T>> cpu_stepper(std::size_t n, const Matrix<T>& matrix, const std::string& variant,
                                        int threads) {
    const CpuVariant& cpu = *find_cpu_variant(variant);
    const bool is_rod = matrix.medium.size() == 0;
    if (const std::string why = cpu.unavailable_reason(); !why.empty()) throw launch::Unavailable(why);
    if (cpu.lapack) {
        if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw launch::Unavailable("LAPACK counts rows with an int: 2^31 - 1 at most");
        // It has no solver for equal rows.
        const std::vector<T> off(is_rod ? n : 0, static_cast<T>(-matrix.s)),
            diagonal(is_rod ? n : 0, static_cast<T>(1 + 2 * matrix.s));
        const Medium<T> rod{off, diagonal, off};
        return std::make_unique<SerialStepper<T, MediumLapack<T>>>(
            n, MediumLapack<T>(is_rod ? rod : matrix.medium));
    }
    if (is_rod && cpu.serial)
        return std::make_unique<SerialStepper<T, const Thomas<T>>>(n, Thomas<T>(matrix.s, n));
    if (is_rod) return std::make_unique<ParallelStepper<T>>(Problem{n, matrix.s}, threads);
    if (cpu.serial)
        return std::make_unique<SerialStepper<T, const MediumThomas<T>>>(n, MediumThomas<T>(matrix.medium));
    throw launch::Unavailable(variant + " solves with constant coefficients alone");
}

template <class T>
std::unique_ptr<Stepper<T>> in_memory_stepper(launch::Device& device, std::size_t n, const Matrix<T>& matrix,
                                              const GpuVariant<T>& solver) {
    return std::make_unique<InMemoryStepper<T>>(device, n, matrix, solver);
}

template <class T>
std::unique_ptr<StreamedStepper<T>> streamed_stepper(std::shared_ptr<Stage<T>> stage, const Version& version,
                                                     const GpuVariant<T>& solver, const Matrix<T>& matrix,
                                                     const Pieces& pieces, int height, int threads) {
    return std::make_unique<Streamed<T>>(std::move(stage), version, solver, matrix, pieces, height, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                              \
    template Pieces pieces_of(const Version&, const GpuVariant<T>&, std::size_t, std::size_t, std::size_t);  \
    template std::size_t device_values_of(const Version&, const GpuVariant<T>&, const Pieces&);              \
    template std::unique_ptr<Stepper<T>> cpu_stepper(std::size_t, const Matrix<T>&, const std::string&,      \
                                                     int);                                                   \
    template std::unique_ptr<Stepper<T>> in_memory_stepper(launch::Device&, std::size_t, const Matrix<T>&,   \
                                                           const GpuVariant<T>&);                            \
    template std::unique_ptr<StreamedStepper<T>> streamed_stepper(std::shared_ptr<Stage<T>>, const Version&, \
                                                                  const GpuVariant<T>&, const Matrix<T>&,    \
                                                                  const Pieces&, int, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid

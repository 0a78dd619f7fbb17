#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "experiments/pyramid/box.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::pyramid {
namespace {

template <class T>
constexpr double to_rounding = std::numeric_limits<T>::epsilon() / 8;

template <class T>
class CpuBox final : public BoxStepper<T> {
  public:
    CpuBox(const Box& box, int threads) : box_(box), threads_(threads), u_(box.size()) {}
    void start(std::span<const T> field, std::span<const T>) override { copy_values<T>(field, u_, threads_); }
    void steps(int count) override {
        for (int k = 0; k < count; ++k)
            cpu_box<T>(box_, u_, threads_);
    }
    void read(std::span<T> field) override { copy_values<T>(u_, field, threads_); }

  private:
    Box box_;
    int threads_;
    Storage<T> u_;
};

template <class T>
const BoxKernels<T>& usable_kernels(const launch::Device& device, const AxisSolve<T>& sweep) {
    const BoxKernels<T>& kernels = *box_kernels<T>(device.executor());
    if (const std::string why = kernels.unavailable_reason(sweep.reach); !why.empty())
        throw launch::Unavailable(why);
    return kernels;
}

template <class T>
class GpuBox final : public BoxStepper<T> {
  public:
    GpuBox(launch::Device& device, const Box& box)
        : device_(device),
          box_(box),
          sweep_(axis_solve_of<T>(box.s, to_rounding<T>)),
          kernels_(usable_kernels(device, sweep_)),
          u_(device, box.size()) {}
    void start(std::span<const T> field, std::span<const T>) override { u_.upload(field); }
    void steps(int count) override {
        const Ring<T> ring{u_.data(), box_.nx, box_.ny, box_.nz};
        const launch::Stream stream = device_.stream();
        for (int k = 0; k < count; ++k) {
            kernels_.sweep_x(stream, sweep_, ring, {0, box_.nz});
            kernels_.sweep_y(stream, sweep_, ring, {0, box_.nz});
            if (box_.dimensions == 3)
                kernels_.sweep_z(stream, sweep_, ring, {{0, box_.nz}, 0, nullptr, nullptr});
        }
    }
    void read(std::span<T> field) override { u_.download(field); }
    std::optional<launch::KernelInfo> kernel_info() const override { return kernels_.info(sweep_); }

  private:
    launch::Device& device_;
    Box box_;
    AxisSolve<T> sweep_;
    const BoxKernels<T>& kernels_;
    launch::Buffer<T> u_;
};

/// Points of each axis that has a sweep.
std::vector<std::size_t> sides(const Box& box) {
    std::vector<std::size_t> all{box.nx, box.ny};
    if (box.dimensions == 3) all.push_back(box.nz);
    return all;
}

template <class T>
std::string unavailable_reason(const BatchSolver<T>& solver, const Box& box) {
    std::string why;
    for (const std::size_t order : sides(box))
        if (why.empty()) why = solver.unavailable_reason(order, box.size() / order);
    return why;
}

template <class T>
const BatchSolver<T>& usable_solver(const BatchSolver<T>& solver, const Box& box) {
    if (const std::string why = unavailable_reason(solver, box); !why.empty()) throw launch::Unavailable(why);
    return solver;
}

template <class T>
const BatchSolver<T>& library_solver(launch::Executor executor, Library library) {
    const BatchKernels<T>& kernels = *batch_kernels<T>(executor);
    return library == Library::interleaved ? kernels.interleaved : kernels.strided;
}

template <class T>
class LibraryBox final : public BoxStepper<T> {
  public:
    LibraryBox(launch::Device& device, const Box& box, const BatchSolver<T>& solver)
        : device_(device),
          s_(box.s),
          kernels_(*batch_kernels<T>(device.executor())),
          solver_(usable_solver(solver, box)),
          now_(device, box.size()),
          next_(device, box.size()) {
        const std::vector<std::size_t> columns = sides(box);
        std::size_t bytes = 0;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            // Strided lines are those along the next axis, which turning puts side by side.
            const std::size_t order = solver.is_interleaved ? columns[k] : columns[(k + 1) % columns.size()];
            sweeps_.push_back({columns[k], batch_of(order)});
            bytes = std::max(bytes, solver.scratch(sweeps_.back().batch, now_.data()));
        }
        scratch_ = {device, bytes};
    }
    void start(std::span<const T> field, std::span<const T>) override { now_.upload(field); }
    void steps(int count) override {
        const launch::Stream stream = device_.stream();
        for (int k = 0; k < count; ++k)
            for (const Sweep& sweep : sweeps_) {
                kernels_.turn(stream, sweep.batch, s_, sweep.columns, now_.data(), next_.data());
                solver_.solve(stream, sweep.batch, next_.data(), scratch_.data());
                now_.swap(next_);
            }
    }
    void read(std::span<T> field) override { now_.download(field); }

  private:
    struct Sweep {
        std::size_t columns;
        Batch<T> batch;
    };

    /// The matrix of lines of that order. Those of one order share theirs.
    Batch<T> batch_of(std::size_t order) {
        for (const Sweep& sweep : sweeps_)
            if (sweep.batch.order == order) return sweep.batch;
        const std::size_t values = now_.size();
        const auto diagonal = [&] { return diagonals_.emplace_back(device_, values).data(); };
        Batch<T> batch{solver_.is_interleaved, order, values / order, diagonal(), diagonal(), diagonal()};
        kernels_.fill(device_.stream(), batch, s_);
        return batch;
    }

    launch::Device& device_;
    double s_;
    const BatchKernels<T>& kernels_;
    BatchSolver<T> solver_;
    launch::Buffer<T> now_, next_;
    std::vector<launch::Buffer<T>> diagonals_ = {};
    std::vector<Sweep> sweeps_ = {};
    launch::Buffer<std::byte> scratch_ = {};
};

template <class T>
class StreamedBox final : public BoxStepper<T> {
  public:
    StreamedBox(launch::Device& device, const Box& box, const AxisSolve<T>& sweep, const Skew& skew,
                int threads)
        : height_(skew.height),
          threads_(threads),
          kernels_(usable_kernels(device, sweep)),
          sweep_(sweep),
          memory_(device, skew.device_values(box)),
          u_(device, box.size()),
          driver_(skewed_box<T>(device, kernels_, box, sweep, skew, memory_.data())) {}
    void start(std::span<const T> field, std::span<const T>) override {
        copy_values<T>(field, u_.span(), threads_);
    }
    void steps(int count) override {
        for (; count > 0; count -= height_)
            driver_->pass(u_.span(), std::min(height_, count));
    }
    void read(std::span<T> field) override { copy_values<T>(u_.span(), field, threads_); }
    std::optional<launch::KernelInfo> kernel_info() const override { return kernels_.info(sweep_); }
    launch::Moved moved() const override { return driver_->moved(); }

  private:
    int height_, threads_;
    const BoxKernels<T>& kernels_;
    AxisSolve<T> sweep_;
    launch::Buffer<T> memory_;
    launch::Pinned<T> u_;
    std::unique_ptr<SkewedBox<T>> driver_;
};

}  // namespace

template <class T>
double sweep_share(const Box& box, int height, double tolerance) {
    // The values may have grown when they are cut, and what is wrong then grows, too.
    return std::max(tolerance / (height * box_growth(box) * box_growth(box)), to_rounding<T>);
}

template <class T>
std::unique_ptr<BoxStepper<T>> cpu_box_stepper(const Box& box, int threads) {
    return std::make_unique<CpuBox<T>>(box, threads);
}

template <class T>
std::unique_ptr<BoxStepper<T>> gpu_box_stepper(launch::Device& device, const Box& box) {
    return std::make_unique<GpuBox<T>>(device, box);
}

std::string library_unavailable_reason(launch::Executor executor, const Box& box, Library library) {
    return unavailable_reason(library_solver<float>(executor, library), box);
}

template <class T>
std::unique_ptr<BoxStepper<T>> library_box_stepper(launch::Device& device, const Box& box,
                                                   const BatchSolver<T>& solver) {
    return std::make_unique<LibraryBox<T>>(device, box, solver);
}

template <class T>
std::unique_ptr<BoxStepper<T>> library_box_stepper(launch::Device& device, const Box& box, Library library) {
    return library_box_stepper<T>(device, box, library_solver<T>(device.executor(), library));
}

template <class T>
std::unique_ptr<BoxStepper<T>> skewed_box_stepper(launch::Device& device, const Box& box,
                                                  const AxisSolve<T>& sweep, const Skew& skew, int threads) {
    return std::make_unique<StreamedBox<T>>(device, box, sweep, skew, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                        \
    template double sweep_share<T>(const Box&, int, double);                                           \
    template std::unique_ptr<BoxStepper<T>> cpu_box_stepper(const Box&, int);                          \
    template std::unique_ptr<BoxStepper<T>> gpu_box_stepper(launch::Device&, const Box&);              \
    template std::unique_ptr<BoxStepper<T>> library_box_stepper(launch::Device&, const Box&,           \
                                                                const BatchSolver<T>&);                \
    template std::unique_ptr<BoxStepper<T>> library_box_stepper(launch::Device&, const Box&, Library); \
    template std::unique_ptr<BoxStepper<T>> skewed_box_stepper(launch::Device&, const Box&,            \
                                                               const AxisSolve<T>&, const Skew&, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid

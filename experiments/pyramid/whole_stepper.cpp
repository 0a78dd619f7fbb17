#include <utility>

#include "experiments/pyramid/copy_values.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "kernels/storage.hpp"

namespace gridmark::pyramid {
namespace {

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

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads) {
    return std::make_unique<CpuStepper<T>>(problem, variant, threads);
}

template <class T>
std::unique_ptr<Stepper<T>> in_memory_stepper(launch::Device& device, const Problem& problem,
                                              const GpuVariant<T>& solver) {
    return std::make_unique<InMemoryStepper<T>>(device, problem, solver);
}

#define GRIDMARK_INSTANTIATE(T)                                                                \
    template std::unique_ptr<Stepper<T>> cpu_stepper(const Problem&, const std::string&, int); \
    template std::unique_ptr<Stepper<T>> in_memory_stepper(launch::Device&, const Problem&,    \
                                                           const GpuVariant<T>&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid

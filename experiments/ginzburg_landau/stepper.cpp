#include "experiments/ginzburg_landau/stepper.hpp"

#include <algorithm>
#include <utility>

#include "kernels/ginzburg_landau/cpu.hpp"
#include "kernels/storage.hpp"

namespace gridmark::ginzburg_landau {
namespace {

template <class T>
class CpuStepper final : public Stepper<T> {
  public:
    CpuStepper(const Problem& problem, const CpuVariant<T>& variant, int threads)
        : problem_(problem),
          variant_(variant),
          threads_(variant.parallel ? threads : 1),
          now_(problem.values()),
          next_(problem.values()),
          scratch_(problem.values() * static_cast<std::size_t>(variant.scratch_states)) {}

    void start(std::span<const T> state, std::span<const T> target) override {
        copy_state(problem_, state.data(), now_.data(), threads_);
        copy_state(problem_, target.data(), next_.data(), threads_);
        for (std::size_t at = 0; at < scratch_.size(); at += problem_.values())
            copy_state(problem_, target.data(), scratch_.data() + at, threads_);
    }

    void steps(int count) override {
        variant_.steps(problem_, now_.data(), next_.data(), scratch_.data(), count, threads_);
        if (count % 2 == 1) std::swap(now_, next_);
    }

    void read(std::span<T> state) override { copy_state(problem_, now_.data(), state.data(), threads_); }

  private:
    Problem problem_;
    const CpuVariant<T>& variant_;
    int threads_;
    Storage<T> now_, next_, scratch_;
};

template <class T>
class GpuStepper final : public Stepper<T> {
  public:
    GpuStepper(launch::Device& device, const Problem& problem, const GpuVariant<T>& variant, int block)
        : device_(device),
          problem_(problem),
          variant_(variant),
          block_(block),
          now_(device, problem.values()),
          next_(device, problem.values()),
          scratch_(device, problem.values() * static_cast<std::size_t>(variant.scratch_states)) {}

    void start(std::span<const T> state, std::span<const T> target) override {
        now_.upload(state);
        next_.upload(target);
        if (scratch_.size() > 0) device_.fill_bytes(scratch_.data(), 0, scratch_.size() * sizeof(T));
    }

    void steps(int count) override {
        while (count > 0) {
            const int made = variant_.steps_per_launch.next(count);
            variant_.step(device_.stream(), problem_, block_, made, now_.data(), next_.data(),
                          scratch_.data());
            now_.swap(next_);
            count -= made;
        }
    }

    int steps_per_launch() const override { return variant_.steps_per_launch.most; }

    void read(std::span<T> state) override { now_.download(state); }

    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(problem_, block_); }

  private:
    launch::Device& device_;
    Problem problem_;
    const GpuVariant<T>& variant_;
    int block_;
    launch::Buffer<T> now_, next_, scratch_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads) {
    return std::make_unique<CpuStepper<T>>(
        problem, *std::ranges::find(cpu_variants<T>, variant, &CpuVariant<T>::name), threads);
}

template std::unique_ptr<Stepper<float>> cpu_stepper(const Problem&, const std::string&, int);
template std::unique_ptr<Stepper<double>> cpu_stepper(const Problem&, const std::string&, int);

template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem,
                                        const std::string& variant, int block) {
    const GpuVariant<T>& found = *find_gpu_variant<T>(device.executor(), variant);
    found.check(problem, block);
    return std::make_unique<GpuStepper<T>>(device, problem, found, block);
}

template std::unique_ptr<Stepper<float>> gpu_stepper(launch::Device&, const Problem&, const std::string&,
                                                     int);
template std::unique_ptr<Stepper<double>> gpu_stepper(launch::Device&, const Problem&, const std::string&,
                                                      int);

}  // namespace gridmark::ginzburg_landau

#include <utility>

#include "experiments/ginzburg_landau/stepper.hpp"
#include "kernels/ginzburg_landau/cpu.hpp"
#include "kernels/storage.hpp"

namespace gridmark::ginzburg_landau {
namespace {

template <class T>
class CpuStepper final : public Stepper<T> {
  public:
    CpuStepper(const Problem& problem, std::string variant, int threads)
        : problem_(problem),
          variant_(std::move(variant)),
          threads_(variant_ == "cpu_serial" ? 1 : threads),
          now_(problem.values()),
          next_(problem.values()),
          scratch_(variant_ == "cpu_overlap" ? 0 : 2 * problem.values()) {}

    void start(std::span<const T> state, std::span<const T> target) override {
        copy_state(problem_, state.data(), now_.data(), threads_);
        copy_state(problem_, target.data(), next_.data(), threads_);
        for (std::size_t at = 0; at < scratch_.size(); at += problem_.values())
            copy_state(problem_, target.data(), scratch_.data() + at, threads_);
    }

    void steps(int count) override {
        T *const now = now_.data(), *const next = next_.data(), *const scratch = scratch_.data();
        if (variant_ == "cpu_serial")
            cpu_serial(problem_, now, next, scratch, count);
        else if (variant_ == "cpu_openmp")
            cpu_openmp(problem_, now, next, scratch, count, threads_);
        else
            cpu_overlap(problem_, now, next, count, threads_);
        if (count % 2 == 1) std::swap(now_, next_);
    }

    void read(std::span<T> state) override { copy_state(problem_, now_.data(), state.data(), threads_); }

  private:
    Problem problem_;
    std::string variant_;
    int threads_;
    Storage<T> now_, next_, scratch_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads) {
    return std::make_unique<CpuStepper<T>>(problem, variant, threads);
}

template std::unique_ptr<Stepper<float>> cpu_stepper(const Problem&, const std::string&, int);
template std::unique_ptr<Stepper<double>> cpu_stepper(const Problem&, const std::string&, int);

}  // namespace gridmark::ginzburg_landau

#include <algorithm>
#include <utility>

#include "experiments/ginzburg_landau/stepper.hpp"
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

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads) {
    return std::make_unique<CpuStepper<T>>(
        problem, *std::ranges::find(cpu_variants<T>, variant, &CpuVariant<T>::name), threads);
}

template std::unique_ptr<Stepper<float>> cpu_stepper(const Problem&, const std::string&, int);
template std::unique_ptr<Stepper<double>> cpu_stepper(const Problem&, const std::string&, int);

}  // namespace gridmark::ginzburg_landau

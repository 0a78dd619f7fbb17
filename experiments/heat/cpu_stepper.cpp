#include <algorithm>

#include "experiments/heat/stepper.hpp"

namespace gridmark::heat {
namespace {

template <class T>
class CpuStepper final : public Stepper<T> {
  public:
    CpuStepper(const Problem& problem, const CpuVariant& variant, const Cut& cut, int threads, const T* beta,
               const T* added)
        : problem_(problem),
          variant_(variant),
          layout_(variant.cut == CutKind::none ? tight_layout(problem) : aligned_layout(problem, sizeof(T))),
          cut_(cut),
          threads_(threads),
          beta_(beta),
          added_(added),
          memory_(threads) {}

    void start(std::span<const T> t0, std::span<const T> target) override {
        now_ = store(problem_, layout_, t0);
        next_ = store(problem_, layout_, target);
    }

    void steps(int count) override {
        while (count > 0) {
            count -= step(count);
            if (added_ != nullptr) add(problem_, layout_, added_, next_.data(), threads_);
            std::swap(now_, next_);
        }
    }

    int steps_per_launch() const override { return variant_.steps(sizeof(T)); }

    void read(std::span<T> interior) override { load(problem_, layout_, now_.data(), interior); }

  private:
    /// Does one or several, `most` at most; returns how many.
    int step(int most) {
        if (variant_.cut == CutKind::none) {
            cpu_naive(problem_, now_.data(), beta_, next_.data(), threads_);
        } else if (const auto* const blocking = std::get_if<Blocking>(&cut_)) {
            if (variant_.isa)
                cpu_vector(*variant_.isa, problem_, now_.data(), beta_, next_.data(), *blocking, threads_);
            else
                cpu_blocked(problem_, now_.data(), beta_, next_.data(), *blocking, threads_);
        } else {
            Wavefront wavefront = std::get<Wavefront>(cut_);
            wavefront.steps = std::min(wavefront.steps, most);
            cpu_wavefront(widest_isa(), problem_, now_.data(), beta_, next_.data(), wavefront, memory_);
            return wavefront.steps;
        }
        return 1;
    }

    Problem problem_;
    const CpuVariant& variant_;
    Layout layout_;
    Cut cut_;
    int threads_;
    const T *beta_, *added_;
    Storage<T> now_, next_;
    std::vector<Storage<T>> memory_;  // of the marches, a thread each
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const CpuVariant& variant, const Cut& cut,
                                        int threads, const T* beta, const T* added) {
    return std::make_unique<CpuStepper<T>>(problem, variant, cut, threads, beta, added);
}

template std::unique_ptr<Stepper<float>> cpu_stepper(const Problem&, const CpuVariant&, const Cut&, int,
                                                     const float*, const float*);
template std::unique_ptr<Stepper<double>> cpu_stepper(const Problem&, const CpuVariant&, const Cut&, int,
                                                      const double*, const double*);

}  // namespace gridmark::heat

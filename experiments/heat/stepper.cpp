#include "experiments/heat/stepper.hpp"

#include <algorithm>

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

template <class T>
class GpuStepper final : public Stepper<T> {
  public:
    GpuStepper(launch::Device& device, const Problem& problem, const GpuVariant<T>& variant, BetaPath path,
               const BetaFields<T>& beta, const T* added)
        : device_(device),
          problem_(problem),
          variant_(variant),
          layout_(variant.layout(problem)),
          path_(path),
          beta_(beta),
          added_(added),
          now_(device, layout_.size()),
          next_(device, layout_.size()) {}

    void start(std::span<const T> t0, std::span<const T> target) override {
        now_.upload(store(problem_, layout_, t0));
        next_.upload(store(problem_, layout_, target));
        select();
    }

    void steps(int count) override {
        while (count > 0) {
            const int made = variant_.steps_per_launch.next(count);
            variant_.step(device_.stream(), problem_, path_, beta_, made, now_.data(), next_.data());
            if (added_ != nullptr) variant_.add(device_.stream(), problem_, layout_, added_, next_.data());
            now_.swap(next_);
            count -= made;
        }
    }

    int steps_per_launch() const override { return variant_.steps_per_launch.most; }

    void read(std::span<T> interior) override {
        Storage<T> stored(layout_.size());
        now_.download(stored);
        load(problem_, layout_, stored.data(), interior);
    }

    void select() override { variant_.prepare(variant_.carveout, path_); }

    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(path_); }

  private:
    launch::Device& device_;
    Problem problem_;
    const GpuVariant<T>& variant_;
    Layout layout_;
    BetaPath path_;
    BetaFields<T> beta_;
    const T* added_;
    launch::Buffer<T> now_, next_;
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

template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem, const Kernel& kernel,
                                        const BetaFields<T>& beta, const T* added) {
    return std::make_unique<GpuStepper<T>>(device, problem, entry_of<T>(device.executor(), kernel),
                                           kernel.path, beta, added);
}

template std::unique_ptr<Stepper<float>> gpu_stepper(launch::Device&, const Problem&, const Kernel&,
                                                     const BetaFields<float>&, const float*);
template std::unique_ptr<Stepper<double>> gpu_stepper(launch::Device&, const Problem&, const Kernel&,
                                                      const BetaFields<double>&, const double*);

}  // namespace gridmark::heat

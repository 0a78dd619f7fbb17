#include "experiments/heat/stepper.hpp"

namespace gridmark::heat {
namespace {

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

#include "experiments/jacobi/stepper.hpp"

#include <algorithm>

#include "kernels/jacobi/cpu.hpp"

namespace gridmark::jacobi {
namespace {

template <class T>
class CpuStepper final : public Stepper<T> {
  public:
    CpuStepper(const Problem& problem, const CpuVariant<T>& variant, int threads, std::span<const T> omega)
        : problem_(problem),
          variant_(variant),
          threads_(threads),
          // Its own, allocated with the buffers: how they lie is then the same for all variants.
          omega_(omega.begin(), omega.end()),
          now_(omega.size()),
          next_(omega.size()) {}

    void start(std::span<const T> psi, std::span<const T> target) override {
        now_.assign(psi.begin(), psi.end());
        next_.assign(target.begin(), target.end());
    }

    void steps(int count) override {
        for (; count > 0; --count, std::swap(now_, next_))
            variant_.sweep(problem_, now_.data(), omega_.data(), next_.data(), threads_);
    }

    void read(std::span<T> psi) override { std::copy(now_.begin(), now_.end(), psi.begin()); }

  private:
    Problem problem_;
    const CpuVariant<T>& variant_;
    int threads_;
    Storage<T> omega_, now_, next_;
};

template <class T>
class GpuStepper final : public Stepper<T> {
  public:
    GpuStepper(launch::Device& device, const Problem& problem, const GpuVariant<T>& variant,
               const Tiling& tiling, launch::Carveout carveout, const T* omega)
        : device_(device),
          problem_(problem),
          variant_(variant),
          tiling_(tiling),
          carveout_(carveout),
          omega_(omega),
          now_(device, points()),
          next_(device, points()),
          scratch_(device, variant.scratch_bytes(problem)) {}

    void start(std::span<const T> psi, std::span<const T> target) override {
        now_.upload(psi);
        next_.upload(target);
        if (scratch_.size() > 0) device_.fill_bytes(scratch_.data(), 0, scratch_.size());
        select();
    }

    void steps(int count) override {
        while (count > 0) {
            const int swept = variant_.steps_per_launch.next(count);
            variant_.sweep(device_.stream(), problem_, tiling_, swept,
                           {now_.data(), omega_, next_.data(), scratch_.data()});
            now_.swap(next_);
            count -= swept;
        }
    }

    int steps_per_launch() const override { return variant_.steps_per_launch.most; }

    void read(std::span<T> psi) override { now_.download(psi); }

    void select() override { variant_.prepare(device_.stream(), problem_, tiling_, carveout_); }

    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(tiling_); }

  private:
    std::size_t points() const { return static_cast<std::size_t>(problem_.nx) * problem_.ny; }

    launch::Device& device_;
    Problem problem_;
    const GpuVariant<T>& variant_;
    Tiling tiling_;
    launch::Carveout carveout_;
    const T* omega_;
    launch::Buffer<T> now_, next_;
    launch::Buffer<unsigned char> scratch_;
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads,
                                        std::span<const T> omega) {
    return std::make_unique<CpuStepper<T>>(
        problem, *std::ranges::find(cpu_variants<T>, variant, &CpuVariant<T>::name), threads, omega);
}

template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem,
                                        const std::string& variant, const Tiling& tiling,
                                        launch::Carveout carveout, const T* omega) {
    const GpuVariant<T>& found = *find_gpu_variant<T>(device.executor(), variant);
    found.check(problem, tiling);
    return std::make_unique<GpuStepper<T>>(device, problem, found, tiling, carveout, omega);
}

#define GRIDMARK_INSTANTIATE(T)                                                                           \
    template std::unique_ptr<Stepper<T>> cpu_stepper(const Problem&, const std::string&, int,             \
                                                     std::span<const T>);                                 \
    template std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device&, const Problem&, const std::string&, \
                                                     const Tiling&, launch::Carveout, const T*);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::jacobi

#include <algorithm>
#include <utility>

#include "experiments/pyramid/copy_values.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "kernels/launch/streams.hpp"

namespace gridmark::pyramid {
namespace {

template <class T>
class Streamed final : public StreamedStepper<T> {
  public:
    Streamed(std::shared_ptr<Stage<T>> stage, const Version& version, const GpuVariant<T>& solver, double s,
             const Pieces& pieces, int height, int threads)
        : solver_(solver),
          height_(height),
          threads_(threads),
          stage_(std::move(stage)),
          now_(stage_->now.span()),
          next_(stage_->next.span()),
          driver_(driver_of<T>(stage_->device, version, solver, s, pieces, stage_->memory.data(), threads)) {}

    void start(std::span<const T> field, std::span<const T> target) override {
        copy_values<T>(field, now_, threads_);
        copy_values<T>(target, next_, threads_);
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

  private:
    const GpuVariant<T>& solver_;
    int height_, threads_;
    std::shared_ptr<Stage<T>> stage_;
    std::span<T> now_, next_;
    std::unique_ptr<OutOfCore<T>> driver_;
};

}  // namespace

template <class T>
std::unique_ptr<StreamedStepper<T>> streamed_stepper(std::shared_ptr<Stage<T>> stage, const Version& version,
                                                     const GpuVariant<T>& solver, double s,
                                                     const Pieces& pieces, int height, int threads) {
    return std::make_unique<Streamed<T>>(std::move(stage), version, solver, s, pieces, height, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                    \
    template std::unique_ptr<StreamedStepper<T>> streamed_stepper( \
        std::shared_ptr<Stage<T>>, const Version&, const GpuVariant<T>&, double, const Pieces&, int, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid

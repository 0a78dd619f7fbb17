#include "experiments/heat/work.hpp"

#include "experiments/heat/case.hpp"
#include "experiments/heat/stepper.hpp"
#include "harness/whole_field.hpp"

namespace gridmark::heat {
namespace {

/// A stepper that starts from a case.
template <class T>
class HeatWork final : public harness::Work {
  public:
    /// `kept` is what the stepper's beta lives in.
    HeatWork(std::shared_ptr<const Case<T>> heat_case, std::shared_ptr<const void> kept,
             std::unique_ptr<Stepper<T>> stepper)
        : case_(std::move(heat_case)), kept_(std::move(kept)), stepper_(std::move(stepper)) {}

    harness::Verification verify() override {
        stepper_->start(case_->start.t0, case_->poison);
        stepper_->steps(verified_steps);
        Storage<T> interior(case_->problem.points());
        stepper_->read(interior);
        return harness::compare_whole_field<T>(interior, case_->reference, case_->tolerance, verified_steps);
    }
    void select() override { stepper_->select(); }
    void iterate(int count) override { stepper_->steps(count); }
    std::optional<launch::KernelInfo> kernel_info() const override { return stepper_->kernel_info(); }

  private:
    std::shared_ptr<const Case<T>> case_;
    std::shared_ptr<const void> kept_;
    std::unique_ptr<Stepper<T>> stepper_;
};

}  // namespace

template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const std::string& variant, int n,
                                        BetaPath path, std::uint64_t seed) {
    const auto on_device = shared_device_case<T>(device, n, seed);
    return std::make_unique<HeatWork<T>>(
        on_device->host, on_device,
        gpu_stepper<T>(device, on_device->host->problem, variant, path, on_device->fields()));
}

template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, int n, const Blocking& blocking,
                                        int threads, std::uint64_t seed) {
    const auto host = shared_case<T>(n, seed);
    return std::make_unique<HeatWork<T>>(
        host, host, cpu_stepper<T>(host->problem, variant, blocking, threads, host->start.beta.data()));
}

#define GRIDMARK_INSTANTIATE(T)                                                                             \
    template std::unique_ptr<harness::Work> gpu_work<T>(launch::Device&, const std::string&, int, BetaPath, \
                                                        std::uint64_t);                                     \
    template std::unique_ptr<harness::Work> cpu_work<T>(const std::string&, int, const Blocking&, int,      \
                                                        std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::heat

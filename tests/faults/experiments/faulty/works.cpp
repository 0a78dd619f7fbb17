#include "experiments/faulty/works.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "experiments/faulty/fault.hpp"
#include "kernels/faulty/gpu.hpp"

#include "tests/support/faulty_device.hpp"

namespace gridmark::faulty {
namespace {

/// Names the moments of a point's life: what `iterate` is called for shows by how many iterations it is asked
/// for.
class Moments {
  public:
    std::string of(int iterations) {
        return iterations == sample_iterations ? "sample" + std::to_string(++samples_) : "warm";
    }

  private:
    int samples_ = 0;
};

class CpuWork final : public harness::Work {
  public:
    explicit CpuWork(std::string place) : place_(std::move(place)) { fault_here(place_, "prepare"); }

    harness::Verification verify() override {
        fault_here(place_, "verify");
        negate();
        double sum = armed(place_, "verify", "wrong") ? 1 : 0;
        if (armed(place_, "verify", "nan")) sum = std::nan("");
        for (const double value : values_)
            sum += value + 1;
        return {"what is known", std::abs(sum), 0, 1};
    }
    void iterate(int count) override {
        fault_here(place_, moments_.of(count));
        for (int k = 0; k < count; ++k)
            negate();
    }

  private:
    void negate() {
        for (double& value : values_)
            value = -value;
    }

    std::string place_;
    Moments moments_;
    std::vector<double> values_ = std::vector<double>(1000, 1.0);
};

constexpr std::size_t more_than_any_gpu = std::size_t{1} << 46;

class DeviceWork final : public harness::Work {
  public:
    DeviceWork(std::unique_ptr<launch::Device> own, launch::Device& device, std::string place)
        : own_(std::move(own)), device_(device), place_(std::move(place)) {
        if (own_ == nullptr && armed(place_, "prepare", "oom"))
            launch::Buffer<char>(device_, more_than_any_gpu);
        values_ = launch::Buffer<float>(device_, std::vector<float>(1000, 1.0F));
    }

    harness::Verification verify() override {
        launch("verify");
        std::vector<float> values(values_.size());
        values_.download(values);
        double error = 0;
        for (const float value : values)
            error = std::max(error, std::abs(value + 1.0));
        return {"what is known", error, 0, 1};
    }
    void iterate(int count) override {
        const std::string moment = moments_.of(count);
        for (int k = 0; k < count; ++k)
            launch(k == 0 ? moment : "");
    }

  private:
    void launch(const std::string& moment) {
        const launch::Stream stream = device_.stream();
        if (own_ == nullptr && armed(place_, moment, "illegal"))
            GRIDMARK_SELECT(stream, write_nowhere)(stream);
        if (own_ == nullptr && armed(place_, moment, "spin")) GRIDMARK_SELECT(stream, spin)(stream);
        fault_here(place_, moment);
        GRIDMARK_SELECT(stream, negate)(stream, values_.data(), static_cast<int>(values_.size()));
    }

    std::unique_ptr<launch::Device> own_;
    launch::Device& device_;
    std::string place_;
    Moments moments_;
    launch::Buffer<float> values_;
};

}  // namespace

std::unique_ptr<harness::Work> cpu_work(const std::string& place) {
    return std::make_unique<CpuWork>(place);
}

std::unique_ptr<harness::Work> device_work(launch::Device* gpu, const std::string& place) {
    if (gpu != nullptr) return std::make_unique<DeviceWork>(nullptr, *gpu, place);
    // The constructor's array is allocation 0; launch 0 verifies, later ones warm up.
    const bool oom = armed(place, "prepare", "oom"), illegal = armed(place, "verify", "illegal"),
               late = armed(place, "sample1", "illegal");
    auto host = std::make_unique<tests::FaultyDevice>(tests::Faults{.illegal_launch = illegal ? 0
                                                                                      : late  ? 1
                                                                                              : -1,
                                                                    .refused_allocation = oom ? 0 : -1});
    launch::Device& device = *host;
    return std::make_unique<DeviceWork>(std::move(host), device, place);
}

}  // namespace gridmark::faulty

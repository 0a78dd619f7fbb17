#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/diffusion/cpu.hpp"
#include "kernels/diffusion/gpu.hpp"

#include "harness/stepper.hpp"

namespace gridmark::diffusion {

template <class T>
class CpuStepper final : public harness::Stepper<T> {
  public:
    CpuStepper(const Problem& problem, int threads) : problem_(problem), threads_(threads) {}

    void start(std::span<const T> field, std::span<const T> target) override {
        now_.assign(field.begin(), field.end());
        next_.assign(target.begin(), target.end());
    }
    void steps(int count) override {
        for (; count > 0; --count, now_.swap(next_))
            cpu_openmp(problem_, now_.data(), next_.data(), threads_);
    }
    void read(std::span<T> field) override { std::copy(now_.begin(), now_.end(), field.begin()); }

  private:
    Problem problem_;
    int threads_;
    std::vector<T> now_, next_;
};

template <class T>
class GpuStepper final : public harness::Stepper<T> {
  public:
    GpuStepper(launch::Device& device, const Problem& problem)
        : stream_(device.stream()), problem_(problem), now_(device, problem.n), next_(device, problem.n) {}

    void start(std::span<const T> field, std::span<const T> target) override {
        now_.upload(field);
        next_.upload(target);
    }
    void steps(int count) override {
        for (; count > 0; --count, now_.swap(next_))
            GRIDMARK_SELECT(stream_, gpu_plain<T>)(stream_, problem_, now_.data(), next_.data());
    }
    void read(std::span<T> field) override { now_.download(field); }
    std::optional<launch::KernelInfo> kernel_info() const override {
        return GRIDMARK_SELECT(stream_, gpu_plain_info<T>)();
    }

  private:
    launch::Stream stream_;
    Problem problem_;
    launch::Buffer<T> now_, next_;
};

/// gpu_plain on a device; where that is null, cpu_openmp with `threads` threads. Fields are n values.
template <class T>
std::unique_ptr<harness::Stepper<T>> stepper(launch::Device* device, const Problem& problem, int threads) {
    if (device == nullptr) return std::make_unique<CpuStepper<T>>(problem, threads);
    return std::make_unique<GpuStepper<T>>(*device, problem);
}

}  // namespace gridmark::diffusion

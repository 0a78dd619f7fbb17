#include "experiments/jacobi/work.hpp"

#include <algorithm>

#include "experiments/jacobi/case.hpp"
#include "experiments/jacobi/several.hpp"
#include "kernels/jacobi/cpu.hpp"
#include "kernels/storage.hpp"

namespace gridmark::jacobi {
namespace {

template <class T>
class GpuWork final : public harness::Work {
  public:
    GpuWork(launch::Device& device, const GpuVariant<T>& variant, int nx, int ny, const Tiling& tiling,
            launch::Carveout carveout, std::uint64_t seed)
        : device_(device),
          variant_(variant),
          tiling_(tiling),
          carveout_(carveout),
          case_(shared_device_case<T>(device, nx, ny, seed)),
          buffers_{launch::Buffer<T>(device, case_->psi0.size()),
                   launch::Buffer<T>(device, case_->psi0.size())} {
        start_from(case_->psi0);
    }

    harness::Verification verify() override {
        start_from(case_->poisoned);
        select();
        iterate(verified_sweeps);
        case_->downloaded.resize(buffers_[at_].size());
        buffers_[at_].download(case_->downloaded);
        return case_->host->compare(case_->downloaded);
    }

    void select() override { variant_.prepare(device_.stream(), case_->host->problem, tiling_, carveout_); }

    void iterate(int count) override {
        for (int n = 0; n < count; ++n, at_ ^= 1)
            variant_.sweep(device_.stream(), case_->host->problem, tiling_, buffers_[at_].data(),
                           case_->omega.data(), buffers_[at_ ^ 1].data());
    }

    std::optional<launch::KernelInfo> kernel_info() const override { return variant_.info(tiling_); }

  private:
    void start_from(const launch::Buffer<T>& other) {
        device_.copy(buffers_[0].data(), case_->psi0.data(), case_->psi0.size() * sizeof(T));
        device_.copy(buffers_[1].data(), other.data(), other.size() * sizeof(T));
        at_ = 0;
    }

    launch::Device& device_;
    const GpuVariant<T>& variant_;
    Tiling tiling_;
    launch::Carveout carveout_;
    std::shared_ptr<const DeviceCase<T>> case_;
    launch::Buffer<T> buffers_[2];
    int at_ = 0;
};

/// An iteration is a launch of as many sweeps as the version does at most.
template <class T>
class SeveralWork final : public harness::Work {
  public:
    SeveralWork(launch::Device& device, const std::string& variant, int most, int nx, int ny,
                std::uint64_t seed)
        : case_(shared_case<T>(nx, ny, seed, verified_several_sweeps(most))),
          sweeps_(device, variant, case_->problem, case_->omega) {
        sweeps_.start(case_->psi0, case_->psi0);
    }

    harness::Verification verify() override {
        sweeps_.start(case_->psi0, case_->poisoned);
        sweeps_.advance(case_->sweeps);
        Storage<T> psi(case_->psi0.size());
        sweeps_.last(psi);
        return case_->compare(psi);
    }

    void iterate(int count) override { sweeps_.advance(count * sweeps_.version().most); }

    std::optional<launch::KernelInfo> kernel_info() const override { return sweeps_.version().info(); }

  private:
    std::shared_ptr<const Case<T>> case_;
    SeveralSweeps<T> sweeps_;
};

template <class T>
class CpuWork final : public harness::Work {
  public:
    CpuWork(bool naive, int nx, int ny, int threads, std::uint64_t seed)
        : naive_(naive),
          threads_(threads),
          case_(shared_case<T>(nx, ny, seed)),
          // The variant's own, allocated with the buffers: how they lie is then the same for all.
          omega_(case_->omega.begin(), case_->omega.end()),
          buffers_{{case_->psi0.begin(), case_->psi0.end()}, {case_->psi0.begin(), case_->psi0.end()}} {}

    harness::Verification verify() override {
        buffers_[0].assign(case_->psi0.begin(), case_->psi0.end());
        buffers_[1].assign(case_->poisoned.begin(), case_->poisoned.end());
        at_ = 0;
        iterate(verified_sweeps);
        return case_->compare(buffers_[at_]);
    }

    void iterate(int count) override {
        for (int n = 0; n < count; ++n, at_ ^= 1) {
            const T* psi = buffers_[at_].data();
            T* next = buffers_[at_ ^ 1].data();
            if (naive_)
                cpu_naive(case_->problem, psi, omega_.data(), next);
            else
                cpu_openmp(case_->problem, psi, omega_.data(), next, threads_);
        }
    }

  private:
    bool naive_;
    int threads_;
    std::shared_ptr<const Case<T>> case_;
    Storage<T> omega_, buffers_[2];
    int at_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const std::string& variant, int nx, int ny,
                                        const Tiling& tiling, launch::Carveout carveout, std::uint64_t seed) {
    return std::make_unique<GpuWork<T>>(device, *find_gpu_variant<T>(device.executor(), variant), nx, ny,
                                        tiling, carveout, seed);
}

template <class T>
std::unique_ptr<harness::Work> several_work(launch::Device& device, const std::string& variant, int nx,
                                            int ny, std::uint64_t seed) {
    const int most = find_gpu_several<T>(device.executor(), variant)->most;
    return std::make_unique<SeveralWork<T>>(device, variant, most, nx, ny, seed);
}

template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, int nx, int ny, int threads,
                                        std::uint64_t seed) {
    return std::make_unique<CpuWork<T>>(variant == "cpu_naive", nx, ny, threads, seed);
}

#define GRIDMARK_INSTANTIATE(T)                                                                            \
    template std::unique_ptr<harness::Work> gpu_work<T>(launch::Device&, const std::string&, int, int,     \
                                                        const Tiling&, launch::Carveout, std::uint64_t);   \
    template std::unique_ptr<harness::Work> several_work<T>(launch::Device&, const std::string&, int, int, \
                                                            std::uint64_t);                                \
    template std::unique_ptr<harness::Work> cpu_work<T>(const std::string&, int, int, int, std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::jacobi

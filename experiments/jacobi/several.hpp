#pragma once

#include <span>
#include <string_view>

#include "kernels/jacobi/gpu_several.hpp"

namespace gridmark::jacobi {

/// A version that does several sweeps in a launch, on a device, with its two fields in place. Throws
/// std::invalid_argument for a grid that it cannot take there.
template <class T>
class SeveralSweeps {
  public:
    SeveralSweeps(launch::Device& device, std::string_view variant, const Problem& problem,
                  std::span<const T> omega)
        : device_(device),
          problem_(problem),
          version_(*find_gpu_several<T>(device.executor(), variant)),
          omega_(device, omega),
          psi_{launch::Buffer<T>(device, omega.size()), launch::Buffer<T>(device, omega.size())},
          scratch_(device, version_.scratch_bytes(problem)) {}

    /// Sets the field; `target` is what stands where the first launch writes.
    void start(std::span<const T> psi, std::span<const T> target) {
        psi_[0].upload(psi);
        psi_[1].upload(target);
        at_ = 0;
        if (scratch_.size() > 0) device_.fill_bytes(scratch_.data(), 0, scratch_.size());
    }
    /// Puts `count` sweeps into the device's stream, in as few launches as they take.
    void advance(int count) {
        for (int left = count; left > 0; at_ ^= 1) {
            const int now = version_.at_once(left);
            version_.sweeps(device_.stream(), problem_, now, psi_[at_].data(), omega_.data(),
                            psi_[at_ ^ 1].data(), scratch_.data());
            left -= now;
        }
    }
    /// The last field, and the one before the last launch.
    void last(std::span<T> psi) const { psi_[at_].download(psi); }
    void previous(std::span<T> psi) const { psi_[at_ ^ 1].download(psi); }

    const GpuSeveral<T>& version() const { return version_; }

  private:
    launch::Device& device_;
    Problem problem_;
    const GpuSeveral<T>& version_;
    launch::Buffer<T> omega_, psi_[2];
    launch::Buffer<unsigned char> scratch_;
    int at_ = 0;
};

}  // namespace gridmark::jacobi

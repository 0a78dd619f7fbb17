#pragma once

#include <span>

#include "kernels/jacobi/gpu_persistent.hpp"

namespace gridmark::jacobi {

/// gpu_persistent on a device, with its two fields in place. Throws std::invalid_argument for a grid that
/// does not fit on it.
template <class T>
class PersistentSweeps {
  public:
    PersistentSweeps(launch::Device& device, const Problem& problem, std::span<const T> omega)
        : device_(device),
          problem_(problem),
          version_(*gpu_persistent<T>(device.executor())),
          omega_(device, omega),
          psi_{launch::Buffer<T>(device, omega.size()), launch::Buffer<T>(device, omega.size())},
          scratch_(device, version_.scratch_bytes(problem)) {}

    /// Sets the field; `target` is what stands where the first launch writes.
    void start(std::span<const T> psi, std::span<const T> target) {
        psi_[0].upload(psi);
        psi_[1].upload(target);
        at_ = 0;
        device_.fill_bytes(scratch_.data(), 0, scratch_.size());
    }
    /// Puts a launch of `count` sweeps into the device's stream.
    void launch(int count) {
        version_.sweeps(device_.stream(), problem_, count, psi_[at_].data(), omega_.data(),
                        psi_[at_ ^ 1].data(), scratch_.data());
        at_ ^= 1;
    }
    /// The last field, and the one before the last launch.
    void last(std::span<T> psi) const { psi_[at_].download(psi); }
    void previous(std::span<T> psi) const { psi_[at_ ^ 1].download(psi); }

    std::optional<launch::KernelInfo> kernel_info() const { return version_.info(); }

  private:
    launch::Device& device_;
    Problem problem_;
    const GpuPersistent<T>& version_;
    launch::Buffer<T> omega_, psi_[2];
    launch::Buffer<unsigned char> scratch_;
    int at_ = 0;
};

}  // namespace gridmark::jacobi

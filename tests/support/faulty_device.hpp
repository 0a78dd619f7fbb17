#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/launch/host_block.hpp"
#include "tests/support/tracking_device.hpp"

namespace gridmark::tests {

/// What goes wrong on a FaultyDevice. Launches and allocations are counted from 0.
struct Faults {
    /// What stands in the place of every kernel: one that does nothing, or one that copies its input to its
    /// output (an array that it changes gets the bytes of another of its arguments of the same size; where
    /// there is none, it works in place and keeps what it had).
    enum class Kernel { real, null, copying } kernel = Kernel::real;
    int illegal_launch = -1;      ///< the kernel that accesses an illegal address; -1: none
    int refused_allocation = -1;  ///< the allocation that finds no memory; -1: none
};

/// The host in place of a GPU that fails as a GPU does: a launch with an illegal access seems to succeed, and
/// every call after it fails; an allocation without memory fails alone.
class FaultyDevice final : public TrackingDevice {
  public:
    explicit FaultyDevice(Faults faults = {}) : TrackingDevice(launch::HostOptions{}), faults_(faults) {}

    /// What goes wrong from now on; counts start anew, as in a new process.
    void set(Faults faults) {
        faults_ = faults;
        launches_ = allocations_ = 0;
        lost_ = false;
    }
    void* allocate(std::size_t bytes) override {
        check("allocating memory");
        if (allocations_++ == faults_.refused_allocation)
            throw launch::OutOfMemory("CUDA error while allocating " + std::to_string(bytes) +
                                      " bytes on the GPU: out of memory (cudaErrorMemoryAllocation)");
        return TrackingDevice::allocate(bytes);
    }
    void copy(void* to, const void* from, std::size_t bytes) override {
        check("copying");
        HostDevice::copy(to, from, bytes);
    }
    void synchronize() override { check("waiting for the GPU"); }

    void launch(const launch::executor::Call& call, const std::function<void()>& run) override {
        check("launching a kernel");
        if (launches_++ == faults_.illegal_launch)
            lost_ = true;
        else if (faults_.kernel == Faults::Kernel::real)
            run();
        else if (faults_.kernel == Faults::Kernel::copying)
            copy_input(call, run);
    }
    int launches() const { return launches_; }

  private:
    struct Array {
        std::byte* at;
        std::vector<std::byte> before;
        bool is_output = false;
    };

    void check(const char* doing) const {
        if (lost_)
            throw launch::Error(std::string("CUDA error while ") + doing +
                                ": an illegal memory access was encountered (cudaErrorIllegalAddress)");
    }

    /// The arrays that a kernel's arguments point into, whether directly or from a struct.
    std::vector<Array> arrays_of(const launch::executor::Call& call) const {
        std::vector<Array> found;
        for (std::size_t at = 0; at + sizeof(std::byte*) <= call.bytes; at += sizeof(std::byte*)) {
            std::byte* address = nullptr;
            std::memcpy(&address, static_cast<const std::byte*>(call.arguments) + at, sizeof address);
            auto next = arrays_.upper_bound(address);
            if (next == arrays_.begin()) continue;
            const auto& [start, bytes] = *--next;
            const auto same = [start = start](const Array& array) { return array.at == start; };
            if (address < start + bytes && std::none_of(found.begin(), found.end(), same))
                found.push_back({start, {start, start + bytes}});
        }
        return found;
    }

    /// Lets the kernel tell which arrays it writes, then undoes it and copies.
    void copy_input(const launch::executor::Call& call, const std::function<void()>& run) {
        std::vector<Array> arrays = arrays_of(call);
        run();
        for (Array& array : arrays) {
            array.is_output = std::memcmp(array.at, array.before.data(), array.before.size()) != 0;
            std::memcpy(array.at, array.before.data(), array.before.size());
        }
        for (const Array& to : arrays)
            for (const Array& from : arrays)
                if (to.is_output && !from.is_output && from.before.size() == to.before.size()) {
                    std::memcpy(to.at, from.before.data(), to.before.size());
                    break;
                }
    }

    Faults faults_;
    int launches_ = 0, allocations_ = 0;
    bool lost_ = false;
};

}  // namespace gridmark::tests

#pragma once

#include <string>

#include "harness/expected.hpp"
#include "harness/os/dynamic_library.hpp"

// The toolkit in use brings no nvml.h, so the few prototypes stand where they are called. NVML keeps its
// binary interface: a function whose parameters change gets a new name (_v2).
namespace gridmark::harness {

/// The driver's management library, loaded when first asked.
class Nvml {
  public:
    using Device = struct nvmlDevice_st*;
    using Result = int;
    static constexpr Result success = 0, too_little_room = 7, nothing_found = 6;

    static const Nvml& instance();

    /// Why it cannot be used; empty where it can.
    const std::string& reason() const { return reason_; }

    /// What the function `name` returns; `failure` says why it could not be called. Its parameters must be
    /// exactly of the types Args.
    template <class... Args>
    Result result(const char* name, std::string& failure, Args... args) const {
        failure = reason_;
        auto* function = reason_.empty() ? library_.value->find<Result(Args...)>(name) : nullptr;
        if (function == nullptr) {
            if (failure.empty()) failure = std::string("this driver has no ") + name;
            return -1;
        }
        return function(args...);
    }

    /// Calls it; why it failed, empty if it did not.
    template <class... Args>
    std::string call(const char* name, Args... args) const {
        std::string failure;
        const Result got = result(name, failure, args...);
        return !failure.empty() || got == success ? failure : explain(name, got);
    }

    /// "nvmlDeviceGetUUID: Not Supported".
    std::string explain(const char* name, Result result) const;

  private:
    Nvml();

    Expected<DynamicLibrary> library_;
    std::string reason_;
};

/// The GPU at a PCI address ("0000:3b:00.0"): NVML numbers GPUs otherwise than CUDA does. Of a MIG slice it
/// is the card.
Expected<Nvml::Device> nvml_card(const std::string& pci_bus_id);
/// The GPU of a UUID ("GPU-..."), or the slice of one, which CUDA gives no other name ("MIG-..." is NVML's).
Expected<Nvml::Device> nvml_device(const std::string& uuid);

}  // namespace gridmark::harness

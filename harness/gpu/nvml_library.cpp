#include "harness/gpu/nvml_library.hpp"

#include <string_view>

namespace gridmark::harness {

const Nvml& Nvml::instance() {
    static const Nvml nvml;
    return nvml;
}

Nvml::Nvml()
    : library_(DynamicLibrary::open({"libnvidia-ml.so.1", "libnvidia-ml.so"}, "libnvidia-ml (GPU driver)")) {
    if (!library_)
        reason_ = library_.reason;
    else
        reason_ = call("nvmlInit_v2");
}

std::string Nvml::explain(const char* name, Result result) const {
    auto* describe = library_ ? library_.value->find<const char*(Result)>("nvmlErrorString") : nullptr;
    const char* text = describe != nullptr ? describe(result) : nullptr;
    return std::string(name) + ": " + (text != nullptr ? text : "error " + std::to_string(result));
}

namespace {

Expected<Nvml::Device> handle(const char* function, const std::string& name) {
    Nvml::Device device = nullptr;
    const auto failure = Nvml::instance().call(function, name.c_str(), &device);
    return failure.empty() ? known(device) : unknown<Nvml::Device>(failure);
}

}  // namespace

Expected<Nvml::Device> nvml_card(const std::string& pci_bus_id) {
    return handle("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id);
}

Expected<Nvml::Device> nvml_device(const std::string& uuid) {
    constexpr std::string_view of_a_card = "GPU-";
    auto device = handle("nvmlDeviceGetHandleByUUID", uuid);
    if (!device && uuid.starts_with(of_a_card))
        if (auto slice = handle("nvmlDeviceGetHandleByUUID", "MIG-" + uuid.substr(of_a_card.size())); slice)
            return slice;
    return device;
}

}  // namespace gridmark::harness

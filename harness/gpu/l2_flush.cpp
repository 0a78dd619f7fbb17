#include "harness/gpu/properties.hpp"
#include "harness/gpu/step_clock.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {
namespace {

std::size_t twice_l2(launch::Device& device) {
    const auto properties = read_gpu_properties(gpu_ordinal(device));
    if (!properties) throw launch::Unavailable(properties.reason);
    return 2 * static_cast<std::size_t>(properties.value->l2_bytes);
}

}  // namespace

L2Flush::L2Flush(launch::Device& device) : device_(&device), buffer_(device, twice_l2(device)) {}

void L2Flush::operator()() {
    device_->fill_bytes(buffer_.data(), 0, buffer_.size());
}

}  // namespace gridmark::harness

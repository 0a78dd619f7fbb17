// Stands in for step_clock.cpp where there is no CUDA toolkit.

#include "harness/gpu/step_clock.hpp"

namespace gridmark::harness {
namespace {

[[noreturn]] void refuse() {
    throw launch::Unavailable("built without the CUDA toolkit: no GPU to time");
}

}  // namespace

struct GraphReplay::State {};

double seconds_between_events(launch::Stream, const std::function<void()>&) {
    refuse();
}
GraphReplay::GraphReplay(launch::Stream, const std::function<void()>&) {
    refuse();
}
GraphReplay::GraphReplay(GraphReplay&&) noexcept = default;
GraphReplay& GraphReplay::operator=(GraphReplay&&) noexcept = default;
GraphReplay::~GraphReplay() = default;
void GraphReplay::replay(int) {
    refuse();
}

}  // namespace gridmark::harness

#include "harness/run/missing_reason.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "kernels/launch/error.hpp"

namespace gridmark::harness {

std::optional<MissingReason> attempt(const std::function<void()>& body, bool& gpu_lost) {
    try {
        body();
    } catch (const launch::OutOfMemory& error) {  // leaves the GPU as it was
        return MissingReason{Status::failed, error.what()};
    } catch (const launch::Unavailable& error) {
        return MissingReason{Status::skipped, error.what()};
    } catch (const launch::Error& error) {
        gpu_lost = true;
        return MissingReason{Status::failed, error.what()};
    } catch (const std::exception& error) {
        return MissingReason{Status::failed, error.what()};
    }
    return std::nullopt;
}

double finite(double value) {
    if (!std::isfinite(value)) throw std::range_error(fmt::format("its value is not finite: {}", value));
    return value;
}

}  // namespace gridmark::harness

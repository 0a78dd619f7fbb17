#include "harness/run/no_number.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "kernels/launch/error.hpp"

namespace gridmark::harness {

std::optional<NoNumber> attempt(const std::function<void()>& body, bool& gpu_lost) {
    try {
        body();
    } catch (const launch::OutOfMemory& error) {  // leaves the GPU as it was
        return NoNumber{"failed", error.what()};
    } catch (const launch::Unavailable& error) {
        return NoNumber{"skipped", error.what()};
    } catch (const launch::Error& error) {
        gpu_lost = true;
        return NoNumber{"failed", error.what()};
    } catch (const std::exception& error) {
        return NoNumber{"failed", error.what()};
    }
    return std::nullopt;
}

double finite(double value) {
    if (!std::isfinite(value)) throw std::range_error(fmt::format("its value is not finite: {}", value));
    return value;
}

}  // namespace gridmark::harness

#include "harness/run/prepared.hpp"

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

Prepared make(const std::function<std::unique_ptr<Work>()>& make_work, bool& gpu_lost) {
    Prepared result;
    result.none = attempt([&] { result.work = make_work(); }, gpu_lost);
    return result;
}

void check(Prepared& prepared, bool& gpu_lost) {
    if (prepared.work == nullptr) return;
    prepared.checked = true;
    prepared.none = attempt(
        [&] {
            const Verification v = prepared.work->verify();
            if (std::isfinite(v.error)) prepared.verification = v;
            if (!v.passed())
                throw std::runtime_error(
                    fmt::format("wrong answer: error {:.3g} after {} steps, tolerance {:.3g}", v.error,
                                v.steps, v.tolerance));
            if (!v.can_fail())
                throw std::runtime_error(fmt::format(
                    "verified by nothing: its tolerance {:.3g} is beyond 1 % of the field's {:.3g}",
                    v.tolerance, v.scale.value_or(1)));
            prepared.kernel = prepared.work->kernel_info();
            prepared.made_by = prepared.work->made_by();
        },
        gpu_lost);
    if (prepared.none) prepared.work.reset();
}

}  // namespace gridmark::harness

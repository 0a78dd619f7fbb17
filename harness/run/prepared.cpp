#include "harness/run/prepared.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gridmark::harness {

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
            prepared.kernel = prepared.work->kernel_info();
            prepared.made_by = prepared.work->made_by();
        },
        gpu_lost);
    if (prepared.none) prepared.work.reset();
}

}  // namespace gridmark::harness

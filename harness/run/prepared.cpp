#include "harness/run/prepared.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gridmark::harness {
namespace {

using nlohmann::json;

json to_json(const launch::KernelInfo& info) {
    return {{"registers", info.registers},
            {"static_shared", info.static_shared},
            {"blocks_per_multiprocessor", info.blocks_per_multiprocessor}};
}

/// Null where the error is no number that a file can hold.
json to_json(const Verification& v) {
    if (!std::isfinite(v.error)) return nullptr;
    return {{"against", v.against}, {"error", v.error}, {"tolerance", v.tolerance}, {"steps", v.steps}};
}

}  // namespace

Prepared prepare(const std::function<std::unique_ptr<Work>()>& make, bool& gpu_lost) {
    Prepared result;
    result.none = attempt(
        [&] {
            auto work = make();
            const Verification v = work->verify();
            result.verification = to_json(v);
            if (!v.passed())
                throw std::runtime_error(
                    fmt::format("wrong answer: error {:.3g} after {} steps, tolerance {:.3g}", v.error,
                                v.steps, v.tolerance));
            if (const auto info = work->kernel_info()) result.kernel = to_json(*info);
            result.made_by = work->made_by();
            result.work = std::move(work);
        },
        gpu_lost);
    return result;
}

}  // namespace gridmark::harness

#include "harness/run/prepared.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gridmark::harness {
namespace {

using nlohmann::json;

json to_json(const launch::KernelInfo& info) {
    return {{"registers", info.registers},
            {"static_shared", info.static_shared},
            {"blocks_per_multiprocessor", info.blocks_per_multiprocessor},
            {"threads_per_block", info.threads_per_block},
            {"occupancy", info.occupancy}};
}

/// Null where the error is no number that a file can hold.
json to_json(const Verification& v) {
    if (!std::isfinite(v.error)) return nullptr;
    return {{"against", v.against}, {"error", v.error}, {"tolerance", v.tolerance}, {"steps", v.steps}};
}

}  // namespace

Prepared make(const std::function<std::unique_ptr<Work>()>& make_work, bool& gpu_lost) {
    Prepared result;
    result.none = attempt([&] { result.work = make_work(); }, gpu_lost);
    return result;
}

void check(Prepared& prepared, bool& gpu_lost) {
    if (prepared.work == nullptr) return;
    prepared.none = attempt(
        [&] {
            const Verification v = prepared.work->verify();
            prepared.verification = to_json(v);
            if (!v.passed())
                throw std::runtime_error(
                    fmt::format("wrong answer: error {:.3g} after {} steps, tolerance {:.3g}", v.error,
                                v.steps, v.tolerance));
            if (const auto info = prepared.work->kernel_info()) prepared.kernel = to_json(*info);
            prepared.made_by = prepared.work->made_by();
        },
        gpu_lost);
    if (prepared.none) prepared.work.reset();
}

}  // namespace gridmark::harness

#include "harness/run/compute.hpp"

#include "harness/run/missing_reason.hpp"
#include "harness/run/rows.hpp"

namespace gridmark::harness {

nlohmann::json compute_row(const std::string& experiment, const Computed& computed, bool& gpu_lost) {
    double value = 0;
    if (const auto none = attempt([&] { value = finite(computed.value()); }, gpu_lost))
        return quantity_row(experiment, computed, none->status, none->reason);
    nlohmann::json row = quantity_row(experiment, computed, "ok", nullptr);
    set_exact_value(row, value);
    return row;
}

}  // namespace gridmark::harness

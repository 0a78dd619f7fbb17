#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/model/machine.hpp"

/// Machines that nobody measured here, as their data sheets and publications describe them.
namespace gridmark::harness {

/// A sheet as the model's limits, with what had to be assumed.
struct SheetLimits {
    MachineLimits limits;
    std::string kind;                  ///< "gpu" or "cpu": the other side is not forecast
    std::vector<std::string> assumed;  ///< "gpu_launch: as on NVIDIA H200", a line each
};

/// Sheets that are delivered, by their id ("a100-sxm4-80gb").
const nlohmann::json& delivered_sheets();

/// Throws UsageError, with `label` in front, for a sheet that lacks what it must have, and for nonsense: a
/// number that is not above 0, an unknown ceiling, a memory faster than the caches before it.
void check_sheet(const nlohmann::json& sheet, const std::string& label);

/// A file with one sheet, checked, or the delivered one of that id. Throws UsageError for neither.
nlohmann::json read_sheet(const std::string& file_or_id);

/// What a sheet does not say in the words of a measured ceiling follows from `reference`, a machine with a
/// sheet of its own: a peak is reached to the same share there and here; latencies of the chip are as many
/// clocks, rates as many a clock and multiprocessor; launches take as long.
SheetLimits limits_of_sheet(const nlohmann::json& sheet, const MachineLimits& reference,
                            const nlohmann::json& reference_sheet);

}  // namespace gridmark::harness

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// A comparison's document (compare.schema.json) as text.
namespace gridmark::harness {

/// What `--fail-on` asks for: a verdict ("slower", "faster", "higher", "lower") and by how much, 0.05 for 5
/// %.
struct FailOn {
    std::string verdict;
    double share;
};
/// From "slower=5%". Throws UsageError for anything else.
FailOn parse_fail_on(const std::string& text);

/// The answer of two sets, then the rows that differ, largest first, by study and variant; or every row.
std::string comparison_text(const nlohmann::json& document, bool all);
/// The same of a history.
std::string history_text(const nlohmann::json& document, bool all);

/// The rows that a limit forbids, a line each; of a history the newest set against the oldest. Throws
/// UsageError where no row of the document can be compared: a check that cannot fail is none.
std::vector<std::string> forbidden(const nlohmann::json& document, const std::vector<FailOn>& limits);

}  // namespace gridmark::harness

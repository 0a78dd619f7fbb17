#pragma once

#include <ostream>
#include <string>

#include "harness/verdicts/verdict.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {

/// For GoogleTest's messages.
inline void PrintTo(Verdict verdict, std::ostream* to) {
    *to << to_string(verdict);
}

}  // namespace gridmark::harness

/// Rows of variants and tiles; those of one tile were measured in turns.
namespace gridmark::tests {

inline json changes(const std::string& variant, const std::string& tile, const json& more = json::object()) {
    json result{
        {"variant", variant}, {"parameters", {{"tile", tile}, {"nx", 512}}}, {"group", "group " + tile}};
    result.update(more);
    return result;
}

inline json time_of(const std::string& variant, const std::string& tile, double us,
                    const json& more = json::object()) {
    return timed_row(variant + "/" + tile, about(us), changes(variant, tile, more));
}

inline json without_time(const std::string& variant, const std::string& tile, const std::string& status,
                         const std::string& reason) {
    return row_without_time(variant + "/" + tile, status, reason, changes(variant, tile));
}

inline json skipped(const std::string& variant, const std::string& tile) {
    return without_time(variant, tile, "skipped", "no GPU is visible");
}

/// A claim: each tile takes longer with `shared` than with `plain`, by the times that have these words.
inline json shared_is_slower(const json& words = json::object()) {
    json select{{"quantity", "time"}};
    select.update(words);
    return {{"kind", "ordering"},
            {"pairs",
             {{"numerator", {{"variant", "shared"}}},
              {"denominator", {{"variant", "plain"}}},
              {"by", {"tile"}},
              {"select", select}}},
            {"tolerance", 0.02}};
}

}  // namespace gridmark::tests

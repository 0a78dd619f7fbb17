#pragma once

#include <string>
#include <vector>

#include "harness/compare/compare.hpp"
#include "tests/support/documents.hpp"

/// Sets of results to compare.
namespace gridmark::harness {

using nlohmann::json;

/// Three processes of nine samples about `us`, bound by a ceiling to a share.
inline json bound_row(const std::string& name, double us, const char* ceiling = nullptr, double share = 0.8,
                      const char* clock = "kernel") {
    json made = tests::timed_row(name, tests::about(us), {{"process_samples", {9, 9, 9}}, {"clock", clock}});
    if (ceiling != nullptr)
        made["limit"] = {{"ceiling", ceiling}, {"value", share * us}, {"unit", "us"}, {"share", share}};
    return made;
}

inline json ceiling(const char* name, double value, const char* unit) {
    return {{"name", name}, {"value", value}, {"unit", unit}, {"reason", nullptr}, {"how", "measured"}};
}

inline ResultSet set_in(const std::string& folder, const json& rows, const json& changes = json::object()) {
    json d = tests::document(rows);
    d["context"].merge_patch(changes);
    return {folder, "Some GPU", true, {{"jacobi", d.get<ResultFile>()}}};
}

inline std::vector<const ResultSet*> addresses_of(const std::vector<ResultSet>& sets) {
    std::vector<const ResultSet*> given;
    for (const ResultSet& set : sets)
        given.push_back(&set);
    return given;
}

}  // namespace gridmark::harness

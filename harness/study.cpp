#include <algorithm>

#include "harness/experiment.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// One property of a variant, as "versions" asks for it.
bool has(const Variant& variant, const std::string& key, const std::string& word) {
    if (key == "kind") return word == (variant.kind == Variant::Kind::cuda ? "cuda" : "cpu");
    if (key == "origin") return word == to_string(variant.origin);
    return variant.uses.contains(word) == (key == "uses");
}

json names_of(const json& described, const std::vector<Variant>& variants) {
    json names = json::array();
    for (const Variant& variant : variants)
        if (std::all_of(described.items().begin(), described.items().end(),
                        [&](const auto& item) { return has(variant, item.key(), item.value()); }))
            names.push_back(variant.name);
    return names;
}

void name_versions(json& node, const std::vector<Variant>& variants) {
    if (node.is_object() && node.contains("versions")) {
        node["variant"] = names_of(node["versions"], variants);
        node.erase("versions");
    }
    if (node.is_structured())
        for (json& child : node)
            name_versions(child, variants);
}

}  // namespace

json study_of(const Experiment& experiment) {
    json study = json::parse(experiment.study);
    name_versions(study["claims"], experiment.variants);
    return study;
}

}  // namespace gridmark::harness

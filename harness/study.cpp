#include <algorithm>

#include "harness/experiment.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// One property of a variant, as "versions" asks for it.
bool has(const Variant& variant, const std::string& key, const std::string& word) {
    if (key == "name") return word == variant.name;
    if (key == "kind") return word == (variant.kind == Variant::Kind::cuda ? "cuda" : "cpu");
    if (key == "origin") return word == to_string(variant.origin);
    return variant.uses.contains(word) == (key == "uses");
}

json names_of(const json& described, const std::vector<Variant>& variants) {
    json names = json::array();
    for (const Variant& variant : variants)
        if (fits(variant, described)) names.push_back(variant.name);
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

bool fits(const Variant& variant, const json& described) {
    for (const auto& [key, words] : described.items())
        for (const json& word : words.is_array() ? words : json::array({words}))
            if (!has(variant, key, word)) return false;
    return true;
}

json study_of(const Experiment& experiment) {
    json study = json::parse(experiment.study);
    name_versions(study["claims"], experiment.variants);
    return study;
}

}  // namespace gridmark::harness

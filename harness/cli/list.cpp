#include <fmt/format.h>

#include "harness/cli/commands.hpp"
#include "harness/experiment.hpp"
#include "harness/os/streams.hpp"
#include "harness/usage_error.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// Why a variant cannot run here; empty if it can.
std::string unavailable_reason(const Variant& variant) {
    if (variant.kind == Variant::Kind::cpu) return variant.unavailable;
    return launch::gpu_unavailable_reason().value_or("");
}

json variant_entry(const Variant& variant, const json& study) {
    const std::string reason = unavailable_reason(variant);
    return {{"name", variant.name},
            {"kind", variant.kind == Variant::Kind::cuda ? "cuda" : "cpu"},
            {"origin", to_string(variant.origin)},
            {"available", reason.empty()},
            {"reason", reason.empty() ? json() : json(reason)},
            {"about", study["variants"].value(variant.name, "")}};
}

json entry(const std::string& id, const Experiment& experiment) {
    const json study = study_of(experiment);
    json variants = json::array(), tables = json::array(), claims = json::array();
    for (const Variant& variant : experiment.variants)
        variants.push_back(variant_entry(variant, study));
    for (const json& table : study["tables"])
        tables.push_back({{"id", table["id"]}, {"paper", table["paper"]}, {"title", table["title"]}});
    for (const json& claim : study["claims"])
        claims.push_back({{"id", claim["id"]}, {"statement", claim["statement"]}, {"place", claim["place"]}});
    return {{"id", id},         {"title", study["title"]}, {"tables", tables},
            {"claims", claims}, {"variants", variants},    {"small", study.value("small", json::array())}};
}

void print_experiment(const json& experiment) {
    print_out("{}: {}\n", experiment["id"].get<std::string>(), experiment["title"].get<std::string>());
    for (const json& table : experiment["tables"])
        print_out("  table   {:<22} {} ({})\n", table["id"].get<std::string>(),
                  table["title"].get<std::string>(), table["paper"].get<std::string>());
    for (const json& claim : experiment["claims"])
        print_out("  claim   {:<22} {}\n", claim["id"].get<std::string>(),
                  claim["statement"].get<std::string>());
    for (const json& variant : experiment["variants"])
        print_out("  variant {:<22} {}{}\n", variant["name"].get<std::string>(),
                  variant["about"].get<std::string>(),
                  variant["available"].get<bool>()
                      ? ""
                      : " [not here: " + variant["reason"].get<std::string>() + "]");
}

}  // namespace

void add_list(CLI::App& app, int&) {
    auto* command =
        app.add_subcommand("list", "experiments, tables, claims and variants, and what runs here");
    auto* id = command->add_option("EXPERIMENT", "only this experiment");
    auto* as_json = command->add_flag("--json")->description("as JSON");
    command->callback([id, as_json] {
        json list = json::array();
        const std::string only = id->count() > 0 ? id->as<std::string>() : "";
        for (const auto& [name, experiment] : experiments())
            if (only.empty() || only == name) list.push_back(entry(name, experiment));
        if (list.empty()) throw UsageError(only + ": no such experiment; see gridmark list");
        if (as_json->count() > 0) {
            print_out("{}\n", json{{"experiments", list}}.dump(1));
            return;
        }
        for (const json& experiment : list)
            print_experiment(experiment);
    });
}

}  // namespace gridmark::harness

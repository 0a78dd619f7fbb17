#include <fmt/format.h>

#include "harness/cli/commands.hpp"
#include "harness/experiment.hpp"
#include "harness/results/result_set.hpp"
#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

json errata_of(const json& study, const json& id) {
    json texts = json::array();
    for (const json& erratum : study["errata"])
        for (const json& claim : erratum["claims"])
            if (claim == id) texts.push_back(erratum["text"]);
    return texts;
}

json decided(const std::string& experiment, const json& study, const json& claim, const json& rows) {
    const Decision d = decide(claim, rows);
    json entry = {{"experiment", experiment},
                  {"published", claim["published"]["text"]},
                  {"measured", d.measured},
                  {"value", nullptr},
                  {"interval", nullptr},
                  {"verdict", to_string(d.verdict)},
                  {"because", d.because},
                  {"estimate", d.estimate},
                  {"errata", errata_of(study, claim["id"])}};
    for (const char* key : {"id", "statement", "quote", "place", "kind", "quantity"})
        entry[key] = claim[key];
    if (d.value) entry["value"] = *d.value;
    if (d.interval) entry["interval"] = {d.interval->low, d.interval->high};
    return entry;
}

json all_claims(const ResultSet& set) {
    json claims = json::array();
    for (const auto& [id, experiment] : experiments()) {
        const json study = study_of(experiment);
        const auto found = set.documents.find(id);
        const json rows = found == set.documents.end() ? json::array() : found->second["benchmarks"];
        for (const json& claim : study["claims"])
            claims.push_back(decided(id, study, claim, rows));
    }
    return {{"machine", set.machine},
            {"directory", set.directory.string()},
            {"complete", set.complete},
            {"claims", claims}};
}

void print(const json& document) {
    fmt::print("{}{}\n", document["machine"].get<std::string>(),
               document["complete"].get<bool>() ? "" : " (INCOMPLETE)");
    for (const json& claim : document["claims"]) {
        const auto measured = claim["measured"].get<std::string>();
        fmt::print("{:<4} {:<15} {}\n     published: {}; here: {}{}\n     because {}\n",
                   claim["id"].get<std::string>(), claim["verdict"].get<std::string>(),
                   claim["statement"].get<std::string>(), claim["published"].get<std::string>(),
                   measured.empty() ? "nothing" : measured,
                   claim["estimate"].get<bool>() ? " (estimate)" : "", claim["because"].get<std::string>());
    }
}

}  // namespace

void add_claims(CLI::App& app, int&) {
    auto* command = app.add_subcommand("claims", "every claim of the papers with its verdict on one machine");
    auto* machine = command->add_option("--machine", "folder of results")->default_val("results/local");
    auto* as_json = command->add_flag("--json")->description("as JSON");
    command->callback([machine, as_json] {
        const json document = all_claims(load_result_set(machine->as<std::string>()));
        if (as_json->count() > 0)
            fmt::print("{}\n", document.dump(1));
        else
            print(document);
    });
}

}  // namespace gridmark::harness

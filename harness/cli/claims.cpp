#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/experiment.hpp"
#include "harness/forecast/forecast.hpp"
#include "harness/os/streams.hpp"
#include "harness/results/result_file.hpp"
#include "harness/run/registry.hpp"
#include "harness/usage_error.hpp"
#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Ids = std::vector<std::string>;

/// The claims with these ids, all when none is named. Throws UsageError for an id that no study has.
json claims_of(const ResultSet& set, Ids wanted) {
    const bool all = wanted.empty();
    json claims = json::array();
    for (const auto& [id, experiment] : experiments()) {
        const json study = study_of(experiment);
        const auto found = set.files.find(id);
        const std::vector<Row> rows =
            found == set.files.end() ? std::vector<Row>{} : complete_rows(id, found->second);
        const std::vector<Flip> flips =
            found == set.files.end() ? std::vector<Flip>{} : flips_of(id, found->second);
        const Conditions conditions =
            found == set.files.end() ? Conditions{} : conditions_of(found->second.context);
        for (const json& claim : study["claims"])
            if (std::erase(wanted, claim["id"].get<std::string>()) > 0 || all) {
                claims.push_back(decided_claim(id, study, claim, rows, conditions));
                const auto flip = std::ranges::find(flips, claim["id"].get<std::string>(), &Flip::claim);
                claims.back()["turns"] = flip == flips.end() ? json() : json_of(*flip);
            }
    }
    if (!wanted.empty())
        throw UsageError(
            fmt::format("{}: no such claim; gridmark list --json names them all", wanted.front()));
    return {{"machine", set.machine},
            {"directory", set.directory.string()},
            {"complete", set.complete},
            {"claims", claims}};
}

std::string text(const json& object, const char* key) {
    return object[key].get<std::string>();
}

void line(const char* name, const std::string& value) {
    if (!value.empty()) print_out("     {:<10} {}\n", name, value);
}

void print_claims(const json& document) {
    print_out("{}{}\n", text(document, "machine"), document["complete"].get<bool>() ? "" : " (INCOMPLETE)");
    for (const json& claim : document["claims"]) {
        print_out("\n{:<8} {:<15} {}\n", text(claim, "id"), text(claim, "verdict"), text(claim, "statement"));
        line("quote", '"' + text(claim, "quote") + '"');
        line("place", text(claim, "experiment") + ", " + text(claim, "place"));
        line("reading", text(claim, "reading"));
        line("quantity", text(claim, "quantity"));
        line("published", text(claim, "published"));
        line("here", measured_words(claim) + (claim["estimate"].get<bool>() ? " (estimate)" : ""));
        line("because", text(claim, "because"));
        line("holds", claim["holds_anywhere"] == true ? "on any machine: a count, or mathematics" : "");
        line("limits", text(claim, "limits"));
        line("turns", claim["turns"].is_null() ? "" : text(claim["turns"], "words"));
        line("why", text(claim, "why"));
        for (const json& erratum : claim["errata"])
            line("erratum", erratum.get<std::string>());
    }
    const auto claims = document["claims"].get<std::vector<json>>();
    if (claims.size() > 1) print_out("\n{} claims: {}.\n", claims.size(), tally_words(claims));
    const std::string chance = chance_words(claims);
    if (!chance.empty()) print_out("\nBeside these verdicts: {}.\n", chance);
}

}  // namespace

void add_claims(CLI::App& app, int&) {
    auto* command = app.add_subcommand(
        "claims", "every claim of the papers with its verdict on one machine, why, and the errata about it");
    auto ids = std::make_shared<Ids>();
    command->add_option("CLAIM", *ids, "which, such as J1 (all if none is named)");
    auto* machine = command->add_option("--machine", "folder of results")->default_val("results/local");
    auto* as_json = command->add_flag("--json")->description("as JSON");
    command->callback([ids, machine, as_json] {
        const json document = claims_of(load_result_set(machine->as<std::string>()), *ids);
        if (as_json->count() > 0)  // a folder's name may be no UTF-8
            print_out("{}\n", document.dump(1, ' ', false, json::error_handler_t::replace));
        else
            print_claims(document);
    });
}

}  // namespace gridmark::harness

#include "harness/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/cli/compare_text.hpp"
#include "harness/experiment.hpp"
#include "harness/os/streams.hpp"
#include "harness/read_number.hpp"
#include "harness/run/fastest.hpp"
#include "harness/run/screen.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using comparison::cause_words;
using comparison::said;
using nlohmann::json;

struct Words {
    std::string base, fresh;
    std::vector<std::string> more, margin, fail_on;
    bool all = false, as_json = false, rank = false;
};

std::vector<ResultSet> loaded(const std::vector<std::string>& folders) {
    std::vector<ResultSet> sets;
    for (const std::string& folder : folders)
        sets.push_back(load_result_set(folder));
    return sets;
}

/// What `--fail-on` asks for: a verdict ("slower", "faster", "higher", "lower") and by how much, 0.05 for
/// 5
/// %.
struct FailOn {
    std::string verdict;
    double share;
};

/// From "slower=5%". Throws UsageError for anything else.
FailOn parse_fail_on(const std::string& text) {
    const auto refuse = [&text] {
        return UsageError(
            fmt::format("--fail-on {}: must be slower=5%, or faster, higher or lower and a share from 0% "
                        "to 1000%",
                        text));
    };
    const std::size_t at = text.find('=');
    if (at == std::string::npos || !text.ends_with('%')) throw refuse();
    FailOn limit{text.substr(0, at), 0};
    const char *const begin = text.data() + at + 1, *const end = text.data() + text.size() - 1;
    const auto [stopped, error] = read_number(begin, end, limit.share);
    const auto known = {"slower", "faster", "higher", "lower"};
    if (std::find(known.begin(), known.end(), limit.verdict) == known.end() || error != std::errc() ||
        stopped != end || !(limit.share >= 0 && limit.share <= 1000))
        throw refuse();
    limit.share /= 100;
    return limit;
}

/// The rows that a limit forbids, a line each; of a history the newest set against the oldest. Throws
/// UsageError where no row of the document can be compared: a check that cannot fail is none.
std::vector<std::string> forbidden(const json& document, const std::vector<FailOn>& limits) {
    const bool history = document.contains("sets");
    std::vector<std::string> found;
    std::size_t comparable = 0;
    for (const json& row : document["rows"]) {
        const std::string verdict = said(row, history ? "newest" : "verdict");
        const bool resolved =
            verdict == "slower" || verdict == "faster" || verdict == "higher" || verdict == "lower";
        if (resolved || (verdict == "no difference resolved" && row["reason"].is_null())) ++comparable;
        if (!resolved) continue;
        const double ratio = row["ratio"];
        for (const FailOn& limit : limits)
            if (verdict == limit.verdict && std::max(ratio, 1 / ratio) > 1 + limit.share) {
                const std::string cause = history ? "" : cause_words(row["cause"]);
                found.push_back(without_control_characters(
                    fmt::format("{}: {}{}, {}", said(row, "name"), verdict,
                                cause.empty() ? "" : " by " + cause, percent(ratio))));
                break;
            }
    }
    if (comparable == 0)
        throw UsageError(
            "--fail-on: no row of these sets can be compared (GPU rows need three processes on either "
            "side, "
            "as preset paper has; CPU rows need --margin)");
    return found;
}

/// What each study declares.
std::map<std::string, json> studies() {
    std::map<std::string, json> declared;
    for (const auto& [id, experiment] : experiments())
        declared[id] = study_of(experiment);
    return declared;
}

/// Prints; 1 where a machine is slow.
int rank(const std::vector<ResultSet>& sets, bool as_json) {
    const json document = rank_machines(sets);
    if (as_json)
        print_out("{}\n", document.dump(1, ' ', false, json::error_handler_t::replace));
    else
        print_out("{}", ranking_text(document));
    return document["stragglers"].empty() ? 0 : 1;
}

int compare(const Words& words) {
    std::vector<FailOn> limits;  // a wrong one is refused before anything is read
    for (const std::string& text : words.fail_on)
        limits.push_back(parse_fail_on(text));
    std::vector<std::string> folders{words.base, words.fresh};
    folders.insert(folders.end(), words.more.begin(), words.more.end());
    std::vector<ResultSet> sets = loaded(folders);
    if (words.rank) return rank(sets, words.as_json);
    const std::vector<ResultSet> margin = loaded(words.margin);
    const bool two = sets.size() == 2;
    if (!two && !limits.empty()) check_order(sets);  // which two are held against each other
    const json document =
        two ? compare_sets(sets[0], sets[1], margin, studies()) : compare_history(std::move(sets), margin);
    const auto rows = limits.empty() ? std::vector<std::string>() : forbidden(document, limits);
    if (words.as_json)  // a folder's name may be no UTF-8
        print_out("{}\n", document.dump(1, ' ', false, json::error_handler_t::replace));
    else
        print_out("{}", two ? comparison_text(document, words.all) : history_text(document, words.all));
    if (rows.empty()) return 0;
    // Beside a document of JSON, which stays whole, and at the end of what a log keeps.
    write_error(fmt::format("gridmark: --fail-on {}: {} {}\n", fmt::join(words.fail_on, " "), rows.size(),
                            rows.size() == 1 ? "row" : "rows"));
    for (const std::string& row : rows)
        write_error("  " + row + "\n");
    return 1;
}

}  // namespace

void add_compare(CLI::App& app, int& code) {
    auto words = std::make_shared<Words>();
    auto* command = app.add_subcommand(
        "compare", "two sets of results, or a history of several: what became faster or slower, and why");
    command->add_option("BASE", words->base, "folder of results")->required();
    command->add_option("NEW", words->fresh, "folder of results")->required();
    command->add_option(
        "MORE", words->more,
        "further folders: all sets in the order of their dates, the step at which a row changed, "
        "and of four or more equal machines the straggler");
    command->add_flag("--all", words->all,
                      "every row and line; else 40 lines: of the rows that differ the largest");
    command
        ->add_option(
            "--fail-on", words->fail_on,
            "slower=5%: exit code 1 where a resolved difference is larger (also faster, higher, lower); "
            "of more than two sets the newest against the oldest; may be repeated")
        ->allow_extra_args(false);
    command->add_option(
        "--margin", words->margin,
        "further runs, only to tell how far wall times differ from run to run: CPU rows are "
        "compared where five sets, these and the others, are of one commit and kind of machine");
    command
        ->add_flag("--rank", words->rank,
                   "only which of these equal machines is slow, and by what: the slowest first; exit code 1 "
                   "where one is")
        ->excludes("--fail-on", "--margin", "--all");
    command->add_flag("--json", words->as_json, "as JSON (harness/compare/compare.schema.json)");
    command->footer(
        "It begins with the fastest version of each study. A difference is resolved where both sets "
        "combine\n"
        "three processes (presets paper and full) and the ratio's interval lies outside 2 %, or outside "
        "the\n"
        "margin of wall times. With fewer processes (quick) a GPU's rows beyond 5 % are rough "
        "differences,\n"
        "which --fail-on ignores. Where a ceiling of the machine moved as much as the rows that it "
        "bounds,\n"
        "the machine is named and not the kernel.\n"
        "Exit codes: 0 done; 1 --fail-on found a row; 2 bad usage or bad input, or nothing to compare "
        "for\n"
        "--fail-on. docs/compare.md tells how to read the answer.");
    command->callback([words, &code] { code = compare(*words); });
}

}  // namespace gridmark::harness

#include "harness/cli/compare_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "harness/compare/compare.hpp"
#include "harness/run/fastest.hpp"
#include "harness/run/screen.hpp"

namespace gridmark::harness::comparison {

using nlohmann::json;

std::string said(const json& object, const char* key) {
    return object[key].is_string() ? object[key].get<std::string>() : "";
}

std::string number(const json& value) {
    return value.is_number() ? fmt::format("{:.4g}", value.get<double>()) : "-";
}

std::string percent(const json& ratio) {
    return ratio.is_number() ? harness::percent(ratio.get<double>()) : "-";
}

std::string counted(std::size_t n, const char* one, const char* several) {
    return fmt::format("{} {}", n, n == 1 ? one : several);
}

void add(std::string& text, const std::string& line, std::size_t indent) {
    text += wrap(without_control_characters(line), columns_of_text, indent);
}

std::string limited(const std::string& text, std::size_t most) {
    return harness::limited(text, most, "--all");
}

std::string disturbed(const json& document, const json& study) {
    std::string line;
    for (const json& one : document["disturbances"])
        if (one["experiment"] == study["experiment"])
            line += fmt::format(" Disturbed was {}: {}.", said(one, "directory"), said(one, "what"));
    return line;
}

std::string cause_line(const json& cause) {
    const std::string ceiling =
        cause["ceiling"].is_null()
            ? std::string("no ceiling tells it")
            : fmt::format("{}: {} -> {} {}, {} in time", said(cause, "ceiling"), number(cause["base"]),
                          number(cause["new"]), said(cause, "unit"), percent(cause["ratio"]));
    const std::size_t rows = cause["rows"].size(), bound = cause["bound"];
    if (said(cause, "how") == "ceiling")
        return fmt::format(
            "The machine, not the kernels, in {}: {} ({}) moved as much as {} of {}; {} at their median.",
            said(cause, "experiment"), said(cause, "resource"), ceiling, rows,
            counted(bound, "row that it bounds", "rows that it bounds"), percent(cause["median"]));
    return fmt::format(
        "The host, not the kernels, in {}: {} of {} by plain launches changed ({} at their median), and the "
        "same kernels by graph or by their own clock did not ({}).",
        said(cause, "experiment"), rows, counted(bound, "step", "steps"), percent(cause["median"]), ceiling);
}

std::string margin_line(std::size_t rows, const json& margin) {
    if (rows == 0) return {};
    const int sets = margin["sets"];
    return fmt::format(
        "{} not comparable: wall times differ from run to run. Their margin takes {} sets of one commit on "
        "one kind of machine, and there {}. Run: for i in 1 2 3 4 5; do gridmark run --preset paper "
        "--filter 'wall$' --out margin/$i; done; then add: --margin margin/*",
        counted(rows, "CPU row is", "CPU rows are"), margin["needed"].get<int>(),
        sets == 1 ? "is 1" : fmt::format("are at most {}", sets));
}

namespace {

double size_of(const json& ratio) {
    return ratio.is_number() ? std::abs(std::log(ratio.get<double>())) : 0;
}

/// The largest change of a history's row; of two sets its only one.
double largest_change(const json& row) {
    double largest = row.contains("steps") ? 0 : size_of(row["ratio"]);
    if (row.contains("steps"))
        for (const json& step : row["steps"])
            largest = std::max(largest, size_of(step["ratio"]));
    return largest;
}

}  // namespace

std::vector<RowGroup> grouped(const std::vector<const json*>& rows) {
    std::map<std::pair<std::string, std::string>, RowGroup> by_key;
    for (const json* row : rows) {
        const std::string experiment = said(*row, "experiment"), variant = said(*row, "variant");
        RowGroup& group = by_key[{experiment, variant}];
        group.experiment = experiment;
        group.variant = variant;
        if ((*row)["quantity"] == "time") group.largest = std::max(group.largest, largest_change(*row));
        group.rows.push_back(row);
    }
    std::vector<RowGroup> groups;
    for (auto& [key, group] : by_key) {
        std::stable_sort(group.rows.begin(), group.rows.end(), [](const json* a, const json* b) {
            // What is no time, such as a difference of two, may change by many times its small value.
            return std::pair((*a)["quantity"] != "time", -largest_change(*a)) <
                   std::pair((*b)["quantity"] != "time", -largest_change(*b));
        });
        groups.push_back(std::move(group));
    }
    std::stable_sort(groups.begin(), groups.end(), [](const RowGroup& a, const RowGroup& b) {
        return std::pair(a.experiment, -a.largest) < std::pair(b.experiment, -b.largest);
    });
    return groups;
}

std::string short_name(const json& row, const RowGroup& group) {
    const std::string name = said(row, "name"), front = group.experiment + "/" + group.variant + "/";
    return name.starts_with(front) ? name.substr(front.size()) : name;
}

std::string cause_words(const json& cause) {
    if (cause.is_null()) return {};
    return said(cause, "resource") + (said(cause, "how") == "launches" ? " (host)" : " (machine)");
}

void add_groups(std::string& text, const std::vector<RowGroup>& groups, const RowText& line) {
    std::string experiment;
    for (const RowGroup& group : groups) {
        if (group.experiment != experiment)
            text += "\n" + without_control_characters(group.experiment) + "\n";
        experiment = group.experiment;
        text += "  " + without_control_characters(group.variant) + "\n";
        for (const json* row : group.rows)
            text += without_control_characters(line(*row, group)) + "\n";
    }
}

void add_largest(std::string& text, const std::vector<const json*>& rows, const std::string& heading,
                 const RowText& line) {
    if (rows.empty()) return;
    // What is no time, such as a difference of two, may change by many times its small value.
    const auto order = [](const json* row) {
        return std::tuple((*row)["quantity"] != "time", said(*row, "verdict").starts_with("rough"),
                          -largest_change(*row));
    };
    std::vector<const json*> ordered = rows;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [&](const json* a, const json* b) { return order(a) < order(b); });
    const std::size_t taken = lines_of(text);
    // Heading and summary, each after an empty line, and how many more there are.
    constexpr std::size_t around = 5;
    const std::size_t room = std::max<std::size_t>(lines_of_screen, taken + around + 1) - taken - around,
                      shown = ordered.size() <= room + 1 ? ordered.size() : room;
    text += '\n' + heading + '\n';
    for (std::size_t k = 0; k < shown; ++k)
        text += without_control_characters(line(*ordered[k], {})) + '\n';
    if (shown < ordered.size()) text += fmt::format("  ... {} more: --all\n", ordered.size() - shown);
}

void add_summary(std::string& text, const json& summary, bool all) {
    std::vector<std::string> counts;
    for (const auto& [verdict, count] : summary.items())
        if (all || count > 0) counts.push_back(fmt::format("{} {}", count.get<int>(), verdict));
    text += fmt::format("\nRows: {}.{}\n", fmt::join(counts, ", "), all ? "" : " --all prints each.");
}

std::string mark(const json& side) {
    return said(side, "machine") + (side["complete"] == true ? "" : ", INCOMPLETE");
}

}  // namespace gridmark::harness::comparison

namespace gridmark::harness {
using namespace comparison;

namespace {

/// Hashes and UUIDs are told apart by their beginnings.
std::string value_text(const json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    return text.size() > 30 && text.find(' ') == std::string::npos ? text.substr(0, 12) : text;
}

/// A row's name without its study's.
std::string in_study(const json& study, const std::string& name) {
    const std::string front = said(study, "experiment") + "/";
    return name.starts_with(front) ? name.substr(front.size()) : name;
}

/// "heat: slower. ...": what was found out about one study. The whole of it, or without what the rows show.
std::string study_line(const json& study, bool whole) {
    const json& times = study["times"];
    const std::size_t comparable = times["comparable"], faster = times["faster"], slower = times["slower"];
    std::string line = fmt::format("{}: {}.", said(study, "experiment"), said(study, "word"));
    if (comparable > 0)
        line += fmt::format(" Of {} {} slower, {} faster; the median changed by {}",
                            counted(comparable, "comparable time", "comparable times"),
                            counted(slower, "is", "are"), faster, percent(times["median"]));
    if (whole && faster + slower > 0)
        line +=
            fmt::format(", the extremes by {} ({}) and {} ({})", percent(times["fastest"]["ratio"]),
                        in_study(study, said(times["fastest"], "name")), percent(times["slowest"]["ratio"]),
                        in_study(study, said(times["slowest"], "name")));
    if (comparable > 0) line += ".";
    if (const std::size_t machine = study["by_the_machine"]; whole && machine > 0)
        line += fmt::format(" The machine, not a kernel, explains {} of these {}.", machine, slower + faster);
    if (const std::size_t differing = study["values"]["differing"]; whole && differing > 0)
        line += fmt::format(" {} of {} other values differ.", differing,
                            study["values"]["comparable"].get<int>());
    const json& rough = study["rough"];
    if (const std::size_t few = rough["comparable"]; few > 0)
        line += fmt::format(
            " {} fewer than three processes, so their comparison is rough: beyond 5 % {} slower, {} faster; "
            "their median changed by {}.",
            counted(few, "time has", "times have"), counted(rough["slower"].get<std::size_t>(), "is", "are"),
            rough["faster"].get<std::size_t>(), percent(rough["median"]));
    if (whole && study["same_program"] == true && faster + slower > 0)
        line += " Both sides ran one program: the machine or its state made the difference.";
    return line;
}

std::string two_values(const json& row, const RowGroup& group) {
    const json& i = row["interval"];
    const std::string reason = said(row, "reason"), cause = cause_words(row["cause"]);
    std::string why = said(row, "verdict");
    if (!reason.empty()) why += " (" + reason + ")";
    if (!cause.empty()) why += ", by " + cause;
    return fmt::format(
        "    {} {:>10} {:>10} {:<5} {:>9} {:>16}  {}", pad(short_name(row, group), label_width),
        number(row["base"]), number(row["new"]), said(row, "unit"), percent(row["ratio"]),
        i.is_array() ? fmt::format("[{:.3f}, {:.3f}]", i[0].get<double>(), i[1].get<double>()) : "", why);
}

constexpr std::size_t short_name_width = 48;

/// A row on a line of the screen.
std::string short_line(const json& row, const RowGroup&) {
    const std::string verdict = said(row, "verdict");
    return cut(
        fmt::format("  {} {:>9} {:>9} {} {:>8}  {}{}",
                    pad(cut_middle(said(row, "name"), short_name_width), short_name_width),
                    number(row["base"]), number(row["new"]), pad(said(row, "unit"), 4), percent(row["ratio"]),
                    verdict == RowComparison::rough_difference ? "rough" : verdict,
                    row["cause"].is_null() ? "" : ", machine"),
        columns_of_text);
}

/// Whether a row stands among those that differ.
bool differs(const json& row) {
    static const std::set<std::string> verdicts{"faster", "slower", "lower", "higher",
                                                RowComparison::rough_difference};
    return verdicts.contains(said(row, "verdict"));
}

/// The rows that differ, or every one.
void add_rows(std::string& text, const json& document, bool all) {
    std::vector<const json*> rows;
    for (const json& row : document["rows"])
        if (all || differs(row)) rows.push_back(&row);
    if (!all) {
        add_largest(text, rows,
                    fmt::format("  {} {:>9} {:>9} unit {:>8}  verdict", pad("row", short_name_width), "base",
                                "new", "change"),
                    short_line);
        return;
    }
    if (!rows.empty())
        text += fmt::format("\n    {} {:>10} {:>10} {:<5} {:>9} {:>16}  verdict\n", pad("row", label_width),
                            "base", "new", "unit", "change", "ratio in");
    add_groups(text, grouped(rows), two_values);
}

void add_differences(std::string& text, const json& differences, bool all) {
    // What a commit tells its build tells again.
    const bool commits = std::any_of(differences.begin(), differences.end(),
                                     [](const json& d) { return d["key"] == "build.commit"; });
    std::map<std::string, std::vector<std::string>> by_key;
    for (const json& d : differences) {
        if (!all && commits && d["key"] == "build.build_id") continue;
        std::string words = value_text(d["base"]) + " -> " + value_text(d["new"]);
        if (!d["experiments"].is_null())
            words += fmt::format(" ({})", fmt::join(d["experiments"].get<std::vector<std::string>>(), ", "));
        by_key[said(d, "key")].push_back(words);
    }
    text += by_key.empty() ? "\nThe machines, programs and presets are the same.\n"
                           : "\nWhat differs between the machines:\n";
    for (const auto& [key, words] : by_key)
        add(text, fmt::format("  {}: {}", key, fmt::join(words, "; ")), 6);
}

}  // namespace

std::string comparison_text(const json& document, bool all) {
    // How many lines of the screen each part may take; the rows that differ get what is left.
    const auto part = [all](const std::string& text, std::size_t most) {
        return all ? text : limited(text, most);
    };
    const json &base = document["base"], &fresh = document["new"];
    std::string text, answers, fastest, reasons, margin, differences;
    std::size_t walls = 0, shared = 0, comparable = 0, slower = 0, faster = 0;
    for (const json& study : document["studies"]) {
        ++shared;
        walls += study["walls_without_margin"].get<std::size_t>();
        comparable += study["times"]["comparable"].get<std::size_t>();
        slower += study["times"]["slower"].get<std::size_t>();
        faster += study["times"]["faster"].get<std::size_t>();
    }
    for (const json& one : document["fastest"])
        add(fastest, fastest_line(one), 4);
    if (shared > 1)
        add(answers, fmt::format("Of {} {} slower and {} faster.",
                                 counted(comparable, "comparable time", "comparable times"),
                                 counted(slower, "is", "are"), faster));
    for (const json& study : document["studies"])
        add(answers, study_line(study, all || shared <= 2) + disturbed(document, study));
    if (shared == 0) answers += "They share no study.\n";
    for (const json& cause : document["causes"])
        add(reasons, cause_line(cause));
    add_differences(differences, document["machine_differences"], all);
    add(text,
        fmt::format("{} ({}) -> {} ({}){}", said(base, "directory"), mark(base), said(fresh, "directory"),
                    mark(fresh), fastest.empty() ? "" : ", the fastest version of each study:"));
    text = part(text, 2) + part(fastest, 10) + part(answers, 9) + part(reasons, 4);
    if (const std::string line = margin_line(walls, document["wall_margin"]); !line.empty())
        add(margin, line);
    text += part(margin, 4) + part(differences, 5);
    add_rows(text, document, all);
    add_summary(text, document["summary"], all);
    return text;
}

}  // namespace gridmark::harness

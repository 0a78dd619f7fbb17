#include "harness/cli/compare_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/run/screen.hpp"

namespace gridmark::harness::comparison {

using nlohmann::json;

std::string said(const json& object, const char* key) {
    return object[key].is_string() ? object[key].get<std::string>() : "";
}

std::string number(const json& value) {
    return value.is_number() ? fmt::format("{:.4g}", value.get<double>()) : "-";
}

std::string percent(double ratio) {
    return ratio < 10 ? fmt::format("{:+.1f}%", 100 * (ratio - 1)) : fmt::format("x {:.4g}", ratio);
}

std::string percent(const json& ratio) {
    return ratio.is_number() ? percent(ratio.get<double>()) : "-";
}

std::string counted(std::size_t n, const char* one, const char* several) {
    return fmt::format("{} {}", n, n == 1 ? one : several);
}

void add(std::string& text, const std::string& line, std::size_t indent) {
    text += wrap(without_control_characters(line), columns_of_text, indent);
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

void add_summary(std::string& text, const json& summary, bool all) {
    text += "\n";
    for (const auto& [verdict, count] : summary.items())
        if (all || count > 0) text += fmt::format("{:>5} {}\n", count.get<int>(), verdict);
    if (!all) text += "--all prints every row.\n";
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

/// "heat: slower. ...": what was found out about one study.
std::string study_line(const json& study) {
    const json& times = study["times"];
    const std::size_t comparable = times["comparable"], faster = times["faster"], slower = times["slower"];
    std::string line = fmt::format("{}: {}.", said(study, "experiment"), said(study, "word"));
    if (comparable > 0)
        line += fmt::format(" Of {} {} slower, {} faster; the median changed by {}",
                            counted(comparable, "comparable time", "comparable times"),
                            counted(slower, "is", "are"), faster, percent(times["median"]));
    if (faster + slower > 0)
        line +=
            fmt::format(", the extremes by {} ({}) and {} ({})", percent(times["fastest"]["ratio"]),
                        in_study(study, said(times["fastest"], "name")), percent(times["slowest"]["ratio"]),
                        in_study(study, said(times["slowest"], "name")));
    if (comparable > 0) line += ".";
    if (const std::size_t machine = study["by_the_machine"]; machine > 0)
        line += fmt::format(" The machine, not a kernel, explains {} of these {}.", machine, slower + faster);
    if (const std::size_t differing = study["values"]["differing"]; differing > 0)
        line += fmt::format(" {} of {} other values differ.", differing,
                            study["values"]["comparable"].get<int>());
    if (const std::size_t few = study["few_processes"]; few > 0)
        line += fmt::format(" {} fewer than three processes, which shows no difference: use preset paper.",
                            counted(few, "time has", "times have"));
    if (study["same_program"] == true && faster + slower > 0)
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
    const json &base = document["base"], &fresh = document["new"];
    std::string text;
    add(text, fmt::format("{} ({}) against {} ({}).", said(fresh, "directory"), mark(fresh),
                          said(base, "directory"), mark(base)));
    std::size_t walls = 0, shared = 0, comparable = 0, slower = 0, faster = 0;
    for (const json& study : document["studies"]) {
        ++shared;
        walls += study["walls_without_margin"].get<std::size_t>();
        comparable += study["times"]["comparable"].get<std::size_t>();
        slower += study["times"]["slower"].get<std::size_t>();
        faster += study["times"]["faster"].get<std::size_t>();
    }
    if (shared > 1)
        add(text, fmt::format("Of {} {} slower and {} faster.",
                              counted(comparable, "comparable time", "comparable times"),
                              counted(slower, "is", "are"), faster));
    for (const json& study : document["studies"])
        add(text, study_line(study) + disturbed(document, study));
    if (shared == 0) text += "They share no study.\n";
    for (const json& cause : document["causes"])
        add(text, cause_line(cause));
    if (const std::string line = margin_line(walls, document["wall_margin"]); !line.empty()) add(text, line);
    add_differences(text, document["machine_differences"], all);
    std::vector<const json*> rows;
    for (const json& row : document["rows"]) {
        const std::string verdict = said(row, "verdict");
        if (all || verdict == "faster" || verdict == "slower" || verdict == "lower" || verdict == "higher")
            rows.push_back(&row);
    }
    if (!rows.empty())
        text += fmt::format("\n    {} {:>10} {:>10} {:<5} {:>9} {:>16}  verdict\n", pad("row", label_width),
                            "base", "new", "unit", "change", "ratio in");
    add_groups(text, grouped(rows), two_values);
    add_summary(text, document["summary"], all);
    return text;
}

}  // namespace gridmark::harness

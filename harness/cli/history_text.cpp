#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/cli/compare_text.hpp"
#include "harness/compare/compare.hpp"
#include "harness/run/screen.hpp"

namespace gridmark::harness {

using namespace comparison;

namespace {

std::string straggler_line(const json& slow) {
    std::string why;
    if (!slow["row"].is_null())
        why = fmt::format("{} of {} are slower, most of all {} ({})", slow["slower"].get<int>(),
                          counted(slow["bound"], "row that it bounds", "rows that it bounds"),
                          said(slow, "row"), percent(slow["row_ratio"]));
    if (!slow["ceiling"].is_null())
        why += fmt::format("{}the ceiling {} takes {}", why.empty() ? "" : "; ", said(slow, "ceiling"),
                           percent(slow["ceiling_ratio"]));
    return fmt::format("The straggler of {} equal machines: {}, by {} in {}: {}.",
                       slow["machines"].get<int>(), said(slow, "directory"), said(slow, "resource"),
                       said(slow, "experiment"), why);
}

std::string steps_words(const json& row) {
    std::string words;
    for (const json& step : row["steps"]) {
        const std::string cause = cause_words(step["cause"]);
        words +=
            fmt::format("{}[{}] {} {}{}", words.empty() ? "" : ", ", step["to"].get<int>() + 1,
                        said(step, "verdict"), percent(step["ratio"]), cause.empty() ? "" : " by " + cause);
    }
    if (words.empty()) words = said(row, "verdict");
    const std::string reason = said(row, "reason");
    return reason.empty() ? words : words + " (" + reason + ")";
}

}  // namespace

std::string history_text(const json& document, bool all) {
    const auto part = [all](const std::string& lines, std::size_t most) {
        return all ? lines : limited(lines, most);
    };
    std::string text, answers, reasons, margin;
    add(text, fmt::format("{} sets, the oldest first:", document["sets"].size()));
    for (std::size_t i = 0; i < document["sets"].size(); ++i) {
        const json& set = document["sets"][i];
        std::string date = "no date";
        for (const auto& [experiment, day] : set["dates"].items())
            if (day.is_string() && (date == "no date" || day.get<std::string>() > date)) date = day;
        add(text, fmt::format("  [{}] {}  {} ({})", i + 1, date, said(set, "directory"), mark(set)), 6);
    }
    for (const json& study : document["studies"]) {
        std::map<int, int> at;  // by set: how many rows changed there
        for (const json& row : document["rows"])
            if (row["experiment"] == study["experiment"])
                for (const json& step : row["steps"])
                    if (step["verdict"] != RowComparison::rough_difference) ++at[step["to"].get<int>() + 1];
        std::string where;
        for (const auto& [set, rows] : at)
            where += fmt::format("{}{} at [{}]", where.empty() ? "" : ", ", rows, set);
        add(answers,
            fmt::format("{}: {} of {} changed{}.", said(study, "experiment"), study["changed"].get<int>(),
                        counted(study["comparable"], "comparable row", "comparable rows"),
                        where.empty() ? "" : ": " + where) +
                disturbed(document, study));
    }
    for (const json& slow : document["stragglers"])
        add(answers, straggler_line(slow));
    for (const json& cause : document["causes"])
        add(reasons, fmt::format("[{}] {}", cause["to"].get<int>() + 1, cause_line(cause)));
    text = part(text, 8) + part(answers, 12) + part(reasons, 4);
    std::size_t walls = 0;
    for (const json& row : document["rows"])
        walls += row["clock"] == "wall" && row["verdict"] == "not comparable" ? 1 : 0;
    if (const std::string line = margin_line(walls, document["wall_margin"]); !line.empty())
        add(margin, line);
    text += part(margin, 4);
    std::vector<const json*> rows;
    for (const json& row : document["rows"])
        if (all || row["verdict"] == "changed" || row["verdict"] == "roughly changed") rows.push_back(&row);
    std::string heading = "    " + pad("row", label_width);
    for (std::size_t i = 0; i < document["sets"].size(); ++i)
        heading += fmt::format(" {:>10}", fmt::format("[{}]", i + 1));
    heading += " unit   steps";
    const RowText line_of = [](const json& row, const RowGroup& group) {
        std::string line = "    " + pad(cut_middle(short_name(row, group), label_width), label_width);
        for (const json& value : row["values"])
            line += fmt::format(" {:>10}", number(value));
        return line + fmt::format(" {:<5}  {}", said(row, "unit"), steps_words(row));
    };
    if (!all) {
        add_largest(text, rows, heading, line_of);
    } else if (!rows.empty()) {
        text += "\n" + heading + "\n";
        add_groups(text, grouped(rows), line_of);
    }
    add_summary(text, document["summary"], all);
    return text;
}

std::string ranking_text(const json& document) {
    const json &sets = document["sets"], &order = document["ranking"];
    std::string text, slow;
    std::size_t count = 0, widest = 0;
    for (const json& one : order) {
        const std::string name = said(sets[one["set"].get<std::size_t>()], "directory");
        widest = std::max(widest, name.size());
        if (one["slow"] != true) continue;
        ++count;
        slow += fmt::format("{}{} by {}", slow.empty() ? ": " : ", ", name, said(one, "resource"));
    }
    add(text, fmt::format("{} of {} {} slow{}.", count, counted(order.size(), "machine", "machines"),
                          count == 1 ? "is" : "are", slow));
    for (const json& machine : document["stragglers"])
        add(text, straggler_line(machine));
    for (const json& one : document["disturbances"])
        add(text, fmt::format("Disturbed was {} in {}: {}.", said(one, "directory"), said(one, "experiment"),
                              said(one, "what")));
    text += "\nEach by what it is slowest at, against the median of the others:\n";
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const json& one = order[rank];
        const json& set = sets[one["set"].get<std::size_t>()];
        const std::string place = said(set, "place");
        text += without_control_characters(
            fmt::format("{:>4}  {:<4}  {}  {:>8}  {} ({}){}{}", rank + 1, one["slow"] == true ? "SLOW" : "",
                        pad(said(set, "directory"), widest), percent(one["ratio"]), said(one, "resource"),
                        said(one, "by"), place.empty() ? "" : "; " + place,
                        set["complete"] == true ? "" : "; INCOMPLETE"));
        text += '\n';
    }
    return text;
}

}  // namespace gridmark::harness

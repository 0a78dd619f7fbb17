#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// A comparison's document (compare.schema.json) as text: of two sets, of a history, and what both texts
/// share. Without `all` it is a screen of 40 lines at most, wherever it is printed.
namespace gridmark::harness {

/// The fastest version of each study, the answer, then the rows that differ, largest first; with `all` every
/// row, by study and variant.
std::string comparison_text(const nlohmann::json& document, bool all);
/// The same of a history.
std::string history_text(const nlohmann::json& document, bool all);
/// Equal machines, the slowest first.
std::string ranking_text(const nlohmann::json& document);

namespace comparison {

using nlohmann::json;

inline constexpr std::size_t columns_of_text = 100, label_width = 58, lines_of_screen = 40;

/// The text under a key; empty where it is null.
std::string said(const json& object, const char* key);
std::string number(const json& value);
std::string percent(const json& ratio);
std::string counted(std::size_t n, const char* one, const char* several);
/// A line, wrapped.
void add(std::string& text, const std::string& line, std::size_t indent = 2);
/// The text; where it has more than `most` lines, their beginning, and how many more there are.
std::string limited(const std::string& text, std::size_t most);

/// What disturbed the runs of one study, by set; empty if nothing is known to.
std::string disturbed(const json& document, const json& study);
std::string cause_line(const json& cause);
std::string cause_words(const json& cause);
/// How CPU rows become comparable; empty where none lacks a margin.
std::string margin_line(std::size_t rows, const json& margin);
/// A set's machine, and whether it is incomplete.
std::string mark(const json& side);

/// Rows in groups by study and variant: the groups with the largest difference first within a study.
struct RowGroup {
    std::string experiment, variant;
    double largest = 0;
    std::vector<const json*> rows;
};

std::vector<RowGroup> grouped(const std::vector<const json*>& rows);
/// The name without what its group's heading says.
std::string short_name(const json& row, const RowGroup& group);
using RowText = std::function<std::string(const json& row, const RowGroup& group)>;
void add_groups(std::string& text, const std::vector<RowGroup>& groups, const RowText& line);
/// The rows that differ, largest first, in what the screen's 40 lines leave below `text` and above the
/// summary.
void add_largest(std::string& text, const std::vector<const json*>& rows, const std::string& heading,
                 const RowText& line);
/// How many rows have each verdict.
void add_summary(std::string& text, const json& summary, bool all);

}  // namespace comparison
}  // namespace gridmark::harness

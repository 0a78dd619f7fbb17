#include "harness/results/contribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

constexpr int processes = 3;

/// A member of an object in `document`, or null where it or the object is lacking.
json member(const json& document, const std::string& object, const std::string& key) {
    const auto found = document.find(object);
    return found != document.end() && found->is_object() ? found->value(key, json()) : json();
}

void check_measuring(const json& context, std::vector<std::string>& complaints) {
    if (context["preset"] == "quick")
        complaints.push_back("preset quick gives estimates; measure with paper or full");
    if (!context["complete"].get<bool>())
        complaints.push_back("incomplete; the same run again goes on with it");
    if (context["preset"] != "quick" && context.value("processes", json()) != processes)
        complaints.push_back(fmt::format("not measured by {} processes a number", processes));
}

void check_build(const json& context, std::vector<std::string>& complaints) {
    if (member(context, "build", "build_type") != "Release")
        complaints.push_back("not measured by a release build");
    const json commit = member(context, "build", "commit");
    if (!commit.is_string() || commit == "") complaints.push_back("the commit that measured it is not known");
    if (member(context, "build", "dirty") != false)
        complaints.push_back("measured by a commit with changes of its own, or nobody knows");
}

/// Complains of the rows that `is` finds: how many, what they are, and the first's name.
template <class Is>
void complain(std::vector<std::string>& complaints, const std::vector<Row>& rows, const char* words,
              const Is& is) {
    if (const auto first = std::ranges::find_if(rows, is); first != rows.end())
        complaints.push_back(
            fmt::format("{} {}, first {}", std::ranges::count_if(rows, is), words, first->name));
}

void check_rows(const std::vector<Row>& rows, std::vector<std::string>& complaints) {
    complain(complaints, rows, "failed rows", [](const Row& row) { return row.status == Status::failed; });
    complain(complaints, rows, "rows whose verification cannot fail",
             [](const Row& row) { return row.verification && !row.verification->can_fail(); });
    complain(complaints, rows, "rows whose median is not that of their samples", [](const Row& row) {
        return row.median && !row.samples.empty() &&
               std::abs(*row.median - median(row.samples)) > 1e-9 * std::abs(*row.median);
    });
    const auto disturbed = [](const Row& row) { return row.disturbed.has_value(); };
    if (const auto first = std::ranges::find_if(rows, disturbed); first != rows.end())
        complaints.push_back(fmt::format("{} disturbed rows, first {} ({}); measure it again",
                                         std::ranges::count_if(rows, disturbed), first->name,
                                         fmt::join(first->disturbed->by, ", ")));
    if (std::ranges::none_of(rows, [](const Row& row) { return row.median.has_value(); }))
        complaints.push_back("no row has a number");
}

/// Of all rows that have a limit so many may beat it; where more do, the ceilings are none.
constexpr double most_beaten = 0.05;

void check_limits(const ResultSet& set, std::vector<std::string>& complaints) {
    std::size_t limited = 0, beaten = 0;
    for (const auto& [experiment, file] : set.files)
        for (const Row& row : file.rows) {
            limited += row.limit || row.beaten_limit;
            beaten += row.beaten_limit.has_value();
        }
    if (static_cast<double>(beaten) > most_beaten * static_cast<double>(limited))
        complaints.push_back(
            fmt::format("{} of {} rows beat their limits by over 2 %: the ceilings were measured on a busy "
                        "machine, or bytes are declared that need not move",
                        beaten, limited));
}

/// The first of the words in any text of the document; empty if there is none.
std::string found_word(const json& document, const std::vector<std::string>& words) {
    if (document.is_string()) {
        const auto& text = document.get_ref<const std::string&>();
        for (const std::string& word : words)
            if (!word.empty() && text.find(word) != std::string::npos) return word;
    }
    if (document.is_structured())
        for (const json& part : document)
            if (std::string word = found_word(part, words); !word.empty()) return word;
    return {};
}

}  // namespace

std::vector<std::string> shortcomings(const ResultSet& set, const std::set<std::string>& experiments,
                                      const std::vector<std::string>& private_words) {
    std::vector<std::string> all;
    for (const std::string& experiment : experiments)
        if (!set.files.contains(experiment)) all.push_back(fmt::format("{}.json: is missing", experiment));
    std::vector<std::string> words = private_words;
    words.insert(words.end(), {"/home/", "/root/", "/Users/"});
    const json& first = set.files.begin()->second.context;
    for (const auto& [experiment, file] : set.files) {
        std::vector<std::string> complaints;
        const json& context = file.context;
        if (!experiments.contains(experiment)) complaints.push_back("is no experiment of this program");
        check_measuring(context, complaints);
        check_build(context, complaints);
        check_rows(file.rows, complaints);
        for (const auto& [object, key] : {std::pair{"gpu", "name"}, {"cpu", "model"}})
            if (member(context, object, key) != member(first, object, key))
                complaints.push_back(fmt::format("its {} is {}, that of {} is {}: one folder, one machine",
                                                 object, member(context, object, key).dump(),
                                                 set.files.begin()->first,
                                                 member(first, object, key).dump()));
        const json commit = member(context, "build", "commit"), other = member(first, "build", "commit");
        if (commit.is_string() && commit != "" && commit != other)
            complaints.push_back(fmt::format("measured by commit {}, {} by {}: one folder, one program",
                                             commit.dump(), set.files.begin()->first, other.dump()));
        if (context.contains("scheduler"))
            complaints.push_back("names the node of a cluster: take context.scheduler out of it");
        if (const std::string word = found_word(file, words); !word.empty())
            complaints.push_back(fmt::format("holds \"{}\": host, user and paths stay out", word));
        for (const std::string& complaint : complaints)
            all.push_back(fmt::format("{}.json: {}", experiment, complaint));
    }
    check_limits(set, all);
    return all;
}

}  // namespace gridmark::harness

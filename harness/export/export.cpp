#include "harness/export/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

struct Format {
    const char* name;
    Exported (*write)(const ResultSet&);
};

constexpr Format formats[] = {{"csv", to_csv},
                              {"googlebenchmark", to_google_benchmark},
                              {"bencher", to_bencher},
                              {"github-action-benchmark", to_github_action_benchmark}};

/// Formats find a row by its name alone; within one file the reader has checked it.
void refuse_shared_names(const ResultSet& set) {
    std::set<std::string> names;
    for (const auto& [experiment, file] : set.files)
        for (const Row& row : file.rows)
            if (!names.insert(row.name).second)
                throw UsageError(fmt::format("{}: two rows are called {}", set.directory.string(), row.name));
}

bool speaks_of_identity(std::string key) {
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr const char* words[] = {"uuid", "serial", "host", "user"};
    return std::any_of(std::begin(words), std::end(words),
                       [&](const char* word) { return key.find(word) != std::string::npos; });
}

/// Adds every text below a key that speaks of identity; why one could not be read is none.
void collect(const json& value, bool is_private, std::set<std::string>& texts) {
    // Shorter ones would be found in any text.
    if (value.is_string() && is_private && value.get_ref<const std::string&>().size() >= 4)
        texts.insert(value.get<std::string>());
    if (value.is_array())
        for (const json& part : value)
            collect(part, is_private, texts);
    if (value.is_object())
        for (const auto& [key, part] : value.items())
            if (key != "reasons") collect(part, is_private || speaks_of_identity(key), texts);
}

std::string replaced(std::string text, const std::vector<std::string>& words) {
    constexpr const char* instead = "(left out)";
    for (const std::string& word : words)
        for (auto at = text.find(word); at != std::string::npos;
             at = text.find(word, at + std::char_traits<char>::length(instead)))
            text.replace(at, word.size(), instead);
    return text;
}

/// The value with every text in it replaced; of an object its keys, too.
json replaced(const json& value, const std::vector<std::string>& words) {
    if (value.is_string()) return replaced(value.get<std::string>(), words);
    json result = value;
    if (value.is_array())
        std::transform(value.begin(), value.end(), result.begin(),
                       [&](const json& part) { return replaced(part, words); });
    if (value.is_object()) {
        result.clear();
        for (const auto& [key, part] : value.items())
            result[replaced(key, words)] = replaced(part, words);
    }
    return result;
}

}  // namespace

const std::vector<std::string>& export_formats() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Format& format : formats)
            all.emplace_back(format.name);
        return all;
    }();
    return names;
}

Exported export_set(const ResultSet& set, const std::string& format) {
    const auto* const found = std::find_if(std::begin(formats), std::end(formats),
                                           [&](const Format& each) { return each.name == format; });
    if (found == std::end(formats))
        throw UsageError(
            fmt::format("{}: no such format (there are {})", format, fmt::join(export_formats(), ", ")));
    refuse_shared_names(set);
    Exported exported = found->write(set);
    if (exported.text.empty())
        throw UsageError(
            fmt::format("{}: holds nothing that {} has a place for", set.directory.string(), found->name));
    return exported;
}

std::vector<std::string> private_texts(const ResultSet& set, const std::vector<std::string>& words) {
    std::set<std::string> texts(words.begin(), words.end());
    for (const auto& [experiment, file] : set.files)
        collect(file.context, false, texts);
    std::erase_if(texts, [&](const std::string& text) { return set.files.contains(text); });
    // The longest first: a host's whole name before the short one that it begins with.
    std::vector<std::string> sorted(texts.begin(), texts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    return sorted;
}

ResultSet without(ResultSet set, const std::vector<std::string>& texts) {
    set.machine = replaced(set.machine, texts);
    for (auto& [experiment, file] : set.files) {
        file.context = replaced(file.context, texts);
        for (Row& row : file.rows)
            row = replaced(json(row), texts).get<Row>();
    }
    return set;
}

std::optional<double> nanoseconds_in(const std::string& unit) {
    if (unit == "ns") return 1;
    if (unit == "us") return 1e3;
    if (unit == "ms") return 1e6;
    if (unit == "s") return 1e9;
    return std::nullopt;
}

double scaled(double value, double factor, const Row& row) {
    const double product = std::strtod(fmt::format("{:.12g}", value * factor).c_str(), nullptr);
    if (!std::isfinite(product))
        throw UsageError(fmt::format("{}: {} {} is too large for this format", row.name, value, row.unit));
    return product;
}

}  // namespace gridmark::harness

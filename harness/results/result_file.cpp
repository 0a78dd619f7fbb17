#include "harness/results/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <regex>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "embedded/result_schema.hpp"
#include "harness/os/output.hpp"
#include "harness/results/json_file.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

const valijson::Schema& result_schema() {
    static const auto schema = [] {
        auto parsed = std::make_unique<valijson::Schema>();
        const auto document = nlohmann::json::parse(embedded::result_schema);
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(valijson::adapters::NlohmannJsonAdapter(document), *parsed);
        return parsed;
    }();
    return *schema;
}

/// Which version is read, and what of the others.
std::string version_rule() {
    return nlohmann::json::parse(embedded::result_schema)["properties"]["schema_version"]["description"];
}

/// "<root>[rows][3][median]" and such become "rows.3.median".
std::string key_path(const std::vector<std::string>& context) {
    std::string path;
    for (const std::string& part : context) {
        if (part == "<root>") continue;
        const bool bracketed = part.size() > 2 && part.front() == '[';
        path += (path.empty() ? "" : ".") + (bracketed ? part.substr(1, part.size() - 2) : part);
    }
    return path.empty() ? "(whole file)" : path;
}

/// nlohmann/json would write these as null without a word.
bool holds_non_finite(const nlohmann::json& value) {
    if (value.is_number_float()) return !std::isfinite(value.get<double>());
    return value.is_structured() && std::any_of(value.begin(), value.end(), holds_non_finite);
}

/// What is wrong with a row's process_samples: they must add up to its samples; "" if they do.
std::string broken_process_samples(const nlohmann::json& row) {
    if (!row.contains("process_samples")) return "";
    const std::size_t samples = row["samples"].size();
    std::size_t added = 0;
    // By what is left, for a sum may wrap around.
    for (const auto& n : row["process_samples"]) {
        if (n.get<std::size_t>() > samples - added)
            return fmt::format("they add up to more than the {} samples", samples);
        added += n.get<std::size_t>();
    }
    return added == samples ? "" : fmt::format("they add up to {}, not to the {} samples", added, samples);
}

/// The first rule that a result set must hold beyond its schema, or "".
std::string broken_rule(const nlohmann::json& document) {
    if (holds_non_finite(document["context"])) return "key context: a number is NaN or infinite";
    std::size_t at = 0;
    std::set<std::string> names;
    for (const auto& row : document["rows"]) {
        if (holds_non_finite(row)) return fmt::format("key rows.{}: a number is NaN or infinite", at);
        if (!names.insert(row["name"].get<std::string>()).second)
            return fmt::format("key rows.{}.name: another row has the same, {}", at, row["name"].dump());
        if (const std::string broken = broken_process_samples(row); !broken.empty())
            return fmt::format("key rows.{}.process_samples: {}", at, broken);
        if (row["interval"].is_array() && row["interval"][0].get<double>() > row["interval"][1].get<double>())
            return fmt::format("key rows.{}.interval: its ends are reversed", at);
        ++at;
    }
    return "";
}

}  // namespace

void check_result(const nlohmann::json& document, const std::string& label) {
    const auto version =
        document.is_object() ? document.value("schema_version", nlohmann::json()) : nlohmann::json();
    if (version != schema_version) throw UsageError(label + ": key schema_version: " + version_rule());
    valijson::ValidationResults problems;
    if (!valijson::Validator().validate(result_schema(), valijson::adapters::NlohmannJsonAdapter(document),
                                        &problems)) {
        valijson::ValidationResults::Error problem, deepest;
        while (problems.popError(problem))
            if (problem.context.size() >= deepest.context.size()) deepest = problem;
        throw UsageError(
            fmt::format("{}: key {}: {}", label, key_path(deepest.context), deepest.description));
    }
    if (const std::string broken = broken_rule(document); !broken.empty())
        throw UsageError(fmt::format("{}: {}", label, broken));
}

void check_row(const nlohmann::json& row, const std::string& label) {
    const nlohmann::json none = nlohmann::json::object();
    check_result({{"schema_version", schema_version},
                  {"context",
                   {{"experiment", "x"},
                    {"machine", "x"},
                    {"preset", "quick"},
                    {"complete", false},
                    {"build", none},
                    {"cpu", none},
                    {"gpu", nullptr},
                    {"ceilings", nlohmann::json::array()},
                    {"reasons", none}}},
                  {"rows", {row}}},
                 label);
}

void from_json(const nlohmann::json& document, ResultFile& file) {
    file.context = document.at("context");
    file.rows = document.at("rows").get<std::vector<Row>>();
}

void to_json(nlohmann::json& document, const ResultFile& file) {
    document = {{"schema_version", schema_version}, {"context", file.context}, {"rows", file.rows}};
}

namespace {

ResultFile result_of(const nlohmann::json& document, const std::filesystem::path& path) {
    check_result(document, path.string());
    return document.get<ResultFile>();
}

}  // namespace

ResultFile read_result_file(const std::filesystem::path& path) {
    return result_of(read_json_file(path), path);
}

void write_result_file(const std::filesystem::path& path, const nlohmann::json& document) {
    check_result(document, path.string());
    // A row a line: with a number a line thousands of samples would make it half as large again.
    std::string rows;
    for (const auto& row : document["rows"])
        rows += (rows.empty() ? "\n  " : ",\n  ") + row.dump();
    write_atomically(path,
                     fmt::format("{{\n \"schema_version\": {},\n \"context\": {},\n \"rows\": [{}\n ]\n}}\n",
                                 schema_version, document["context"].dump(1), rows));
}

bool is_emulated(const nlohmann::json& context) {
    return context["cpu"].value("emulated", nlohmann::json()) == true;
}

namespace {

/// <experiment>.json: no file that a run has set aside (<experiment>.old-N.json) or not finished.
bool has_name_of_result(const std::filesystem::path& path) {
    static const std::regex name("[a-z][a-z0-9_]*\\.json");
    return std::regex_match(path.filename().string(), name);
}

/// The JSON of a folder's file that is a result by its name and says that it is one; nullopt for others, such
/// as other programs' JSON. plots/gridmark_plots/resultfiles.py has the same rule.
std::optional<nlohmann::json> result_document(const std::filesystem::path& path) {
    if (!has_name_of_result(path)) return std::nullopt;
    nlohmann::json document = read_json_file(path);
    const bool has_version = document.is_object() && document.contains("schema_version");
    const auto experiment =
        document.is_object() && document.contains("context") && document["context"].is_object()
            ? document["context"].value("experiment", nlohmann::json())
            : nlohmann::json();
    // Damage that leaves valid JSON without either key would be strange.
    if (!has_version && experiment.is_null()) return std::nullopt;
    return document;
}

ResultSet any_result_set(const std::filesystem::path& directory) try {
    if (!std::filesystem::is_directory(directory))
        throw UsageError(directory.string() + ": no such folder of results");
    ResultSet set{directory, directory.filename().string(), true, {}};
    std::filesystem::path other;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        auto document = result_document(entry.path());
        if (!document) {
            if (has_name_of_result(entry.path())) other = entry.path();
            continue;
        }
        const std::string stem = entry.path().stem().string();
        ResultFile file = result_of(*document, entry.path());
        const auto& context = file.context;
        if (context["experiment"] != stem)
            throw UsageError(entry.path().string() + ": key context.experiment: " +
                             context["experiment"].dump() + " does not match the file's name");
        set.machine = context["machine"].get<std::string>();
        set.complete = set.complete && context["complete"].get<bool>();
        set.files.emplace(stem, std::move(file));
    }
    if (set.files.empty())
        throw UsageError(other.empty() ? directory.string() + ": holds no result file"
                                       : other.string() + ": not a result file, and there is none beside it");
    return set;
} catch (const std::filesystem::filesystem_error& error) {
    throw UsageError(fmt::format("{}: cannot be read ({})", directory.string(), error.code().message()));
}

}  // namespace

ResultSet load_result_set(const std::filesystem::path& directory) {
    ResultSet set = any_result_set(directory);
    for (const auto& [experiment, file] : set.files) {
        const std::string path = (directory / (experiment + ".json")).string();
        if (is_emulated(file.context))
            throw UsageError(
                fmt::format("{}: its processor was emulated: these times are no measurements", path));
        if (file.context["preset"] == forecast_preset)
            throw UsageError(fmt::format("{}: holds forecasts, which are no measurements", path));
    }
    return set;
}

Row row_named(const std::filesystem::path& directory, const std::string& experiment, const std::string& row) {
    const ResultSet set = any_result_set(directory);
    const auto file = set.files.find(experiment);
    if (file != set.files.end())
        for (const Row& candidate : file->second.rows)
            if (candidate.name == row) return candidate;
    throw UsageError(fmt::format("--row {}: {} has no such row of {}", row, directory.string(), experiment));
}

}  // namespace gridmark::harness

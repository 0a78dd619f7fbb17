#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/results/row.hpp"

namespace gridmark::harness {

/// The version that this program reads and writes (harness/result.schema.json).
constexpr int schema_version = 2;

/// One experiment on one machine.
struct ResultFile {
    nlohmann::json context;  ///< what the machine, the build and the run were
    std::vector<Row> rows;
};

/// From a document that check_result() accepts, and back: what nlohmann/json calls to convert.
void from_json(const nlohmann::json& document, ResultFile& file);
void to_json(nlohmann::json& document, const ResultFile& file);

/// Reads and checks a result file. Throws UsageError with one line naming the file, the key and the reason
/// for a file that cannot be read, is no JSON, is of another version or breaks the schema.
ResultFile read_result_file(const std::filesystem::path& path);

/// Checks a document against the schema; `label` names it in the message. Throws
/// UsageError.
void check_result(const nlohmann::json& document, const std::string& label);

/// Checks one row alone, in the same way.
void check_row(const nlohmann::json& row, const std::string& label);

/// Checks, then replaces the file in one step, so that a reader (or a crash) sees the old or the new one,
/// never a half. Throws UsageError when the document is wrong, std::system_error when it cannot be written
/// (the old file stays).
void write_result_file(const std::filesystem::path& path, const nlohmann::json& document);

/// The preset of a file whose rows are a model's (docs/forecast.md).
constexpr const char* forecast_preset = "forecast";

/// Whether a file's context says that its processor was emulated.
bool is_emulated(const nlohmann::json& context);

/// All result files of one machine: results/<machine>/<experiment>.json.
struct ResultSet {
    std::filesystem::path directory;
    std::string machine;                      ///< as the files name it
    bool complete = true;                     ///< false when any file is marked incomplete
    std::map<std::string, ResultFile> files;  ///< by experiment
};

/// Reads a folder of result files. Throws UsageError when it is no folder, holds none, or any is refused; so
/// is one of an emulated processor, whose times are no measurements, and a forecast.
ResultSet load_result_set(const std::filesystem::path& directory);

/// The row of that name in a folder's file of `experiment`, also of an emulated processor. Throws UsageError
/// where there is none.
Row row_named(const std::filesystem::path& directory, const std::string& experiment, const std::string& row);

}  // namespace gridmark::harness

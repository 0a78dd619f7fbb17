#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/result_file.hpp"

/// A result set in the formats of other programs (docs/export.md). Pure functions: a set in, text out.
namespace gridmark::harness {

/// What to export() gives: "csv", "googlebenchmark", "bencher", "github-action-benchmark".
const std::vector<std::string>& export_formats();

/// The text of a file in that format, and how many rows the format has no place for.
struct Exported {
    std::string text;
    std::size_t without_number = 0;  ///< skipped or failed
    std::size_t other_than_time = 0;
};

/// The set in one of export_formats(). Throws UsageError for another format, for two rows of one name, for a
/// set of which nothing can be exported, and for a row that the format cannot hold.
Exported export_set(const ResultSet& set, const std::string& format);

/// What of the set, and of `words`, is to stay private: the words, and what the files hold under keys that
/// speak of a host, a user, a UUID or a serial number. An experiment's name is none.
std::vector<std::string> private_texts(const ResultSet& set, const std::vector<std::string>& words);

/// The set with "(left out)" in place of each of these texts, in contexts as in rows.
ResultSet without(ResultSet set, const std::vector<std::string>& texts);

/// The formats, and what they share.
Exported to_csv(const ResultSet& set);
Exported to_google_benchmark(const ResultSet& set);
Exported to_bencher(const ResultSet& set);
Exported to_github_action_benchmark(const ResultSet& set);

/// Nanoseconds in a unit of time; none for other units.
std::optional<double> nanoseconds_in(const std::string& unit);

/// A number times a factor, to twelve digits: 2.345678 us are 2345.678 ns, not 2345.6779999999999. Throws
/// UsageError, naming the row, where the product is not finite: JSON has no word for it.
double scaled(double value, double factor, const Row& row);

}  // namespace gridmark::harness

#pragma once

#include <optional>
#include <string>

#include "harness/export/export.hpp"

/// The formats of export_set(), and what they share.
namespace gridmark::harness {

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

#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/compare/causes.hpp"
#include "harness/compare/machines.hpp"
#include "harness/compare/margins.hpp"

/// The parts of a comparison as compare.schema.json describes them.
namespace gridmark::harness {

using NamedRows = std::map<std::string, const Row*>;
NamedRows named_rows(const ResultFile& file);

/// All sets whose runs may give a margin.
std::vector<const ResultSet*> all_sets(const std::vector<const ResultSet*>& sets,
                                       const std::vector<ResultSet>& more);

/// A row in two contexts; wall-clock rows with the larger margin of the two kinds of machine.
ComparedRow compared_row(const Margins& margins, const Row& base, const nlohmann::json& base_context,
                         const Row& fresh, const nlohmann::json& fresh_context);
/// All that both files have.
std::vector<ComparedRow> common_rows(const Margins& margins, const ResultFile& base, const ResultFile& fresh);

nlohmann::json number_or_null(const std::optional<double>& number);
/// What both forms say of a row: its names, quantity, unit and clock.
nlohmann::json row_entry(const Row& row);
/// The ratio and its interval, or nulls where they would mean nothing.
void put_ratio(nlohmann::json& to, const ComparedRow& row);
/// What a row's change is put down to, by the row's name.
std::map<std::string, nlohmann::json> causes_by_row(const std::vector<Cause>& causes);

nlohmann::json side_of(const ResultSet& set);
nlohmann::json json_of(const Cause& cause);
nlohmann::json json_of(const StudyAnswer& answer);
nlohmann::json json_of(const Straggler& machine);
nlohmann::json json_of(const Standing& standing);
nlohmann::json json_of(const Margins& margins);
/// What disturbed the runs of these sets: {"set", "directory", "experiment", "what"}; "set" is the place.
nlohmann::json disturbances_of(const std::vector<const ResultSet*>& sets);

}  // namespace gridmark::harness

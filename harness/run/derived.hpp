#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/experiment.hpp"

namespace gridmark::harness {

/// The row of a derived value: a median alone, without samples and interval. `find` gives a row by its name,
/// null when the run left it out. Without all numbers it has none, for the first reason of any; a value that
/// throws or is not finite has a failed row.
nlohmann::json derived_row(const std::string& experiment, const Derived& derived,
                           const std::function<const nlohmann::json*(const std::string&)>& find);

}  // namespace gridmark::harness

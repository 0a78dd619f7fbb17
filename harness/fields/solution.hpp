#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace gridmark::harness {

/// One array of a solution: C order, the last size varies fastest.
struct Field {
    std::string name;  ///< "psi" becomes the dataset /psi
    std::vector<std::size_t> sizes;
    std::variant<std::vector<float>, std::vector<double>, std::vector<std::uint8_t>> values;
};

/// What `solve` writes: the fields and every parameter, numbers or strings.
struct Solution {
    std::vector<Field> fields;
    nlohmann::json parameters;
};

}  // namespace gridmark::harness

#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <type_traits>
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

/// What a recorded dataset holds.
enum class Number { float32, float64, int64 };

template <class T>
constexpr Number number_of() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int64_t>);
    if (std::is_same_v<T, float>) return Number::float32;
    return std::is_same_v<T, double> ? Number::float64 : Number::int64;
}

/// Takes what a study's `solve` wants kept while it computes: time series at points, snapshots at moments. It
/// lies beside the fields of the solution in the same file, and what is written survives the program's being
/// killed, but for a kill in the moment in which a dataset begins or the solution is added: begin all
/// datasets before the first record.
class Recorder {
  public:
    /// The values of one record, C order: a vector of float, double or std::int64_t turns into it.
    using Values =
        std::variant<std::span<const float>, std::span<const double>, std::span<const std::int64_t>>;

    virtual ~Recorder() = default;
    /// Makes a dataset of sizes[0] records, each of the sizes that follow. `name` is like "points/ex", whose
    /// groups are made; no other dataset, no field of the solution and not "parameters". Records that are
    /// never written read as NaN, those of integers as -1. Room for all of them is taken here: a full disk is
    /// told before anything is computed. Throws std::runtime_error when it cannot be made, std::logic_error
    /// for a name that was begun before or no sizes.
    virtual void begin(const std::string& name, Number number, const std::vector<std::size_t>& sizes) = 0;
    /// Writes a whole record, in any order and more than once; once it returns, whoever opens the file finds
    /// it. Throws std::runtime_error when it cannot be written, std::logic_error unless the dataset was begun
    /// with this number, more records than `index` and records of so many values.
    virtual void write(const std::string& name, std::size_t index, Values values) = 0;
};

}  // namespace gridmark::harness

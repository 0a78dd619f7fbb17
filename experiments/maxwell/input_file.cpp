#include "experiments/maxwell/input_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/availability.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::maxwell {
namespace {

using harness::InputField;
using harness::UsageError;

/// Arrays of doubles that a solve keeps at most: fields and coefficients, both once more in pinned memory,
/// and what is written.
constexpr double host_arrays = 3 * 15;

/// Rows of three values each.
std::vector<std::array<double, 3>> triples(const InputField<double>& field) {
    if (!field.sizes.empty() && field.sizes[1] != 3)
        throw UsageError(
            fmt::format("/{} is [{}]; its rows must have 3 values", field.name, fmt::join(field.sizes, ",")));
    std::vector<std::array<double, 3>> rows;
    for (std::size_t i = 0; i + 2 < field.values.size(); i += 3)
        rows.push_back({field.values[i], field.values[i + 1], field.values[i + 2]});
    return rows;
}

std::vector<std::uint16_t> material_numbers(const Grid& grid, const InputField<float>& cells) {
    std::vector<std::size_t> expected;
    for (int axis = 0; axis < 3; ++axis)
        expected.push_back(static_cast<std::size_t>(grid.n(axis) - 1));
    if (cells.sizes != expected)
        throw UsageError(fmt::format("/cells is [{}]; between the nodes there are [{}] cells",
                                     fmt::join(cells.sizes, ","), fmt::join(expected, ",")));
    std::vector<std::uint16_t> numbers(cells.values.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float value = cells.values[i];
        if (!(value >= 0 && value <= std::numeric_limits<std::uint16_t>::max() && value == std::floor(value)))
            throw UsageError(
                fmt::format("/cells: value {} is {:g}, which is no number of a layer", i, value));
        numbers[i] = static_cast<std::uint16_t>(value);
    }
    return numbers;
}

InputFile read_and_check(const std::filesystem::path& path) {
    const auto fields = harness::read_input<double>(
        path, {{"x", 1}, {"y", 1}, {"z", 1}, {"layers", 2}, {"points", 2, true}, {"moments", 1, true}});
    try {
        InputFile file;
        for (int axis = 0; axis < 3; ++axis)
            file.grid.nodes[axis] = fields[axis].values;
        check_grid(file.grid);
        check_memory(file.grid);
        for (const auto& [eps, mu, sigma] : triples(fields[3]))
            file.body.materials.push_back({eps, mu, sigma});
        file.points = triples(fields[4]);
        file.moments = fields[5].values;
        return file;
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", path.string(), error.what()));
    } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("{}: {}", path.string(), error.what()));
    }
}

}  // namespace

InputFile read_input_file(const std::filesystem::path& path) {
    InputFile file = read_and_check(path);
    const auto cells = harness::read_input<float>(path, {{"cells", 3}});
    try {
        file.body.cells = material_numbers(file.grid, cells[0]);
        check_body(file.grid, file.body);
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("{}: {}", path.string(), error.what()));
    } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("{}: {}", path.string(), error.what()));
    }
    return file;
}

void check_memory(const Grid& grid) {
    double slots = 1;
    for (int axis = 0; axis < 3; ++axis)
        slots *= grid.n(axis) + 1;
    harness::require_memory(fmt::format("{} x {} x {} nodes", grid.n(0), grid.n(1), grid.n(2)),
                            host_arrays * slots * sizeof(float));
}

}  // namespace gridmark::maxwell

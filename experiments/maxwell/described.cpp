#include "experiments/maxwell/described.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "harness/availability.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/usage_error.hpp"
#include "kernels/maxwell/cases.hpp"

namespace gridmark::maxwell {
namespace {

using harness::InputField;
using harness::Settings;
using harness::UsageError;

constexpr int most_nodes = 1 << 20;  // a side; memory knows how many in all
constexpr int most_steps = 100'000'000;

/// What a file for `solve --input` holds; see Described.
struct InputFile {
    Grid grid;
    Body body;
    std::vector<std::array<double, 3>> points;
    std::vector<double> moments;
};

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

/// Throws UsageError where a solve on so many nodes does not fit the free host memory.
void check_memory(const Grid& grid) {
    double slots = 1;
    for (int axis = 0; axis < 3; ++axis)
        slots *= grid.n(axis) + 1;
    harness::require_memory(fmt::format("{} x {} x {} nodes", grid.n(0), grid.n(1), grid.n(2)),
                            host_arrays * slots * sizeof(float));
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

/// Reads and checks it. Throws UsageError, one line that names the file and what of it is wrong.
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

/// The node nearest to a position along an axis.
int nearest(const std::vector<double>& nodes, double position) {
    const auto behind = std::lower_bound(nodes.begin(), nodes.end(), position);
    if (behind == nodes.begin()) return 0;
    const auto i = static_cast<int>(behind - nodes.begin());
    if (behind == nodes.end()) return i - 1;
    return position - nodes[i - 1] < nodes[i] - position ? i - 1 : i;
}

Body built_in(const Grid& grid, const std::string& name, std::uint64_t seed) {
    if (name == "empty") return empty_box(grid);
    if (name == "slab") return dielectric_slab(grid);
    if (name == "sphere") return lossy_sphere(grid);
    if (name == "aircraft") return aircraft(grid);
    return random_body(grid, seed);
}

/// A case of the study: before, in and behind the body a point each, and as many moments as wanted.
Described made(const Settings& settings) {
    const auto nodes = [&](const char* key, int otherwise) {
        return static_cast<int>(settings.integer(key, otherwise, 2, most_nodes));
    };
    Described d;
    d.problem.grid = uniform_grid(nodes("nx", 97), nodes("ny", 97), nodes("nz", 129));
    check_memory(d.problem.grid);
    const std::string name =
        settings.word("case", "sphere", {"empty", "slab", "sphere", "aircraft", "random"});
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    d.body = built_in(d.problem.grid, name, seed);
    d.about = {{"case", name}, {"seed", seed}};
    const Grid& grid = d.problem.grid;
    for (const int quarter : {1, 2, 3})
        d.points.push_back({grid.n(0) / 2, grid.n(1) / 2, quarter * (grid.n(2) - 1) / 4});
    return d;
}

/// Its moments go to `times`: which steps they are depends on c dt.
Described from_file(const std::filesystem::path& path, const Settings& settings, std::vector<double>& times) {
    settings.refuse({"case", "seed", "moments"}, "--input");
    InputFile file = read_input_file(path);
    Described d;
    d.problem.grid = std::move(file.grid);
    const Grid& grid = d.problem.grid;
    for (int axis = 0; axis < 3; ++axis) {
        const std::string key = {'n', "xyz"[axis]};
        if (settings.integer(key, grid.n(axis), 2, most_nodes) != grid.n(axis))
            throw UsageError(
                fmt::format("--set {}: {} has {} nodes there", key, path.string(), grid.n(axis)));
    }
    d.body = std::move(file.body);
    times = std::move(file.moments);
    d.about = {{"case", "input"}, {"input", path.filename().string()}};
    for (const auto& position : file.points)
        d.points.push_back({nearest(grid.nodes[0], position[0]), nearest(grid.nodes[1], position[1]),
                            nearest(grid.nodes[2], position[2])});
    return d;
}

double dct_of(const Settings& settings, const Described& d, const std::string& where) {
    const double limit = stable_dct(d.problem.grid, d.body);
    const double dct = settings.number("dt", default_dct(d.problem.grid, d.body));
    if (!(dct > 0)) throw UsageError("--set dt: c dt must be above 0");
    if (dct > limit)
        throw UsageError(
            fmt::format("{}--set dt={:g}: unstable; with its boundaries the scheme allows c dt up to {:.6g}, "
                        "{:g} of Yee's limit",
                        where, dct, limit, stable_share));
    return dct;
}

Source source_of(const Settings& settings) {
    const double wave_length = settings.number("wavelength", 16), pulse = settings.number("pulse", 0);
    if (!(wave_length > 0)) throw UsageError("--set wavelength: must be above 0");
    if (pulse < 0) throw UsageError("--set pulse: its length must not be below 0");
    return {{settings.number("amplitude_x", 1), settings.number("amplitude_y", 0)},
            2 * std::numbers::pi / wave_length,
            pulse};
}

/// Steps after which the moments have come.
std::vector<int> moments_of(const std::vector<double>& times, const Described& d, const std::string& where) {
    std::vector<int> moments;
    for (const double ct : times) {
        const double step = std::round(ct / d.problem.dct);
        if (!(step >= 0 && step <= d.steps))
            throw UsageError(fmt::format("{}/moments: c t = {:g} does not lie in the {} steps of {:g}", where,
                                         ct, d.steps, d.problem.dct));
        moments.push_back(static_cast<int>(step));
    }
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    return moments;
}

/// So many moments, evenly spread, the last one after the last step.
std::vector<int> even_moments(int count, int steps) {
    std::vector<int> moments;
    for (int k = 1; k <= std::min(count, steps); ++k)
        moments.push_back(static_cast<int>(static_cast<long long>(steps) * k / std::min(count, steps)));
    return moments;
}

}  // namespace

const std::set<std::string> described_keys{"nx",    "ny",          "nz",          "steps",
                                           "case",  "seed",        "dt",          "wavelength",
                                           "pulse", "amplitude_x", "amplitude_y", "moments"};

Described describe(const std::optional<std::filesystem::path>& input, const Settings& settings) {
    const std::string where = input ? input->string() + ": " : "";
    std::vector<double> times;
    Described d = input ? from_file(*input, settings, times) : made(settings);
    d.steps = static_cast<int>(settings.integer("steps", 200, 0, most_steps));
    d.problem.dct = dct_of(settings, d, where);
    d.problem.source = source_of(settings);
    const int moments = static_cast<int>(settings.integer("moments", 0, 0, 10000));
    d.moments = input ? moments_of(times, d, where) : even_moments(moments, d.steps);
    return d;
}

}  // namespace gridmark::maxwell

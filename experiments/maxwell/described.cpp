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

/// Of the direction x (0) or y (1): `key` with its name, or `key` alone for both.
class DirectionSettings {
  public:
    DirectionSettings(const Settings& settings, int direction)
        : settings_(settings), suffix_(direction == 0 ? "_x" : "_y") {}
    double number(const std::string& key, double otherwise) const {
        return settings_.number(key + suffix_, settings_.number(key, otherwise));
    }
    /// The key that a number comes from.
    std::string source(const std::string& key) const {
        const double unset = std::numeric_limits<double>::quiet_NaN();
        return std::isnan(settings_.number(key + suffix_, unset)) ? key : key + suffix_;
    }
    double above_0(const std::string& key, double otherwise) const {
        const double value = number(key, otherwise);
        if (!(value > 0)) throw UsageError(fmt::format("--set {}: must be above 0", source(key)));
        return value;
    }
    std::string waveform() const {
        const std::set<std::string> words{"sine", "lightning"};
        return settings_.word("waveform" + suffix_, settings_.word("waveform", "sine", words), words);
    }
    /// Throws UsageError where one of the keys is set for this direction.
    void refuse(const std::set<std::string>& keys, const std::string& because) const {
        std::set<std::string> own;
        for (const std::string& key : keys)
            own.insert(key + suffix_);
        settings_.refuse(own, because);
    }

  private:
    const Settings& settings_;
    std::string suffix_;
};

const std::set<std::string> keys_of_sine{"wavelength", "pulse"}, keys_of_lightning{"rise", "fall"};

Oscillation oscillation_of(const DirectionSettings& of, double amplitude) {
    Oscillation o;
    o.amplitude = amplitude;
    if (of.waveform() == "lightning") {
        of.refuse(keys_of_sine, "a waveform of lightning");
        o.rise = of.above_0("rise", 8);
        o.fall = of.above_0("fall", 80);
        if (!(o.rise < o.fall))
            throw UsageError(fmt::format("--set {}: {:g} must be less than fall, which is {:g}",
                                         of.source("rise"), o.rise, o.fall));
        return o;
    }
    of.refuse(keys_of_lightning, "a waveform of sine");
    o.wave_number = 2 * std::numbers::pi / of.above_0("wavelength", 16);
    o.duration = of.number("pulse", 0);
    if (o.duration < 0)
        throw UsageError(fmt::format("--set {}: its length must not be below 0", of.source("pulse")));
    return o;
}

Source source_of(const Settings& settings) {
    Source source;
    const double amplitudes[] = {settings.number("amplitude_x", 1), settings.number("amplitude_y", 0)};
    int lightnings = 0;
    for (int p = 0; p < 2; ++p) {
        source.along[p] = oscillation_of({settings, p}, amplitudes[p]);
        lightnings += source.along[p].is_lightning() ? 1 : 0;
    }
    // Keys for both directions must mean something to one at least.
    if (lightnings == 0) settings.refuse(keys_of_lightning, "a waveform of sine");
    if (lightnings == 2) settings.refuse(keys_of_sine, "a waveform of lightning");
    return source;
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

const std::set<std::string> described_keys{
    "nx",           "ny",      "nz",       "steps",     "case",       "seed",        "dt",
    "wavelength",   "pulse",   "waveform", "rise",      "fall",       "amplitude_x", "moments",
    "wavelength_x", "pulse_x", "rise_x",   "fall_x",    "waveform_x", "amplitude_y", "wavelength_y",
    "pulse_y",      "rise_y",  "fall_y",   "waveform_y"};

nlohmann::json source_parameters(const Source& source) {
    nlohmann::json of;
    for (int p = 0; p < 2; ++p) {
        const Oscillation& o = source.along[p];
        const auto set = [&](const char* key, const nlohmann::json& value) {
            of[fmt::format("{}_{}", key, "xy"[p])] = value;
        };
        set("amplitude", o.amplitude);
        set("waveform", o.is_lightning() ? "lightning" : "sine");
        if (o.is_lightning()) {
            set("rise", o.rise);
            set("fall", o.fall);
        } else {
            set("wavelength", 2 * std::numbers::pi / o.wave_number);
            set("pulse", o.duration);
        }
    }
    return of;
}

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

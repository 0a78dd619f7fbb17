#include "experiments/heat/start_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/availability.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::heat {
namespace {

using harness::Settings;
using harness::UsageError;

/// Start and coefficients, each once more where they are computed with and as they are written; two of a
/// stepper.
constexpr double host_arrays = 10;
constexpr int most_points = 1 << 24;  // a side; tissue() knows how many in all

/// The problem that the settings describe, of that size where they give none.
Problem problem_of(const Settings& settings, int nx, int ny, int nz) {
    const auto size = [&](const char* key, int otherwise) {
        return static_cast<int>(settings.integer(key, otherwise, 1, most_points));
    };
    const double dx = settings.number("dx", 1e-3);
    return tissue(size("nx", nx), size("ny", ny), size("nz", nz), settings.number("dt", 1e-4),
                  {dx, settings.number("dy", dx), settings.number("dz", dx)},
                  settings.number("boundary", 37.0));
}

/// The file's fields, and the problem of their size.
template <class T>
StartFields<T> from_file(const std::filesystem::path& path, const Settings& settings) {
    settings.refuse({"start", "seed"}, "--input");
    auto fields = harness::read_input<T>(path, {{"t0", 3}, {"beta", 3}, {"source", 3, true}});
    const auto& sizes = fields[0].sizes;
    for (const auto& other : fields)
        if (!other.values.empty() && sizes != other.sizes)
            throw UsageError(fmt::format("{}: /t0 is [{}] and /{} [{}]; they must be of one size",
                                         path.string(), fmt::join(sizes, ","), other.name,
                                         fmt::join(other.sizes, ",")));
    if (*std::max_element(sizes.begin(), sizes.end()) > most_points)
        throw UsageError(fmt::format("{}: no side may be longer than {}", path.string(), most_points));
    const auto side = [&](int axis) { return static_cast<int>(sizes[axis]); };
    const Problem p = problem_of(settings, side(2), side(1), side(0));
    if (p.nx != side(2) || p.ny != side(1) || p.nz != side(0))
        throw UsageError(fmt::format("--set nx, ny, nz: {} holds {} x {} x {} points", path.string(), side(2),
                                     side(1), side(0)));
    return {p,
            {std::move(fields[0].values), std::move(fields[1].values)},
            std::move(fields[2].values),
            {{"start", "input"}, {"input", path.filename().string()}}};
}

template <class T>
StartFields<T> made(const Settings& settings) {
    const Problem p = problem_of(settings, 256, 256, 256);
    harness::require_memory(fmt::format("--set nx, ny, nz: {} x {} x {} points", p.nx, p.ny, p.nz),
                            host_arrays * static_cast<double>(p.points()) * sizeof(T));
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    const std::string kind = settings.word("start", "phantom", {"phantom", "random"});
    return {p,
            kind == "phantom" ? phantom<T>(p, seed) : random_start<T>(p, seed, 0.05),
            {},
            {{"start", kind}, {"seed", seed}}};
}

/// "[2,0,5]", the index in C order of a value.
std::string place(const Problem& p, std::size_t at) {
    const auto nx = static_cast<std::size_t>(p.nx), ny = static_cast<std::size_t>(p.ny);
    return fmt::format("[{},{},{}]", at / nx / ny, at / nx % ny, at % nx);
}

/// Throws UsageError, its message beginning with `where`, for a beta that the scheme cannot step with.
template <class T>
void check(const StartFields<T>& fields, const std::string& where) {
    const Problem& p = fields.problem;
    const auto& beta = fields.start.beta;
    const auto [least, most] = std::minmax_element(beta.begin(), beta.end());
    if (*least < 0)
        throw UsageError(fmt::format("{}beta is negative, {:g} at {}: heat would flow to where it is hot",
                                     where, *least,
                                     place(p, static_cast<std::size_t>(least - beta.begin()))));
    const double ratio = step_ratio(p, static_cast<double>(*most));
    if (ratio > stability_limit)
        throw UsageError(fmt::format(
            "{}unstable: beta dt / dx^2 (mean of the axes) is {:.4g} at {}, the step is stable up to {:g}; "
            "choose dt <= {:.4g}",
            where, ratio, place(p, static_cast<std::size_t>(most - beta.begin())), stability_limit,
            p.dt * stability_limit / ratio));
}

}  // namespace

template <class T>
StartFields<T> start_of(const std::optional<std::filesystem::path>& input, const Settings& settings) {
    StartFields<T> fields = input ? from_file<T>(*input, settings) : made<T>(settings);
    check(fields, input ? input->string() + ": " : "");
    return fields;
}

template StartFields<float> start_of(const std::optional<std::filesystem::path>&, const Settings&);
template StartFields<double> start_of(const std::optional<std::filesystem::path>&, const Settings&);

}  // namespace gridmark::heat

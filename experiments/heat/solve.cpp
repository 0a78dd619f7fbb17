#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "experiments/heat/blocks.hpp"
#include "experiments/heat/stepper.hpp"
#include "experiments/heat/streamed.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/ranks/plan.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"
#include "kernels/heat/start.hpp"

namespace gridmark::heat {

extern const harness::RankedStudy ranked_study;

namespace {

using harness::Settings;
using harness::Solution;
using harness::SolveRequest;
using harness::UsageError;

// --- the start

/// A problem, its start, and what of the start a result file says beside it.
template <class T>
struct StartFields {
    Problem problem;
    Start<T> start;
    std::vector<T> source;  ///< degrees a second, of every interior point; empty without one
    nlohmann::json about;
};

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

/// The start that a `solve` asks for: the datasets /t0 and /beta of an HDF5 file, and /source where it is
/// there, all [nz][ny][nx]; or one that the program makes (`start` phantom or random, `seed`). Throws
/// UsageError where the file cannot be used, its fields differ in size, sizes given beside it are others,
/// beta is negative, or the step would be unstable.
template <class T>
StartFields<T> start_of(const std::optional<std::filesystem::path>& input, const Settings& settings) {
    StartFields<T> fields = input ? from_file<T>(*input, settings) : made<T>(settings);
    check(fields, input ? input->string() + ": " : "");
    return fields;
}

// --- steps from it

/// The kernel that a request asks for on its device. Throws UsageError for an ablation that it has not.
template <class T>
Kernel kernel_of(const SolveRequest& request, const Settings& settings) {
    const auto& variant = *find_gpu_variant<T>(request.device->executor(), request.variant);
    std::set<std::string> words{"none"};
    for (const auto& ablation : variant.ablations())
        words.emplace(ablation.ablation);
    const std::string ablation = settings.word("ablation", "none", words);
    const bool texture = settings.word("beta", "texture", {"texture", "load"}) == "texture";
    return {request.variant, texture ? BetaPath::texture : BetaPath::load,
            ablation == "none" ? "" : ablation};
}

/// What the source adds in a step: dt times it; empty without one. Throws UsageError where the version makes
/// several steps in one pass.
template <class T>
std::vector<T> heat_of_a_step(const SolveRequest& request, const Problem& p, const std::vector<T>& source) {
    if (source.empty()) return {};
    const CpuVariant* const on_cpu = find_cpu_variant(request.variant);
    const auto* const kernel =
        on_cpu == nullptr ? find_gpu_variant<T>(request.device->executor(), request.variant) : nullptr;
    // A streamed version has no kernel of its own.
    if (on_cpu != nullptr ? on_cpu->steps(sizeof(T)) > 1
                          : kernel == nullptr || kernel->steps_per_launch.most > 1)
        throw UsageError(
            fmt::format("{}: /source is added behind every step, and {} makes several steps in "
                        "one pass; choose a variant that makes one",
                        request.input->string(), request.variant));
    std::vector<T> added(source.size());
    std::transform(source.begin(), source.end(), added.begin(),
                   [&](T value) { return static_cast<T>(p.dt * static_cast<double>(value)); });
    return added;
}

/// A streamed version; adds what it chose, and what it moved, to the parameters.
template <class T>
std::vector<T> advance_streamed(const SolveRequest& request, const StreamedVersion& version,
                                const Settings& settings, const StartFields<T>& from, int steps,
                                nlohmann::json& parameters) {
    const Problem& p = from.problem;
    const int height = static_cast<int>(settings.integer("height", std::clamp(steps, 1, 8), 1, 1'000'000));
    if (height > std::max(steps, 1))
        throw UsageError(fmt::format("--set height={}: more than the {} steps", height, steps));
    // A quarter of the layers at a time.
    const std::size_t quarters = device_values<T>(p, slabs_of<T>(p, version, height, (p.nz + 3) / 4)),
                      values =
                          harness::device_values_of(settings, sizeof(T), static_cast<std::int64_t>(quarters));
    const Slabs slabs = slabs_for<T>(p, version, height, values);
    const auto stepper = streamed_stepper<T>(*request.device, p, version, slabs, from.start.beta);
    stepper->start(from.start.t0, from.start.t0);
    stepper->steps(steps);
    std::vector<T> last(p.points());
    stepper->read(last);
    parameters.update({{"height", height},
                       {"device_values", values},
                       {"slab_depth", slabs.depth},
                       {"pieces", slabs.count()},
                       {"bytes_up", stepper->moved().up},
                       {"bytes_down", stepper->moved().down}});
    return last;
}

/// The steps of a version from the start to the last temperature.
template <class T>
std::vector<T> advance(const SolveRequest& request, const Settings& settings, const StartFields<T>& from,
                       int steps, nlohmann::json& parameters) {
    const auto& [p, start, source, about] = from;
    const std::vector<T> added = heat_of_a_step(request, p, source);
    if (const auto* const version = find_streamed_version(request.variant))
        return advance_streamed(request, *version, settings, from, steps, parameters);
    std::vector<T> last = from.start.t0;
    const auto run = [&](Stepper<T>& stepper) { harness::advance(stepper, last, steps); };
    if (request.ranks != nullptr) {
        settings.refuse({"beta", "ablation", "blocks", "outer", "inner", "tile", "streaming"}, "--ranks");
        std::map<std::string, std::string> set{{"start", "phantom"}};
        for (const auto& [key, value] : request.set)
            if (ranked_study.keys.contains(key)) set[key] = value;
        run(*harness::ranked_stepper<T>(request, "heat", ranked_study, set, settings,
                                        about.at("seed").template get<std::uint64_t>()));
        return last;
    }
    if (request.device == nullptr) {
        const CpuVariant& variant = *find_cpu_variant(request.variant);
        const Cut cut = chosen_cut(settings, variant, p, sizeof(T), request.threads);
        run(*cpu_stepper<T>(p, variant, cut, request.threads, start.beta.data(),
                            added.empty() ? nullptr : added.data()));
        return last;
    }
    const Kernel kernel = kernel_of<T>(request, settings);
    launch::Device& device = *request.device;
    const launch::Buffer<T> beta(device, start.beta);
    const launch::Texture3<T> texture(device, beta, p.nx, p.ny, p.nz);
    const launch::Buffer<T> more(device, added);
    run(*gpu_stepper<T>(device, p, kernel, {texture.view(), beta.data()}, more.data()));
    return last;
}

template <class T>
Solution solve_in(const SolveRequest& request, const Settings& settings) {
    const int steps = static_cast<int>(settings.integer("steps", 100, 0, 100'000'000));
    const StartFields<T> from = start_of<T>(request.input, settings);
    const auto& [p, start, source, about] = from;
    Solution solution;
    std::vector<T> last = advance(request, settings, from, steps, solution.parameters);
    if (!std::all_of(last.begin(), last.end(), [](T value) { return std::isfinite(value); }))
        throw UsageError(fmt::format("the temperature left the range of {}", harness::precision_name<T>));

    solution.parameters.update({{"nx", p.nx},
                                {"ny", p.ny},
                                {"nz", p.nz},
                                {"dt", p.dt},
                                {"dx", p.dx},
                                {"dy", p.dy},
                                {"dz", p.dz},
                                {"boundary", p.boundary},
                                {"steps", steps},
                                {"precision", harness::precision_name<T>},
                                {"variant", request.variant}});
    const std::string choice = request.device != nullptr ? "ablation" : "blocks";
    if (request.set.contains(choice)) solution.parameters[choice] = request.set.at(choice);
    solution.parameters.update(about);
    const std::vector<std::size_t> sizes{static_cast<std::size_t>(p.nz), static_cast<std::size_t>(p.ny),
                                         static_cast<std::size_t>(p.nx)};
    solution.fields = {{"t", sizes, std::move(last)}, {"t0", sizes, start.t0}, {"beta", sizes, start.beta}};
    if (!source.empty()) solution.fields.push_back({"source", sizes, source});
    return solution;
}

}  // namespace

std::set<std::string> solve_keys() {
    return {"nx",         "ny",       "nz",
            "steps",      "dt",       "dx",
            "dy",         "dz",       "boundary",
            "precision",  "seed",     "start",
            "beta",       "ablation", "blocks",
            "outer",      "inner",    "tile",
            "streaming",  "height",   "device_values",
            "budget_mib", "cut",      "steps_per_exchange"};
}

Solution solve(const SolveRequest& request) {
    const Settings settings(request.set, solve_keys());
    return harness::in_precision(settings,
                                 [&](auto zero) { return solve_in<decltype(zero)>(request, settings); });
}

}  // namespace gridmark::heat

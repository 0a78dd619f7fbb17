#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/heat/blocks.hpp"
#include "experiments/heat/start_fields.hpp"
#include "experiments/heat/stepper.hpp"
#include "experiments/heat/streamed.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::heat {
namespace {

using harness::Settings;
using harness::Solution;
using harness::SolveRequest;
using harness::UsageError;

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
    std::vector<T> last(p.points());
    const auto run = [&](Stepper<T>& stepper) {
        stepper.start(from.start.t0, from.start.t0);
        stepper.steps(steps);
        stepper.read(last);
    };
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
    return {"nx",        "ny",       "nz",        "steps", "dt",        "dx",     "dy",
            "dz",        "boundary", "precision", "seed",  "start",     "beta",   "ablation",
            "blocks",    "outer",    "inner",     "tile",  "streaming", "height", "device_values",
            "budget_mib"};
}

Solution solve(const SolveRequest& request) {
    const Settings settings(request.set, solve_keys());
    try {
        return settings.word("precision", "float", {"float", "double"}) == "float"
                   ? solve_in<float>(request, settings)
                   : solve_in<double>(request, settings);
    } catch (const std::invalid_argument& error) {
        throw UsageError(std::string("--set: ") + error.what());
    }
}

}  // namespace gridmark::heat

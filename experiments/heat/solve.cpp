#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/heat/blocks.hpp"
#include "experiments/heat/start_fields.hpp"
#include "experiments/heat/stepper.hpp"
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

/// The steps of a version from the start to the last temperature.
template <class T>
std::vector<T> advance(const SolveRequest& request, const Settings& settings, const Problem& p,
                       const Start<T>& start, int steps) {
    std::vector<T> last(p.points());
    const auto run = [&](Stepper<T>& stepper) {
        stepper.start(start.t0, start.t0);
        stepper.steps(steps);
        stepper.read(last);
    };
    if (request.device == nullptr) {
        const CpuVariant& variant = *find_cpu_variant(request.variant);
        const Cut cut = chosen_cut(settings, variant, p, sizeof(T), request.threads);
        run(*cpu_stepper<T>(p, variant, cut, request.threads, start.beta.data()));
        return last;
    }
    const std::string beta_from = settings.word("beta", "texture", {"texture", "load"});
    launch::Device& device = *request.device;
    const launch::Buffer<T> beta(device, start.beta);
    const launch::Texture3<T> texture(device, beta, p.nx, p.ny, p.nz);
    run(*gpu_stepper<T>(device, p, request.variant,
                        beta_from == "texture" ? BetaPath::texture : BetaPath::load,
                        {texture.view(), beta.data()}));
    return last;
}

template <class T>
Solution solve_in(const SolveRequest& request, const Settings& settings) {
    const int steps = static_cast<int>(settings.integer("steps", 100, 0, 100'000'000));
    const auto [p, start, about] = start_of<T>(request.input, settings);
    std::vector<T> last = advance(request, settings, p, start, steps);
    if (!std::all_of(last.begin(), last.end(), [](T value) { return std::isfinite(value); }))
        throw UsageError(fmt::format("the temperature left the range of {}", harness::precision_name<T>));

    Solution solution;
    solution.parameters = {{"nx", p.nx},
                           {"ny", p.ny},
                           {"nz", p.nz},
                           {"dt", p.dt},
                           {"dx", p.dx},
                           {"boundary", p.boundary},
                           {"steps", steps},
                           {"precision", harness::precision_name<T>},
                           {"variant", request.variant}};
    solution.parameters.update(about);
    const std::vector<std::size_t> sizes{static_cast<std::size_t>(p.nz), static_cast<std::size_t>(p.ny),
                                         static_cast<std::size_t>(p.nx)};
    solution.fields = {{"t", sizes, std::move(last)}, {"t0", sizes, start.t0}, {"beta", sizes, start.beta}};
    return solution;
}

}  // namespace

std::set<std::string> solve_keys() {
    return {"nx",   "ny",    "nz",   "steps", "dt",    "dx",   "boundary", "precision",
            "seed", "start", "beta", "outer", "inner", "tile", "streaming"};
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

#include <stdexcept>

#include "experiments/diffusion/stepper.hpp"
#include "kernels/diffusion/start.hpp"

#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::diffusion {
namespace {

template <class T>
harness::Solution solve_in(const harness::SolveRequest& request, const harness::Settings& settings) {
    const Problem p =
        rod(static_cast<int>(settings.integer("n", 1000, 2, 1 << 30)), settings.number("r", 0.25));
    const auto steps = static_cast<int>(settings.integer("steps", 100, 0, 1'000'000'000));
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    harness::require_memory("--set n: its values", 6.0 * p.n * sizeof(T));

    const auto start = random_start<T>(p, seed);
    const auto version = stepper<T>(request.device, p, request.threads);
    version->start(start, start);
    version->steps(steps);
    auto last = start;
    version->read(last);

    // All that is needed to compute the field again stands in the file.
    const std::vector<std::size_t> size{start.size()};
    return {{{"u", size, std::move(last)}, {"u0", size, start}},
            {{"n", p.n},
             {"r", p.r},
             {"steps", steps},
             {"seed", seed},
             {"precision", harness::precision_name<T>},
             {"variant", request.variant}}};
}

}  // namespace

harness::Solution solve(const harness::SolveRequest& request) {
    if (request.input) throw harness::UsageError("--input: diffusion makes its own start; it reads no file");
    const harness::Settings settings(request.set, {"n", "r", "steps", "seed", "precision"});
    try {
        return settings.word("precision", "float", {"float", "double"}) == "float"
                   ? solve_in<float>(request, settings)
                   : solve_in<double>(request, settings);
    } catch (const std::invalid_argument& error) {
        throw harness::UsageError(std::string("--set: ") + error.what());
    }
}

}  // namespace gridmark::diffusion

#include "experiments/diffusion/stepper.hpp"
#include "kernels/diffusion/start.hpp"

#include "harness/availability.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::diffusion {

harness::Experiment experiment();

namespace {

template <class T>
harness::Solution solve_in(const harness::SolveRequest& request, const harness::Settings& settings) {
    const Problem p =
        rod(static_cast<int>(settings.integer("n", 1000, 2, 1 << 30)), settings.number("r", 0.25));
    const auto steps = static_cast<int>(settings.integer("steps", 100, 0, 1'000'000'000));
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    harness::require_memory("--set n: its values", 6.0 * p.n * sizeof(T));

    const auto start = random_start<T>(p, seed);
    auto last = start;
    harness::advance(*stepper<T>(request.device, p, request.threads), last, steps);

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
    const harness::Settings settings(request.set, experiment().solve_keys);
    return harness::in_precision(settings,
                                 [&](auto zero) { return solve_in<decltype(zero)>(request, settings); });
}

}  // namespace gridmark::diffusion

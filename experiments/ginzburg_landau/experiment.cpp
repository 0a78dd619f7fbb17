#include "harness/experiment.hpp"

#include "embedded/ginzburg_landau_study.hpp"
#include "experiments/ginzburg_landau/points.hpp"
#include "kernels/ginzburg_landau/cpu.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"

namespace gridmark::ginzburg_landau {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);
std::set<std::string> solve_keys();

harness::Experiment experiment() {
    using harness::Variant;
    auto variants = harness::variants_of(Variant::Kind::cpu, cpu_variants<double>);
    for (Variant& variant : harness::variants_of(
             Variant::Kind::cuda, gpu_variants<double>(launch::Executor::host), [](const auto& kernel) {
                 return kernel.repeats ? std::set<std::string>{"repeated points"} : std::set<std::string>{};
             }))
        variants.push_back(std::move(variant));
    return {embedded::ginzburg_landau_study, std::move(variants), plan, solve, solve_keys(), axes(), points};
}

}  // namespace gridmark::ginzburg_landau

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
    const auto mechanisms = [](const GpuVariant<double>& kernel) {
        std::set<std::string> words;
        if (kernel.repeats) words.insert("repeated points");
        // Scratch is where blocks leave what other blocks ask for.
        if (kernel.scratch_states > 0) words.insert("values of other blocks");
        return words;
    };
    auto variants = harness::variants_of(Variant::Kind::cpu, cpu_variants<double>);
    for (Variant& variant :
         harness::variants_of(Variant::Kind::cuda, gpu_variants<double>(launch::Executor::host), mechanisms))
        variants.push_back(std::move(variant));
    return {embedded::ginzburg_landau_study, std::move(variants), plan, solve, solve_keys(), axes(), points};
}

}  // namespace gridmark::ginzburg_landau

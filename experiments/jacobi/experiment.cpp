#include "harness/experiment.hpp"

#include "embedded/jacobi_study.hpp"
#include "experiments/jacobi/points.hpp"
#include "kernels/jacobi/cpu.hpp"
#include "kernels/jacobi/gpu.hpp"

namespace gridmark::jacobi {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);
std::set<std::string> solve_keys();
extern const harness::RankedStudy ranked_study;

harness::Experiment experiment() {
    using harness::Variant;
    auto variants = harness::variants_of(
        Variant::Kind::cuda, gpu_variants<float>(launch::Executor::host), [](const auto& kernel) {
            return kernel.shared_memory ? std::set<std::string>{"shared memory"} : std::set<std::string>{};
        });
    for (Variant& variant : harness::variants_of(Variant::Kind::cpu, cpu_variants<float>))
        variants.push_back(std::move(variant));
    return {embedded::jacobi_study, std::move(variants), plan, solve, solve_keys(), axes(), points,
            &ranked_study};
}

}  // namespace gridmark::jacobi

#include "harness/experiment.hpp"

#include "embedded/diffusion_study.hpp"

namespace gridmark::diffusion {

harness::Plan plan(const harness::PlanContext& context);
std::vector<harness::Point> points(const harness::PlanContext&, const std::string&, const harness::Settings&);
harness::Solution solve(const harness::SolveRequest& request);

/// CMake enters this function into the list of experiments.
harness::Experiment experiment() {
    using Kind = harness::Variant::Kind;
    return {.study = embedded::diffusion_study,
            .variants = {{"cpu_openmp", Kind::cpu}, {"gpu_plain", Kind::cuda}},
            .plan = plan,
            .solve = solve,
            .solve_keys = {"n", "r", "steps", "seed", "precision"},
            .axes = {"n", "precision", "threads"},
            .points = points};
}

}  // namespace gridmark::diffusion

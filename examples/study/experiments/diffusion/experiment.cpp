#include "harness/experiment.hpp"

#include "embedded/diffusion_study.hpp"

namespace gridmark::diffusion {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);

/// CMake enters this function into the list of experiments.
harness::Experiment experiment() {
    using Kind = harness::Variant::Kind;
    return {embedded::diffusion_study, {{"cpu_openmp", Kind::cpu}, {"gpu_plain", Kind::cuda}}, plan, solve};
}

}  // namespace gridmark::diffusion

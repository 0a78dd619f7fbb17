#include "harness/experiment.hpp"

#include "embedded/maxwell_study.hpp"

namespace gridmark::maxwell {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);

harness::Experiment experiment() {
    using Kind = harness::Variant::Kind;
    return {embedded::maxwell_study,
            {{"cpu_openmp", Kind::cpu},
             {"gpu_in_core", Kind::cuda},
             {"gpu_in_core_fused", Kind::cuda},
             {"gpu_single_pass", Kind::cuda},
             {"gpu_single_pass_indexed", Kind::cuda},
             {"gpu_streamed", Kind::cuda},
             {"gpu_streamed_overlapped", Kind::cuda},
             {"gpu_streamed_skewed", Kind::cuda},
             {"gpu_streamed_skewed_indexed", Kind::cuda}},
            plan,
            solve};
}

}  // namespace gridmark::maxwell

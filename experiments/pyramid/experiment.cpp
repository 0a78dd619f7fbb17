#include "harness/experiment.hpp"

#include "embedded/pyramid_study.hpp"

namespace gridmark::pyramid {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);

harness::Experiment experiment() {
    using Kind = harness::Variant::Kind;
    return {embedded::pyramid_study,
            {{"cpu_thomas", Kind::cpu},
             {"cpu_openmp", Kind::cpu},
             {"cpu_pyramid", Kind::cpu},
             {"gpu_cyclic_reduction", Kind::cuda},
             {"gpu_cyclic_reduction_synchronous", Kind::cuda},
             {"gpu_cusparse", Kind::cuda},
             {"gpu_cusparse_synchronous", Kind::cuda},
             {"gpu_local_inverse", Kind::cuda},
             {"gpu_local_inverse_synchronous", Kind::cuda},
             {"gpu_marching", Kind::cuda},
             {"gpu_marching_8", Kind::cuda}},
            plan,
            solve};
}

}  // namespace gridmark::pyramid

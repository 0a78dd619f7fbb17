#include "harness/experiment.hpp"
#include "embedded/jacobi_study.hpp"

namespace gridmark::jacobi {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);

harness::Experiment experiment() {
    using Kind = harness::Variant::Kind;
    return {embedded::jacobi_study,
            {{"gpu_shared", Kind::cuda},
             {"gpu_no_shared", Kind::cuda},
             {"gpu_rows", Kind::cuda},
             {"gpu_persistent", Kind::cuda},
             {"gpu_blocked_8", Kind::cuda},
             {"gpu_blocked_12", Kind::cuda},
             {"cpu_naive", Kind::cpu},
             {"cpu_openmp", Kind::cpu}},
            plan,
            solve};
}

}  // namespace gridmark::jacobi

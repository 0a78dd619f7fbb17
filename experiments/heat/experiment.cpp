#include "harness/experiment.hpp"

#include "embedded/heat_study.hpp"
#include "experiments/heat/stepper.hpp"

namespace gridmark::heat {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);

harness::Experiment experiment() {
    using Kind = harness::Variant::Kind;
    return {embedded::heat_study,
            {{"cpu_naive", Kind::cpu},
             {"cpu_blocked", Kind::cpu},
             {"cpu_sse", Kind::cpu},
             {"cpu_avx2", Kind::cpu, missing_isa("cpu_avx2")},
             {"cpu_avx512", Kind::cpu, missing_isa("cpu_avx512")},
             {"cpu_march", Kind::cpu},
             {"cpu_wavefront", Kind::cpu},
             {"gpu_naive", Kind::cuda},
             {"gpu_four_cubes", Kind::cuda},
             {"gpu_tiles_16x16", Kind::cuda},
             {"gpu_rectangular", Kind::cuda},
             {"gpu_no_shared", Kind::cuda},
             {"gpu_generated_borders", Kind::cuda},
             {"gpu_queue", Kind::cuda},
             {"gpu_blocked_2", Kind::cuda},
             {"gpu_blocked_3", Kind::cuda}},
            plan,
            solve};
}

}  // namespace gridmark::heat

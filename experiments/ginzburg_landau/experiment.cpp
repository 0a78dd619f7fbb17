#include "harness/experiment.hpp"

#include "embedded/ginzburg_landau_study.hpp"

namespace gridmark::ginzburg_landau {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);

harness::Experiment experiment() {
    using Kind = harness::Variant::Kind;
    return {embedded::ginzburg_landau_study,
            {{"cpu_serial", Kind::cpu},
             {"cpu_openmp", Kind::cpu},
             {"cpu_overlap", Kind::cpu},
             {"gpu_overlap8", Kind::cuda},
             {"gpu_relaunch", Kind::cuda},
             {"gpu_registers", Kind::cuda},
             {"gpu_persistent", Kind::cuda}},
            plan,
            solve};
}

}  // namespace gridmark::ginzburg_landau

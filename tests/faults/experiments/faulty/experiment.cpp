#include "harness/experiment.hpp"

#include "embedded/faulty_study.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::faulty {

harness::Plan plan(const harness::PlanContext& context);

/// CMake enters this function into the list of experiments.
harness::Experiment experiment() {
    using Kind = harness::Variant::Kind;
    const auto solve = [](const harness::SolveRequest&) -> harness::Solution {
        throw harness::UsageError("faulty: there is nothing to solve");
    };
    return {embedded::faulty_study,
            {{"cpu", Kind::cpu}, {"device", Kind::cpu}, {"gpu", Kind::cuda}},
            plan,
            solve};
}

}  // namespace gridmark::faulty

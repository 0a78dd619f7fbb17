#include "harness/experiment.hpp"

#include "embedded/heat_study.hpp"
#include "experiments/heat/points.hpp"
#include "experiments/heat/streamed.hpp"
#include "kernels/heat/cpu.hpp"
#include "kernels/heat/gpu.hpp"

namespace gridmark::heat {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);
std::set<std::string> solve_keys();
extern const harness::RankedStudy ranked_study;

harness::Experiment experiment() {
    using harness::Variant;
    using Words = std::set<std::string>;
    auto variants = harness::variants_of(Variant::Kind::cpu, cpu_variants, [](const CpuVariant& version) {
        return version.vectorised() ? Words{"vectors"} : Words{};
    });
    for (Variant& variant : harness::variants_of(
             Variant::Kind::cuda, gpu_variants<float>(launch::Executor::host),
             [](const auto& kernel) { return kernel.shared_memory ? Words{"shared memory"} : Words{}; }))
        variants.push_back(std::move(variant));
    for (const StreamedVersion& version : streamed_versions)
        variants.push_back(
            {.name = std::string(version.name), .kind = Variant::Kind::cuda, .uses = {"streaming"}});
    return {embedded::heat_study, std::move(variants), plan, solve, solve_keys(), axes(), points,
            &ranked_study};
}

}  // namespace gridmark::heat

#include "harness/experiment.hpp"

#include "embedded/pyramid_study.hpp"
#include "experiments/pyramid/box.hpp"
#include "experiments/pyramid/points.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "kernels/pyramid/cpu.hpp"

namespace gridmark::pyramid {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);
std::set<std::string> solve_keys();

harness::Experiment experiment() {
    using harness::Variant;
    using Words = std::set<std::string>;
    auto variants = harness::variants_of(Variant::Kind::cpu, cpu_variants, [](const CpuVariant& version) {
        return version.serial ? Words{"media"} : Words{};
    });
    for (const GpuVariant<float>& solver : gpu_variants<float>(launch::Executor::host)) {
        const auto kind = solver.on_cpu ? Variant::Kind::cpu : Variant::Kind::cuda;
        if (!solver.on_cpu)
            variants.push_back({std::string(solver.name), kind, "", solver.origin,
                                solver.medium != nullptr ? Words{"media"} : Words{}});
        for (const Version& version : synchronous_versions)
            if (version.solver == solver.name)
                variants.push_back({std::string(version.name), kind, "", version.origin, {"streaming"}});
    }
    for (const BoxVersion& version : box_versions)
        variants.push_back({.name = std::string(version.name),
                            .kind = version.on_gpu ? Variant::Kind::cuda : Variant::Kind::cpu,
                            .uses = {"a box"}});
    return {embedded::pyramid_study, std::move(variants), plan, solve, solve_keys(), axes(), points};
}

}  // namespace gridmark::pyramid

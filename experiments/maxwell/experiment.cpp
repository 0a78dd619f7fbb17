#include "harness/experiment.hpp"

#include "embedded/maxwell_study.hpp"
#include "experiments/maxwell/points.hpp"

namespace gridmark::maxwell {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);
std::set<std::string> solve_keys();
const harness::RankedStudy& ranked_study();

harness::Experiment experiment() {
    using harness::Variant;
    std::vector<Variant> variants;
    for (const std::string_view name : cpu_versions)
        variants.push_back({std::string(name), Variant::Kind::cpu});
    const auto add = [&](const auto& table) {
        for (Variant& variant : harness::variants_of(Variant::Kind::cuda, table))
            variants.push_back(std::move(variant));
    };
    add(gpu_variants<float>(launch::Executor::host));
    add(streamed_versions);
    return {embedded::maxwell_study, std::move(variants), plan, solve, solve_keys(), axes(), points,
            &ranked_study()};
}

}  // namespace gridmark::maxwell

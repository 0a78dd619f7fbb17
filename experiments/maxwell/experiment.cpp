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
    auto variants = harness::variants_of(Variant::Kind::cpu, cpu_versions);
    const auto add = [&](const auto& table, const auto& uses) {
        for (Variant& variant : harness::variants_of(Variant::Kind::cuda, table, uses))
            variants.push_back(std::move(variant));
    };
    const auto mechanisms = [](const GpuVariant<float>& kernel) {
        std::set<std::string> words;
        if (kernel.looks_up || kernel.by_index) words.insert("looked-up materials");
        if (kernel.advance_one != nullptr) words.insert("kernels side by side");
        if (kernel.faces == Faces::host) words.insert("boundaries on the CPU");
        if (kernel.by_index) words.insert("coefficients by index");
        if (kernel.ablation) words.insert("ablation");
        return words;
    };
    add(gpu_variants<float>(launch::Executor::host), mechanisms);
    add(streamed_versions, [&](const Version& version) {
        auto words = mechanisms(*find_gpu_variant<float>(launch::Executor::host, version.kernels));
        words.insert("streaming");
        if (version.skewed) words.insert("several steps a pass");
        return words;
    });
    return {embedded::maxwell_study, std::move(variants), plan, solve, solve_keys(), axes(), points,
            &ranked_study()};
}

}  // namespace gridmark::maxwell

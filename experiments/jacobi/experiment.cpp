#include "harness/experiment.hpp"

#include "embedded/jacobi_study.hpp"
#include "experiments/jacobi/points.hpp"
#include "kernels/jacobi/cpu.hpp"
#include "kernels/jacobi/gpu.hpp"

namespace gridmark::jacobi {

harness::Plan plan(const harness::PlanContext& context);
harness::Solution solve(const harness::SolveRequest& request);
std::set<std::string> solve_keys();
extern const harness::RankedStudy ranked_study;

harness::Experiment experiment() {
    using harness::Variant;
    const auto words_of = [](const GpuVariant<float>& kernel) {
        std::set<std::string> words;
        if (kernel.shared_memory) words.insert("shared memory");
        if (kernel.tiled) words.insert("tiles");
        if (kernel.steps_per_launch.most > 1) words.insert("several steps a launch");
        if (kernel.on_chip) words.insert("a grid on the chip");
        if (!kernel.ablation_of.empty()) words.insert("ablation");
        return words;
    };
    auto variants =
        harness::variants_of(Variant::Kind::cuda, gpu_variants<float>(launch::Executor::host), words_of);
    for (Variant& variant : harness::variants_of(Variant::Kind::cpu, cpu_variants<float>))
        variants.push_back(std::move(variant));
    return {embedded::jacobi_study, std::move(variants), plan, solve, solve_keys(), axes(), points,
            &ranked_study};
}

}  // namespace gridmark::jacobi

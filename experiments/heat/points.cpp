#include "experiments/heat/points.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "experiments/heat/streamed.hpp"
#include "harness/gpu/properties.hpp"

namespace gridmark::heat {

using harness::PlanContext;
using harness::Series;
using harness::Settings;

template <class T>
Point base_point(const std::string& variant, Size size) {
    return harness::field_point<T>("heat", variant, size.text(), size.parameters(),
                                   size.points() * bytes_per_point<T>, size.points() * flops_per_point);
}

template <class T>
double host_bytes(Size size, double stored) {
    return size.points() * (3 * sizeof(T) + 5 * sizeof(double) + stored * sizeof(T));
}

namespace {

/// A CPU version, with blocks for this machine's caches where the settings `outer`, `inner`, `tile`,
/// `streaming` and `blocks` give none.
template <class T>
Point cpu_point(const PlanContext& context, const CpuVariant& variant, Size size, const harness::Team& team,
                const Settings& cut_settings) {
    Point point = base_point<T>(std::string(variant.name), size);
    const std::string blocks = cut_settings.text("blocks", "caches");
    if (blocks != "caches" && variant.cut == CutKind::blocks) point.add(blocks, {{"blocks", blocks}});
    harness::add_team(point, context, team);
    const Cut cut =
        chosen_cut(cut_settings, variant, tissue(size.nx, size.ny, size.nz), sizeof(T), team.threads);
    if (const auto* const blocking = std::get_if<Blocking>(&cut))
        point.parameters.insert({{"outer", to_string(blocking->outer)},
                                 {"inner", to_string(blocking->inner)},
                                 {"streaming", blocking->streaming}});
    if (const auto* const wavefront = std::get_if<Wavefront>(&cut)) {
        point.parameters.insert({{"tile", to_string(wavefront->tile)}, {"streaming", wavefront->streaming}});
        point.steps = wavefront->steps;
        point.share_bytes(wavefront->steps);
    }
    point.series = {{Series::Clock::wall}};
    if (const std::string why(variant.unavailable_reason()); !why.empty()) point.unavailable = why;
    point.memory.host = host_bytes<T>(size, 2.2);
    point.own_memory.host = 2.2 * size.points() * sizeof(T);
    point.prepare = [seed = context.seed, &variant, size, cut, threads = team.threads] {
        const auto host = shared_case<T>(size, seed);
        return harness::stepper_work<T>(
            host, nullptr, cpu_stepper<T>(host->problem, variant, cut, threads, host->beta.data()));
    };
    return point;
}

/// Why a kernel's blocks find no room in this GPU's shared memory; empty if they do, or where there is no
/// GPU.
std::string shared_unavailable_reason(const PlanContext& context, std::size_t needed) {
    if (context.gpu == nullptr || context.gpu->executor() == launch::Executor::host) return {};
    const auto gpu = harness::read_gpu_properties(harness::gpu_ordinal(*context.gpu));
    constexpr std::int64_t reserved = 1024;  // of every block, by CUDA
    if (!gpu || gpu.value->shared_per_multiprocessor - reserved >= static_cast<std::int64_t>(needed))
        return {};
    return fmt::format("a block needs {} KiB of shared memory, a multiprocessor has {}", needed / 1024,
                       gpu.value->shared_per_multiprocessor / 1024);
}

template <class T>
Point gpu_point(const PlanContext& context, const Kernel& kernel, Size size) {
    const GpuVariant<T>& variant = entry_of<T>(launch::Executor::host, kernel);
    Point point = base_point<T>(kernel.variant, size);
    const std::string beta = kernel.path == BetaPath::texture ? "texture" : "load";
    point.add(beta, {{"beta", beta}, {"block", std::string(variant.block)}});
    if (!kernel.ablation.empty()) point.add(kernel.ablation, {{"ablation", kernel.ablation}});
    point.steps = variant.steps_per_launch.most;
    point.share_bytes(point.steps);
    point.series = all_clocks;
    point.on_gpu = true;
    // Two fields of its own. Layouts pad by up to a sixth at 256.
    point.own_memory.gpu = 2 * 1.2 * size.points() * sizeof(T);
    point.memory = {.host = host_bytes<T>(size, 3),
                    .gpu = 2 * size.points() * sizeof(T) + point.own_memory.gpu};
    if (variant.shared_bytes > 0)
        point.unavailable = shared_unavailable_reason(context, variant.shared_bytes);
    if (variant.demand != nullptr)
        point.demands = [&variant, size, steps = point.steps](const launch::Chip& chip) {
            return std::vector{variant.demand(tissue(size.nx, size.ny, size.nz), steps, chip)};
        };
    point.counted_as =
        harness::counted_as("heat", kernel.variant, harness::precision_name<T>, {beta, kernel.ablation});
    point.prepare = [gpu = context.gpu, seed = context.seed, kernel, size] {
        const auto host = shared_case<T>(size, seed);
        const auto kept = harness::shared_on_device<DeviceCase<T>>(*gpu, host);
        return harness::stepper_work<T>(host, kept,
                                        gpu_stepper<T>(*gpu, host->problem, kernel, kept->fields()));
    };
    return point;
}

/// The kernel that settings choose. Throws UsageError for an ablation that it has not, std::invalid_argument
/// for a path to beta that it has not.
Kernel kernel_of(const std::string& variant, const Settings& settings) {
    const auto& entry = *find_gpu_variant<float>(launch::Executor::host, variant);
    const bool is_published = entry.origin == launch::Origin::published;
    const std::string beta = settings.word("beta", is_published ? "texture" : "load", {"texture", "load"});
    if (beta == "texture" && !is_published) throw std::invalid_argument("reads beta from its array alone");
    const std::string ablation = settings.text("ablation", "none");
    Kernel kernel{variant, beta == "texture" ? BetaPath::texture : BetaPath::load,
                  ablation == "none" ? "" : ablation};
    if (find_ablation(entry, kernel.ablation) == nullptr) {
        std::vector<std::string_view> words{"none"};
        for (const auto& one : entry.ablations())
            words.push_back(one.ablation);
        throw std::invalid_argument(fmt::format("ablation={}: its are {}", ablation, fmt::join(words, ", ")));
    }
    return kernel;
}

/// How a run cuts the grid where no axis says it: as `run --set` does, or by the thesis's cubes.
harness::AxisValues usual_cut(const PlanContext& context, const Settings& settings) {
    if (settings.has("blocks")) return {{"blocks", settings.text("blocks", "")}};
    return context.set;
}

/// What differs from the usual cut becomes a part of the name.
void name_cut(Point& point, const Point& usual) {
    for (const std::string& key : cut_keys) {
        const auto own = point.parameters.find(key);
        const auto other = usual.parameters.find(key);
        if (own != point.parameters.end() && own->second != other->second)
            point.name += fmt::format("/{}_{}", key, harness::to_text(own->second));
    }
}

template <class T>
std::vector<Point> points_in(const PlanContext& context, const std::string& variant, const Settings& settings,
                             Size size) {
    const CpuVariant* const cpu = find_cpu_variant(variant);
    if (cpu == nullptr) return {gpu_point<T>(context, kernel_of(variant, settings), size)};
    const harness::Team team = harness::team_of(context, settings);
    const harness::AxisValues usual = usual_cut(context, settings);
    harness::AxisValues cut = usual;
    for (const std::string& key : cut_keys)
        if (settings.has(key)) cut[key] = settings.text(key, "");
    const auto at = [&](const harness::AxisValues& values, const std::string& option) {
        return cpu_point<T>(context, *cpu, size, team, Settings(values, axes(), option));
    };
    const Point usually =
        at(usual, settings.has("blocks") || context.set.empty() ? settings.option() : "--set");
    Point point = at(cut, settings.option());
    name_cut(point, usually);
    return {point};
}

}  // namespace

std::set<std::string> axes() {
    return {"n",     "nx",    "ny",   "nz",        "precision", "beta",   "ablation",  "blocks",
            "outer", "inner", "tile", "streaming", "threads",   "height", "budget_mib"};
}

std::vector<Point> points(const PlanContext& context, const std::string& variant, const Settings& settings) {
    const Size size = harness::grid_size_of(settings, published, 1 << 20);
    tissue(size.nx, size.ny, size.nz);  // refuses more than an index holds
    if (const StreamedVersion* const streamed = find_streamed_version(variant))
        return {streamed_point(context, *streamed, size, settings)};
    return harness::in_precision(
        settings, [&](auto zero) { return points_in<decltype(zero)>(context, variant, settings, size); });
}

#define GRIDMARK_INSTANTIATE(T)                             \
    template Point base_point<T>(const std::string&, Size); \
    template double host_bytes<T>(Size, double);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat

#include "experiments/maxwell/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/points.hpp"
#include "kernels/isa.hpp"

namespace gridmark::maxwell {

using harness::PlanContext;
using harness::Settings;

template <class T>
Point base_point(const std::string& variant, Size size, double values_per_cell) {
    Point point =
        harness::field_point<T>("maxwell", variant, size.text(), size.parameters(),
                                size.points() * values_per_cell * sizeof(T), size.points() * flops_per_cell);
    point.working_set = size.points() * 15 * sizeof(T);
    return point;
}

template <class T>
harness::Demands demands_of(const GpuVariant<T>& kernels, Size size, int times) {
    if (kernels.demand == nullptr) return {};
    return [&kernels, size, times](const launch::Chip& chip) {
        auto demands = kernels.demand(size.nx, size.ny, size.nz, chip);
        if (kernels.step == nullptr && kernels.faces != Faces::host)
            demands.push_back(faces_demand<T>(kernels.faces, size.nx, size.ny, size.nz));
        return launch::repeated(std::move(demands), times,
                                size.points() * kernels.values_per_cell * sizeof(T),
                                size.points() * kernels.flops_per_cell);
    };
}

template <class T>
std::string counted_as_of(const GpuVariant<T>& kernels) {
    std::string_view name = kernels.name;
    for (const GpuVariant<T>& other : gpu_variants<T>(launch::Executor::host)) {
        if (other.demand != kernels.demand) continue;
        name = other.name;
        break;
    }
    return harness::counted_as("maxwell", name, harness::precision_name<T>);
}

namespace {

/// The scene that is asked for. Throws std::invalid_argument where a kernel by index cannot take it.
Scene scene_in(const Settings& settings, bool by_index) {
    const std::string word = settings.word("case", by_index ? "aircraft" : "random", {"random", "aircraft"});
    if (by_index && word == "random")
        throw std::invalid_argument("case=random: it takes coefficients by index, and there are too many");
    return word == "random" ? Scene::random : Scene::aircraft;
}

template <class T>
Point cpu_point(const PlanContext& context, const std::string& variant, Size size, const Settings& settings) {
    const Scene scene = scene_in(settings, false);
    const int threads = harness::team_of(context, settings).threads;
    const bool looks_up = variant == "cpu_plain_lookup", fused = variant == "cpu_openmp";
    Point point = base_point<T>(variant, size,
                                looks_up ? values_lookup<T>
                                : fused  ? values_fused
                                         : values_six);
    if (looks_up) point.flops = size.points() * flops_per_cell_lookup;
    if (scene == Scene::aircraft) point.add("aircraft", {{"case", "aircraft"}});
    const bool all = threads == context.threads && threads != base_threads;
    point.add(threads == 1 ? "one_thread"
              : all        ? "all_threads"
                           : fmt::format("{}_threads", threads),
              {{"threads", threads}});
    if (fused) point.parameters["isa"] = name_of(widest_isa());
    point.series = {{Series::Clock::wall}};
    point.unavailable = harness::too_many_threads(context, threads);
    point.own_memory.host = components * sizeof(T) * slots<T>(size);
    point.memory.host = case_bytes<T>(size) + point.own_memory.host;
    point.prepare = [variant, size, threads, scene, seed = context.seed] {
        return cpu_work<T>(variant, size, threads, seed, scene);
    };
    return point;
}

/// A version with everything on the device.
template <class T>
Point in_core_point(const PlanContext& context, const GpuVariant<T>& kernels, Size size,
                    const Settings& settings) {
    InCoreOptions options{
        .alignment = static_cast<int>(settings.integer("row_alignment", row_alignment, 1, 4 * row_alignment)),
        .threads = context.threads};
    const Scene scene = scene_in(settings, kernels.by_index);
    if (scene != scene_of(kernels)) options.scene = scene;
    const std::string variant(kernels.name);
    Point point = base_point<T>(variant, size, kernels.values_per_cell);
    point.flops = size.points() * kernels.flops_per_cell;
    if (scene == Scene::aircraft) point.add("aircraft", {{"case", "aircraft"}});
    const bool is_unaligned = options.alignment != row_alignment;
    if (is_unaligned)
        point.add(options.alignment == unaligned ? "unaligned" : fmt::format("rows_{}", options.alignment),
                  {{"row_alignment", options.alignment}});
    point.launches = kernels.step_launches();
    // What a step must move at least, however many kernels it takes.
    point.stepwise_bytes = size.points() * (kernels.by_index ? values_indexed<T> : values_whole) * sizeof(T);
    // A whole step reads one set of fields and writes another.
    if (kernels.step != nullptr) point.working_set = point.bytes;
    // Versions in several streams, or with the CPU's help, have the step clock alone.
    point.series = {{Series::Clock::step, Series::Launch::stream}};
    if (!kernels.ablation) {
        point.series.push_back({Series::Clock::kernel});
        point.series.push_back({Series::Clock::step, Series::Launch::graph});
    }
    point.on_gpu = true;
    // Fields; and of a look-up its cells, of other rows or another scene their coefficients. The usual ones
    // are shared.
    double own = components * (kernels.step != nullptr ? 2 : 1);
    if (kernels.looks_up)
        own += 1;
    else if (is_unaligned || options.scene)
        own += 9;
    point.own_memory.gpu = own * sizeof(T) * slots<T>(size);
    point.memory = {
        .host = case_bytes<T>(size),
        .gpu = point.own_memory.gpu + coefficient_bytes<T>(scene == Scene::aircraft) * slots<T>(size)};
    if (is_unaligned || kernels.looks_up) point.memory.host += 9 * sizeof(T) * slots<T>(size);
    if (kernels.faces == Faces::host) {
        const double nx = size.nx, ny = size.ny, nz = size.nz,
                     faces = 4 * (nx * ny + ny * nz + nz * nx) * sizeof(T);
        point.transfers = {.uploaded = faces + sizeof(Drive),
                           .downloaded = faces,
                           .order = harness::Transfers::Order::in_turn};
    }
    point.demands = demands_of(kernels, size);
    point.counted_as = counted_as_of(kernels);
    point.prepare = [gpu = context.gpu, seed = context.seed, variant, size, options] {
        return in_core_work<T>(*gpu, variant, size, seed, options);
    };
    return point;
}

template <class T>
std::vector<Point> points_in(const PlanContext& context, const std::string& variant, const Settings& settings,
                             Size size) {
    const Version version = version_of(variant);
    if (version.streamed()) return {streamed_point<T>(context, variant, size, settings)};
    if (version.kernels.empty()) return {cpu_point<T>(context, variant, size, settings)};
    return {in_core_point(context, *find_gpu_variant<T>(launch::Executor::host, variant), size, settings)};
}

}  // namespace

std::set<std::string> axes() {
    return {"n",
            "nx",
            "ny",
            "nz",
            "precision",
            "case",
            "row_alignment",
            "threads",
            "slab_depth",
            "steps_per_pass",
            "budget_mib",
            "part"};
}

std::vector<Point> points(const PlanContext& context, const std::string& variant, const Settings& settings) {
    const Size size = harness::grid_size_of(settings, published, 1 << 16);
    return harness::in_precision(
        settings, [&](auto zero) { return points_in<decltype(zero)>(context, variant, settings, size); });
}

#define GRIDMARK_INSTANTIATE(T)                                               \
    template Point base_point<T>(const std::string&, Size, double);           \
    template harness::Demands demands_of<T>(const GpuVariant<T>&, Size, int); \
    template std::string counted_as_of<T>(const GpuVariant<T>&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::maxwell

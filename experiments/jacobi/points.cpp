#include "experiments/jacobi/points.hpp"

#include <stdexcept>

#include "experiments/jacobi/case.hpp"
#include "experiments/jacobi/stepper.hpp"
#include "harness/usage_error.hpp"
#include "kernels/jacobi/cpu.hpp"

namespace gridmark::jacobi {

using harness::PlanContext;
using harness::Series;
using harness::Settings;

template <class T>
double host_bytes(Size size) {
    return size.points() * (sizeof(T) * 9.0 + sizeof(double) * 4.0);
}

int side_of(const Settings& settings, const std::string& key, int otherwise) {
    constexpr int longest = 1 << 20;
    const std::string text = settings.text(key, "");
    if (text.empty()) return static_cast<int>(settings.integer(key + "_y", otherwise, 1, longest));
    settings.refuse({key + "_y"}, key);
    const std::string width = "32x";
    if (!text.starts_with(width))
        throw harness::UsageError(
            fmt::format("{} {}={}: must be 32 points wide, as in 32x16", settings.option(), key, text));
    return static_cast<int>(Settings({{key, text.substr(width.size())}}, {key}, settings.option())
                                .integer(key, otherwise, 1, longest));
}

std::optional<Carveout> carveout_of(const Settings& settings) {
    const std::string word = settings.word("carveout", "", {"", "shared", "l1"});
    if (word.empty()) return std::nullopt;
    return word == "shared" ? Carveout::prefer_shared : Carveout::prefer_l1;
}

namespace {

/// Of launches that make so many sweeps; empty for a variant that declares none.
template <class T>
harness::Demands demands_of(const GpuVariant<T>& kernel, Size size, Tiling tiling, int sweeps) {
    if (kernel.demand == nullptr) return {};
    return [&kernel, size, tiling, sweeps](const launch::Chip& chip) {
        return std::vector{kernel.demand(channel(size.nx, size.ny), tiling, sweeps, chip)};
    };
}

template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const std::string& variant, Size size,
                                        const Tiling& tiling, Carveout carveout, std::uint64_t seed) {
    const int most = find_gpu_variant<T>(device.executor(), variant)->steps_per_launch.most;
    const auto host = shared_case<T>(size.nx, size.ny, seed, verified_sweeps(most));
    const auto kept = harness::shared_on_device<DeviceCase<T>>(device, host);
    return harness::stepper_work<T>(
        host, kept, gpu_stepper<T>(device, host->problem, variant, tiling, carveout, kept->omega.data()));
}

/// A tiled kernel.
template <class T>
Point gpu_point(const PlanContext& context, const std::string& variant, Size size, Tiling tiling,
                Carveout carveout) {
    Point point = tiled_point<T>(variant, size, tiling, carveout);
    point.series = all_clocks;
    point.on_gpu = true;
    // The right-hand sides of this size and the last one, and the version's two buffers.
    point.memory = {.host = host_bytes<T>(size), .gpu = size.points() * sizeof(T) * 4};
    point.own_memory.gpu = size.points() * sizeof(T) * 2;
    point.demands = demands_of(*find_gpu_variant<T>(launch::Executor::host, variant), size, tiling, 1);
    point.prepare = [gpu = context.gpu, seed = context.seed, variant, size, tiling, carveout] {
        return gpu_work<T>(*gpu, variant, size, tiling, carveout, seed);
    };
    return point;
}

/// A kernel with temporal blocking, which needs no tiling: an iteration is a launch of as many sweeps as it
/// makes at most.
template <class T>
Point many_steps_point(const PlanContext& context, const std::string& variant, Size size) {
    const GpuVariant<T>& kernel = *find_gpu_variant<T>(launch::Executor::host, variant);
    Point point = base_point<T>(variant, size);
    point.steps = kernel.steps_per_launch.most;
    point.add(fmt::format("sweeps_{}", point.steps), {});
    point.share_bytes(point.steps);
    point.series = all_clocks;
    point.on_gpu = true;
    // Two fields, the right-hand side, and messages of twice the size of two fields.
    point.memory = {.host = host_bytes<T>(size), .gpu = size.points() * sizeof(T) * 7};
    if (context.gpu != nullptr) {
        try {
            find_gpu_variant<T>(context.gpu->executor(), variant)->check(channel(size.nx, size.ny), {});
        } catch (const std::invalid_argument& error) {
            point.unavailable = error.what();
        }
    }
    point.demands = demands_of(kernel, size, {}, point.steps);
    point.prepare = [gpu = context.gpu, seed = context.seed, variant, size, carveout = kernel.carveout] {
        return gpu_work<T>(*gpu, variant, size, {}, carveout, seed);
    };
    return point;
}

template <class T>
Point cpu_point(const PlanContext& context, const std::string& variant, Size size,
                const harness::Team& team) {
    Point point = base_point<T>(variant, size);
    harness::add_team(point, context, team);
    point.series = {{Series::Clock::wall}};
    point.memory.host = host_bytes<T>(size);
    point.prepare = [seed = context.seed, variant, size, threads = team.threads] {
        const auto host = shared_case<T>(size.nx, size.ny, seed, verified_sweeps(1));
        return harness::stepper_work<T>(host, nullptr,
                                        cpu_stepper<T>(host->problem, variant, threads, host->omega));
    };
    return point;
}

/// A tiling that is fast at a size, for whoever names none: the paper's best, or marches as long as there are
/// points enough for all multiprocessors.
Tiling usual_tiling(const Kernel& kernel, Size size) {
    constexpr double many_points = 1 << 22;
    if (kernel.origin == launch::Origin::published || !kernel.ablation_of.empty()) return {32, 8};
    return size.points() < many_points ? Tiling{4, 4} : Tiling{32, 4};
}

template <class T>
std::vector<Point> points_in(const PlanContext& context, const std::string& variant, const Settings& settings,
                             Size size) {
    const GpuVariant<T>* const kernel = find_gpu_variant<T>(launch::Executor::host, variant);
    if (kernel == nullptr) {
        bool parallel = false;
        for (const CpuVariant<T>& cpu : cpu_variants<T>)
            if (cpu.name == variant) parallel = cpu.parallel;
        return {cpu_point<T>(context, variant, size,
                             parallel ? harness::team_of(context, settings) : harness::Team{"one", 1})};
    }
    if (!kernel->tiled) return {many_steps_point<T>(context, variant, size)};
    const Tiling usual = usual_tiling(*find_gpu_variant<float>(launch::Executor::host, variant), size),
                 tiling{side_of(settings, "tile", usual.tile_y), side_of(settings, "block", usual.block_y)};
    kernel->check(channel(size.nx, size.ny), tiling);
    return {gpu_point<T>(context, variant, size, tiling, carveout_of(settings).value_or(kernel->carveout))};
}

}  // namespace

std::set<std::string> axes() {
    return {"nx", "ny", "precision", "tile", "tile_y", "block", "block_y", "carveout", "threads"};
}

std::vector<Point> points(const PlanContext& context, const std::string& variant, const Settings& settings) {
    const Size size{static_cast<int>(settings.integer("nx", published.nx, 3, 1 << 24)),
                    static_cast<int>(settings.integer("ny", published.ny, 3, 1 << 24))};
    return harness::in_precision(
        settings, [&](auto zero) { return points_in<decltype(zero)>(context, variant, settings, size); });
}

template double host_bytes<float>(Size);
template double host_bytes<double>(Size);

}  // namespace gridmark::jacobi

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/heat/points.hpp"
#include "experiments/heat/streamed.hpp"
#include "harness/cache.hpp"
#include "kernels/heat/reference.hpp"
#include "kernels/heat/start.hpp"
#include "kernels/random.hpp"

namespace gridmark::heat {
namespace {

using harness::PlanContext;
using harness::Preset;
using harness::Series;

/// A random start; of grids that are too large for a reference of the whole.
template <class T>
struct StreamedStart {
    Problem problem;
    std::uint64_t seed;
    Start<T> fields;
};

template <class T>
std::shared_ptr<const StreamedStart<T>> shared_start(const Problem& p, std::uint64_t seed) {
    static harness::Cache<StreamedStart<T>> starts(1);
    return starts.get(
        [&](const StreamedStart<T>& s) {
            return s.problem.nx == p.nx && s.problem.ny == p.ny && s.problem.nz == p.nz && s.seed == seed;
        },
        2.0 * static_cast<double>(p.points()) * sizeof(T),
        [&] {
            return std::make_shared<const StreamedStart<T>>(
                StreamedStart<T>{p, seed, random_start<T>(p, seed, random_ratio)});
        });
}

template <class T>
void fill_with_nan(Storage<T>& field) {
    const auto values = static_cast<std::ptrdiff_t>(field.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < values; ++i)
        field[i] = std::numeric_limits<T>::quiet_NaN();
}

template <class T>
class StreamedWork final : public harness::Work {
  public:
    StreamedWork(std::shared_ptr<const StreamedStart<T>> start, const Slabs& slabs,
                 std::unique_ptr<StreamedStepper<T>> stepper)
        : start_(std::move(start)), slabs_(slabs), stepper_(std::move(stepper)) {}

    harness::Verification verify() override {
        const Problem& p = start_->problem;
        const auto& [t0, beta] = start_->fields;
        // A pass, and one that is cut short.
        const int steps = slabs_.height + 1;
        Storage<T> field(p.points());
        fill_with_nan(field);
        stepper_->start(t0, field);
        stepper_->steps(steps);
        stepper_->read(field);
        double error = 0, scale = 0;
        for (const Extent& begin : windows()) {
            const auto expected = reference_window<T>(p, t0, beta, begin, window(), steps);
            auto value = expected.begin();
            for (int z = begin.z; z < begin.z + window().z; ++z)
                for (int y = begin.y; y < begin.y + window().y; ++y)
                    for (int x = begin.x; x < begin.x + window().x; ++x, ++value) {
                        const auto at = x + p.nx * (y + static_cast<std::size_t>(p.ny) * z);
                        const double apart = std::abs(static_cast<double>(field[at]) - *value);
                        error = std::isfinite(apart) ? std::max(error, apart)
                                                     : std::numeric_limits<double>::max();
                        scale = std::max(scale, std::abs(*value));
                    }
        }
        return {"double reference, windows at both ends, at seams and at random places", error,
                rounding_bound<T>(steps, hottest, random_ratio), steps, scale};
    }
    void select() override { stepper_->select(); }
    void iterate(int count) override { stepper_->steps(count); }
    std::optional<launch::KernelInfo> kernel_info() const override { return stepper_->kernel_info(); }

  private:
    Extent window() const {
        const Problem& p = start_->problem;
        return {std::min(8, p.nx), std::min(8, p.ny), std::min(8, p.nz)};
    }

    /// Where the windows begin: both ends of the grid, the first two seams between slabs and the last one,
    /// and any layers; the corners there, and any columns.
    std::vector<Extent> windows() const {
        const Problem& p = start_->problem;
        const Extent size = window();
        std::uint64_t drawn = 0;
        const auto any = [&](int last) {
            return static_cast<int>(unit_random(start_->seed, drawn++) * (last + 1));
        };
        const auto within = [&](int z) { return std::clamp(z, 0, p.nz - size.z); };
        const int half = size.z / 2, last_seam = (slabs_.count() - 1) * slabs_.depth;
        std::vector<Extent> begins;
        for (const int z : {0, within(slabs_.depth - half), within(2 * slabs_.depth - half),
                            within(last_seam - half), any(p.nz - size.z), p.nz - size.z}) {
            begins.push_back({any(p.nx - size.x), any(p.ny - size.y), z});
            begins.push_back(z % 2 == 0 ? Extent{0, 0, z} : Extent{p.nx - size.x, p.ny - size.y, z});
        }
        return begins;
    }

    std::shared_ptr<const StreamedStart<T>> start_;
    Slabs slabs_;
    std::unique_ptr<StreamedStepper<T>> stepper_;
};

/// A version at a height, under so many MiB. With `kept` the points of a plan hand on their pinned memory.
template <class T>
Point point_of(const PlanContext& context, const StreamedVersion& version, Size size, double budget,
               int height, const std::shared_ptr<KeptFields<T>>& kept = nullptr) {
    const Problem p = tissue(size.nx, size.ny, size.nz);
    Point point = base_point<T>(std::string(version.name), size);
    point.name += fmt::format("/{:g}_MiB/h_{}", budget, height);
    point.parameters.insert({{"budget_mib", budget}, {"height", height}});
    Slabs slabs = slabs_of<T>(p, version, height, 1);
    try {
        slabs = slabs_for<T>(p, version, height, static_cast<std::size_t>(budget * 0x1p20) / sizeof(T));
        point.parameters["slab_depth"] = slabs.depth;
    } catch (const std::invalid_argument& error) {
        point.unavailable = error.what();
    }
    // Each slab's layers of the temperature and of beta go up, and its own come back.
    double sent = 0;
    for (int k = 0; k < slabs.count(); ++k)
        sent += static_cast<double>(slabs.at(k, 0, height).count()) / height;
    const double layer = static_cast<double>(p.nx) * p.ny * sizeof(T);
    point.transfers = {.uploaded = 2 * sent * layer, .downloaded = layer * p.nz / height};
    point.series = {{Series::Clock::step, Series::Launch::stream}};
    point.iterations = height;
    point.samples = 3;
    point.working_set = std::min(point.working_set, budget * 0x1p20);
    point.on_gpu = true;
    // The start, what is read, and up to three pinned fields.
    point.memory = {.host = 6.2 * static_cast<double>(p.points()) * sizeof(T), .gpu = budget * 0x1p20};
    point.prepare = [gpu = context.gpu, seed = context.seed, p, &version, slabs, kept] {
        auto start = shared_start<T>(p, seed);
        auto stepper = streamed_stepper<T>(*gpu, p, version, slabs, start->fields.beta, kept.get());
        return std::make_unique<StreamedWork<T>>(std::move(start), slabs, std::move(stepper));
    };
    return point;
}

/// What a step in memory keeps there: two fields and beta.
template <class T>
double in_memory_mib(Size size) {
    return 3 * size.points() * sizeof(T) / 0x1p20;
}

}  // namespace

void add_streamed(harness::Plan& plan, const PlanContext& context) {
    constexpr int largest = 4 * published;
    std::vector<int> sides{published};
    if (context.preset != Preset::quick) sides.push_back(2 * published);
    if (context.preset == Preset::full) sides.push_back(largest);
    for (const int side : sides) {
        const bool is_small = side == published;
        const double whole = in_memory_mib<float>(side);
        std::vector<double> budgets{whole / 2};
        if (!is_small) budgets.push_back(whole / 8);
        if (context.device_memory > 0) budgets = {static_cast<double>(context.device_memory) / 0x1p20};
        const auto kept = std::make_shared<KeptFields<float>>();
        const std::vector<int> heights = is_small          ? std::vector<int>{2, 8}
                                         : side == largest ? std::vector<int>{1, 4, 16, 48}
                                                           : std::vector<int>{1, 2, 4, 8, 16, 24, 32, 48};
        for (const StreamedVersion& version : streamed_versions)
            for (const double budget : budgets)
                for (const int height : heights) {
                    Point point = point_of<float>(context, version, side, budget, height, kept);
                    if (!point.unavailable.empty() && context.device_memory == 0) continue;
                    plan.groups.push_back({point.name.substr(point.name.find('/') + 1), {std::move(point)}});
                }
    }
}

namespace {

/// MiB that show streaming: half of what a step in memory keeps, or of a small grid, whose seams need more,
/// as much as slabs of a quarter of it take.
template <class T>
double usual_budget(const StreamedVersion& version, Size size, int height) {
    const Problem p = tissue(size.nx, size.ny, size.nz);
    const auto mib = [&](int depth) {
        return static_cast<double>(device_values<T>(p, slabs_of<T>(p, version, height, depth))) * sizeof(T) /
               0x1p20;
    };
    const double half = in_memory_mib<T>(size) / 2;
    return mib(1) <= half ? half : mib((size.nz + 3) / 4);
}

template <class T>
Point point_by(const PlanContext& context, const StreamedVersion& version, Size size,
               const harness::Settings& settings) {
    const int height = static_cast<int>(settings.integer("height", 8, 1, 1 << 20));
    const double budget = harness::axis_budget(context, settings, usual_budget<T>(version, size, height));
    return point_of<T>(context, version, size, budget, height);
}

}  // namespace

harness::Point streamed_point(const PlanContext& context, const StreamedVersion& version, Size size,
                              const harness::Settings& settings) {
    return harness::in_precision(
        settings, [&](auto zero) { return point_by<decltype(zero)>(context, version, size, settings); });
}

}  // namespace gridmark::heat

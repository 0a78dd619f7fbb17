#include "experiments/pyramid/box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "experiments/pyramid/case.hpp"
#include "experiments/pyramid/computed.hpp"
#include "experiments/pyramid/points.hpp"
#include "harness/availability.hpp"
#include "harness/peers/peer_work.hpp"
#include "harness/points.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::pyramid {
namespace {

using harness::Group;
using harness::PlanContext;
using harness::Point;
using harness::Preset;
using harness::Series;
using harness::Settings;

template <class T>
class BoxWork final : public harness::Work {
  public:
    BoxWork(const Box& box, std::uint64_t seed, std::unique_ptr<BoxStepper<T>> stepper, int steps,
            double tolerance)
        : box_(box), seed_(seed), stepper_(std::move(stepper)), steps_(steps), tolerance_(tolerance) {}

    harness::Verification verify() override {
        Storage<T> field(box_.size());
        start_box<T>(box_, seed_, field);
        stepper_->start(field, field);
        stepper_->steps(steps_);
        std::fill(field.begin(), field.end(), std::numeric_limits<T>::quiet_NaN());
        stepper_->read(field);
        return compare_box<T>(box_, seed_, field, steps_, tolerance_);
    }
    void iterate(int count) override { stepper_->steps(count); }
    std::optional<launch::KernelInfo> kernel_info() const override { return stepper_->kernel_info(); }

  private:
    Box box_;
    std::uint64_t seed_;
    std::unique_ptr<BoxStepper<T>> stepper_;
    int steps_;
    double tolerance_;
};

/// Of a sweep a value: a multiply-add each for both recurrences, and three operations of the answer.
constexpr double flops_per_sweep = 7;
/// Before rounding to T, of a pass.
template <class T>
constexpr double tolerance_of_a_pass = sizeof(T) == sizeof(float) ? 1e-6 : 1e-12;

std::string size_word(const Box& box) {
    return box.dimensions == 2 ? fmt::format("{}x{}", box.nx, box.ny)
                               : fmt::format("{}x{}x{}", box.nx, box.ny, box.nz);
}

template <class T>
Point base(std::string_view variant, const Box& box) {
    Point point;
    point.variant = variant;
    point.name = fmt::format("pyramid/{}/box/{}/{}", variant, size_word(box), harness::precision_name<T>);
    point.parameters = {{"nx", static_cast<std::int64_t>(box.nx)},
                        {"ny", static_cast<std::int64_t>(box.ny)},
                        {"nz", static_cast<std::int64_t>(box.nz)},
                        {"dimensions", box.dimensions},
                        {"s", box.s},
                        {"precision", harness::precision_name<T>}};
    if (box.s != 1) point.name += fmt::format("/s_{:g}", box.s);
    const auto bytes = static_cast<double>(box.size() * sizeof(T));
    point.bytes = 2.0 * box.dimensions * bytes;
    point.flops = flops_per_sweep * box.dimensions * static_cast<double>(box.size());
    point.working_set = bytes;
    point.memory.host = 2 * bytes;
    return point;
}

constexpr int verified_steps = 3;

template <class T>
Point cpu_point(const PlanContext& context, const Box& box, int threads) {
    Point point = base<T>("cpu_box", box);
    point.parameters["threads"] = threads;
    point.series = {{Series::Clock::wall}};
    point.prepare = [box, threads, seed = context.seed] {
        return std::make_unique<BoxWork<T>>(box, seed, cpu_box_stepper<T>(box, threads), verified_steps,
                                            box_rounding_bound<T>(box, verified_steps));
    };
    return point;
}

template <class T>
Point gpu_point(const PlanContext& context, const Box& box) {
    Point point = base<T>("gpu_box", box);
    point.series = {{Series::Clock::step, Series::Launch::stream}};
    point.launches = box.dimensions;
    point.on_gpu = true;
    point.memory.gpu = point.working_set;
    point.prepare = [gpu = context.gpu, box, seed = context.seed] {
        return std::make_unique<BoxWork<T>>(box, seed, gpu_box_stepper<T>(*gpu, box), verified_steps,
                                            box_rounding_bound<T>(box, verified_steps));
    };
    return point;
}

/// By cuSPARSE. The matrix is kept as often as the box has sides of different length.
template <class T>
Point library_point(const PlanContext& context, const BoxVersion& version, const Box& box) {
    Point point = base<T>(version.name, box);
    point.series = {{Series::Clock::step, Series::Launch::stream}};
    point.launches = 2 * box.dimensions;
    point.on_gpu = true;
    std::set<std::size_t> orders{box.nx, box.ny};
    if (box.dimensions == 3) orders.insert(box.nz);
    constexpr double fields = 2, diagonals = 3, buffer = 4;
    point.memory.gpu = (fields + diagonals * static_cast<double>(orders.size()) + buffer) * point.working_set;
    point.prepare = [gpu = context.gpu, library = version.library, box, seed = context.seed] {
        return std::make_unique<BoxWork<T>>(box, seed, library_box_stepper<T>(*gpu, box, library),
                                            verified_steps, box_solver_bound<T>(box, verified_steps));
    };
    return point;
}

template <class T>
Point skewed_point(const PlanContext& context, const Box& box, double budget, int height) {
    const double tolerance = tolerance_of_a_pass<T>;
    const AxisSolve<T> sweep = axis_solve_of<T>(box.s, sweep_share<T>(box, height, tolerance));
    const auto values = static_cast<std::size_t>(budget * 0x1p20) / sizeof(T);
    Point point = base<T>("gpu_box_skewed", box);
    point.name += fmt::format("/{:g}_MiB/h_{}", budget, height);
    point.parameters.insert({{"budget_mib", budget}, {"height", height}, {"reach", sweep.reach}});
    Skew skew{1, height, static_cast<std::size_t>(sweep.reach)};
    try {
        skew = skew_for(box, height, static_cast<std::size_t>(sweep.reach), values);
        point.parameters["slab_depth"] = static_cast<std::int64_t>(skew.depth);
    } catch (const std::invalid_argument& error) {
        point.unavailable = error.what();
    }
    point.series = {{Series::Clock::step, Series::Launch::stream}};
    point.iterations = height;
    point.samples = 3;
    point.transfers = {.uploaded = point.working_set / height, .downloaded = point.working_set / height};
    point.working_set = std::min(point.working_set, budget * 0x1p20);
    point.on_gpu = true;
    point.memory.gpu = budget * 0x1p20;
    point.prepare = [gpu = context.gpu, box, sweep, skew, height, tolerance, threads = context.threads,
                     seed = context.seed] {
        return std::make_unique<BoxWork<T>>(box, seed, skewed_box_stepper<T>(*gpu, box, sweep, skew, threads),
                                            height, tolerance + box_rounding_bound<T>(box, height));
    };
    return point;
}

Box cube(std::size_t n) {
    return {n, n, n, 1};
}

/// Other frameworks' steps of a cube, in float, beside what is in the group.
void add_peers(Group& group, const PlanContext& context, std::size_t n,
               const std::vector<std::string>& frameworks, bool on_gpu, int iterations) {
    const Box box = cube(n);
    const double bytes = static_cast<double>(box.size()) * sizeof(float);
    harness::add_peers(
        group, context,
        {.study = "pyramid_box",
         .frameworks = frameworks,
         .on_gpu = on_gpu,
         .iterations = iterations,
         .memory = {.host = (on_gpu ? 8 : 24) * bytes, .gpu = 24 * bytes}},
        [box](const std::string& variant) { return base<float>(variant, box); },
        [box, seed = context.seed](const harness::Peer& peer) { return box_peer_work(peer, box, seed); });
}

std::string step_row(const std::string& point) {
    return point + "/step/stream";
}

template <class T>
void add_boxes_in(harness::Plan& plan, const PlanContext& context) {
    const bool quick = context.preset == Preset::quick, full = context.preset == Preset::full;
    constexpr bool in_float = sizeof(T) == sizeof(float);
    const auto add = [&](std::vector<Point> points) -> Group& {
        const Point& first = points.front();
        return plan.groups.emplace_back(Group{
            first.name.substr(first.name.find("box/")) + (first.on_gpu ? "" : "/cpu"), std::move(points)});
    };
    for (const std::size_t n : quick ? std::vector<std::size_t>{128} : std::vector<std::size_t>{128, 256}) {
        Group& group = add({cpu_point<T>(context, cube(n), context.threads)});
        // NumPy takes seconds for a step of the larger.
        const auto peers = n == 128 ? harness::peers_on_cpu : std::vector<std::string>{"jax"};
        if (in_float) add_peers(group, context, n, peers, false, 1);
    }
    auto sizes = quick ? std::vector<std::size_t>{256} : std::vector<std::size_t>{256, 512};
    if (full && in_float) sizes.push_back(1024);
    for (const std::size_t n : sizes) {
        std::vector<Point> points{gpu_point<T>(context, cube(n))};
        for (const BoxVersion& version : box_versions)
            if (version.library != Library::none && n <= 512)
                points.push_back(library_point<T>(context, version, cube(n)));
        Group& group = add(std::move(points));
        if (in_float && n <= 512) add_peers(group, context, n, {"jax", "torch"}, true, n == 512 ? 32 : 64);
    }
    if (!in_float) return;
    // From a size that a laptop's GPU streams to one that does not fit many.
    std::vector<std::size_t> streamed{256};
    if (!quick) streamed.push_back(512);
    if (full) streamed.push_back(1024);
    for (const std::size_t n : streamed) {
        const double whole = static_cast<double>(n * n * n * sizeof(T)) / 0x1p20;
        const bool small = n == streamed.front();
        std::vector<double> budgets{whole / 2};
        if (!small) budgets.push_back(whole / 8);
        if (context.device_memory > 0) budgets = {static_cast<double>(context.device_memory) / 0x1p20};
        const std::string in_memory = step_row(base<T>("gpu_box", cube(n)).name);
        for (const double budget : budgets) {
            TimesOverHeight times{base<T>("gpu_box_skewed", cube(n)), {}, {}, in_memory};
            times.of.add(fmt::format("{:g}_MiB", budget), {{"budget_mib", budget}});
            for (const int height : small ? std::vector<int>{4, 10} : std::vector<int>{1, 4, 10, 16, 24})
                if (auto point = skewed_point<T>(context, cube(n), budget, height);
                    point.unavailable.empty() || context.device_memory > 0) {
                    times.heights.push_back(height);
                    times.rows.push_back(step_row(point.name));
                    add({std::move(point)});
                }
            if (!times.rows.empty()) add_best(plan, times);
        }
    }
}

}  // namespace

std::unique_ptr<harness::Work> box_peer_work(const harness::Peer& peer, const Box& box, std::uint64_t seed) {
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {{"s", box.s}};
    const std::vector<std::size_t> shape{box.nz, box.ny, box.nx};
    start_box<float>(box, seed, problem->arrays.add<float>("start", shape));
    const auto compare = [box, seed](std::span<const float> answer) {
        return compare_box<float>(box, seed, answer, verified_steps,
                                  box_solver_bound<float>(box, verified_steps));
    };
    return harness::peer_work<float>(peer, std::move(problem), {verified_steps, shape, compare});
}

void add_boxes(harness::Plan& plan, const PlanContext& context) {
    add_boxes_in<float>(plan, context);
    add_boxes_in<double>(plan, context);
}

namespace {

template <class T>
std::vector<Point> box_points_in(const PlanContext& context, const BoxVersion& version,
                                 const Settings& settings) {
    const auto side = [&](const char* axis, std::int64_t otherwise) {
        return static_cast<std::size_t>(settings.integer(axis, otherwise, 1, 1 << 20));
    };
    const int dimensions = static_cast<int>(settings.integer("dimensions", 3, 2, 3));
    const std::size_t nx = side("nx", 256);
    const auto same = static_cast<std::int64_t>(nx);
    Box box{};
    try {
        box = box_of(nx, side("ny", same), side("nz", dimensions == 2 ? 1 : same), settings.number("s", 1),
                     dimensions);
    } catch (const std::invalid_argument& error) {
        throw harness::UsageError(std::string("--axis: ") + error.what());
    }
    if (!version.on_gpu) {
        const harness::Team team = harness::team_of(context, settings);
        Point point = cpu_point<T>(context, box, team.threads);
        if (team.threads != context.threads) point.name += fmt::format("/{}_threads", team.threads);
        point.unavailable = harness::too_many_threads(context, team.threads);
        return {point};
    }
    if (version.library != Library::none) {
        Point point = library_point<T>(context, version, box);
        if (context.gpu != nullptr)
            point.unavailable = library_unavailable_reason(context.gpu->executor(), box, version.library);
        return {point};
    }
    if (!version.streamed) return {gpu_point<T>(context, box)};
    const double half = static_cast<double>(box.size() * sizeof(T)) / 0x1p21;
    const double budget = harness::axis_budget(context, settings, half);
    return {
        skewed_point<T>(context, box, budget, static_cast<int>(settings.integer("height", 10, 1, 1 << 20)))};
}

}  // namespace

std::vector<Point> box_points(const PlanContext& context, const BoxVersion& version,
                              const Settings& settings) {
    return harness::in_precision(
        settings, [&](auto zero) { return box_points_in<decltype(zero)>(context, version, settings); });
}

}  // namespace gridmark::pyramid

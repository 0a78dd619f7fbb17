#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "experiments/maxwell/described.hpp"
#include "experiments/maxwell/version.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/fields/solution.hpp"
#include "harness/usage_error.hpp"
#include "kernels/launch/error.hpp"
#include "kernels/maxwell/host_solver.hpp"

namespace gridmark::maxwell {

template <class T>
std::unique_ptr<Solver<T>> ranked_solver(const harness::SolveRequest& request,
                                         const harness::Settings& settings, const Grid& grid);

namespace {

using harness::Field;
using harness::number_of;
using harness::Settings;
using harness::Solution;
using harness::SolveRequest;
using harness::UsageError;

constexpr const char* component_names[components] = {"ex", "ey", "ez", "hx", "hy", "hz"};

std::string in(const char* group, const char* name) {
    return std::string(group) + "/" + name;
}

/// A component's whole array, tight.
template <class T>
std::vector<T> whole_field(const Grid& grid, Solver<T>& solver, int component) {
    const std::size_t plane = static_cast<std::size_t>(grid.n(1) + 1) * (grid.n(2) + 1);
    std::vector<T> values(plane * (grid.n(0) + 1));
    for (int x = 0; x <= grid.n(0); ++x)
        solver.get_plane(component, x, values.data() + x * plane);
    return values;
}

/// What a solve records on the way.
template <class T>
class Recording {
  public:
    Recording(const Described& d, Solver<T>& solver, harness::Recorder& to)
        : d_(d), solver_(solver), to_(to) {
        if (!d.points.empty() && d.steps > 0) begin_points();
        if (!d.moments.empty()) begin_moments();
    }

    /// After a step.
    void record_points(int step) {
        if (d_.points.empty()) return;
        const auto at = static_cast<std::size_t>(step - 1);
        std::vector<T> values(d_.points.size());
        for (int component = 0; component < components; ++component) {
            for (std::size_t k = 0; k < values.size(); ++k) {
                const auto& [x, y, z] = d_.points[k];
                values[k] = solver_.value(component, x, y, z);
            }
            to_.write(in("points", component_names[component]), at, values);
        }
        to_.write("points/ct", at, std::vector<double>{step * d_.problem.dct});
    }
    void record_moment(std::size_t number) {
        for (int component = 0; component < components; ++component)
            to_.write(in("moments", component_names[component]), number,
                      whole_field(d_.problem.grid, solver_, component));
        const std::int64_t step = d_.moments[number];
        to_.write("moments/step", number, std::vector<std::int64_t>{step});
        to_.write("moments/ct", number, std::vector<double>{static_cast<double>(step) * d_.problem.dct});
    }

  private:
    void begin_points() {
        const auto steps = static_cast<std::size_t>(d_.steps);
        for (const char* name : component_names)
            to_.begin(in("points", name), number_of<T>(), {steps, d_.points.size()});
        to_.begin("points/ct", number_of<double>(), {steps});
        to_.begin("points/index", number_of<std::int64_t>(), {d_.points.size(), 3});
    }
    void begin_moments() {
        const Grid& grid = d_.problem.grid;
        std::vector<std::size_t> sizes{d_.moments.size()};
        for (int axis = 0; axis < 3; ++axis)
            sizes.push_back(static_cast<std::size_t>(grid.n(axis)) + 1);
        for (const char* name : component_names)
            to_.begin(in("moments", name), number_of<T>(), sizes);
        to_.begin("moments/step", number_of<std::int64_t>(), {d_.moments.size()});
        to_.begin("moments/ct", number_of<double>(), {d_.moments.size()});
    }

    const Described& d_;
    Solver<T>& solver_;
    harness::Recorder& to_;
};

/// Runs the steps of a solve and records on the way, in the result file. After every step: /points/ex ... hz
/// [steps][k], /points/ct [steps], and once /points/index [k][3]. At moments: /moments/ex ... hz [j][nx +
/// 1][ny + 1][nz + 1], /moments/ct and /moments/step [j]. Each value is that at the node's index: a staggered
/// component lies half a cell before it. Without a recorder it only runs.
template <class T>
void run_and_record(const Described& d, Solver<T>& solver, harness::Recorder* recorder) {
    if (recorder == nullptr) {
        solver.steps(d.steps);
        return;
    }
    Recording<T> recording(d, solver, *recorder);
    if (!d.points.empty() && d.steps > 0)
        for (std::size_t k = 0; k < d.points.size(); ++k)
            recorder->write("points/index", k,
                            std::vector<std::int64_t>(d.points[k].begin(), d.points[k].end()));
    std::size_t next = 0;
    const auto record_moments = [&](int step) {
        for (; next < d.moments.size() && d.moments[next] == step; ++next)
            recording.record_moment(next);
    };
    record_moments(0);
    for (int step = 0; step < d.steps;) {
        // Points are recorded at every step; without them the steps up to the next moment go at once.
        const int until = next < d.moments.size() ? d.moments[next] : d.steps;
        const int count = d.points.empty() ? until - step : 1;
        solver.steps(count);
        step += count;
        recording.record_points(step);
        record_moments(step);
    }
}

/// A version with all that it works on.
template <class T>
struct Running {
    std::unique_ptr<DeviceCoefficients<T>> on_device;
    std::unique_ptr<Solver<T>> whole;
    std::unique_ptr<StreamedSetup<T>> streamed;
    std::optional<StreamingSchedule> schedule;
    std::string streamed_by;  ///< the version's name; empty in memory

    Solver<T>& solver() { return streamed ? streamed->solver() : *whole; }
};

/// The slabs or the window of --set slab_depth, or that --set device_values leaves room for; by default a
/// quarter of the grid or so, and a third.
template <class T>
StreamingSchedule requested_schedule(const Settings& settings, const Layout& layout, const Version& version,
                                     const CoefficientSize& size) {
    const int nx = layout.n[0];
    const auto depth = static_cast<int>(settings.integer("slab_depth", 0, 1, nx));
    if (depth > 0) {
        settings.refuse({"device_values"}, "slab_depth");
        if (!version.skewed) return Slabs{nx, depth, version.buffers};
        return make_time_skew(layout, depth,
                              static_cast<int>(settings.integer("steps_per_pass", 2, 1, 1024)));
    }
    const std::size_t otherwise = version.skewed
                                      ? std::max(whole_bytes<T>(layout, size) / 3,
                                                 device_bytes<T>(layout, size, least_time_skew(layout))) /
                                                sizeof(T) +
                                            1
                                      : device_values<T>(layout, {nx, (nx + 3) / 4, version.buffers});
    const auto values = static_cast<std::size_t>(
        settings.integer("device_values", static_cast<std::int64_t>(otherwise), 1, 1LL << 40));
    try {
        if (version.skewed) return time_skew_for<T>(layout, size, values * sizeof(T));
        return slabs_for<T>(layout, version.buffers, values);
    } catch (const std::invalid_argument& error) {
        throw UsageError(std::string("--set device_values: ") + error.what());
    }
}

/// What one solve starts a version from.
template <class T>
struct Start {
    const SolveRequest& request;
    const Settings& settings;
    const Described& described;
    const Coefficients<T>& coefficients;

    const GpuVariant<T>& kernels(const Version& version) const {
        return *find_gpu_variant<T>(request.device->executor(), version.kernels);
    }
};

template <class T>
Running<T> in_memory(const Start<T>& start, const Version& version) {
    const auto& [request, settings, d, coefficients] = start;
    Running<T> running;
    const auto& kernels = start.kernels(version);
    const auto alignment =
        static_cast<int>(settings.integer("row_alignment", row_alignment, 1, 4 * row_alignment));
    if (kernels.origin != launch::Origin::published || kernels.looks_up)
        settings.refuse({"row_alignment"}, "--variant " + request.variant);
    if (alignment == row_alignment) {
        running.on_device = device_coefficients(*request.device, kernels, d.problem, d.body, coefficients);
    } else {
        const Layout layout = make_layout<T>(d.problem.grid, alignment);
        running.on_device = device_coefficients(*request.device, kernels, d.problem, d.body,
                                                in_layout(coefficients, layout, request.threads));
    }
    running.whole = in_core<T>(*request.device, kernels, d.problem, *running.on_device, request.threads);
    return running;
}

template <class T>
Running<T> in_slabs(const Start<T>& start, const Version& version) {
    const auto& [request, settings, d, coefficients] = start;
    settings.refuse({"row_alignment"}, "a grid that is streamed");
    Running<T> running;
    const auto in_host = coefficients_for(*request.device, version, d.problem, coefficients, request.threads);
    running.schedule = requested_schedule<T>(settings, coefficients.layout, version, in_host->size());
    running.streamed = std::make_unique<StreamedSetup<T>>(*request.device, version, d.problem, in_host,
                                                          *running.schedule, request.threads);
    running.streamed_by = version.name;
    return running;
}

/// Whether a version in memory takes no more than --set device_values.
template <class T>
bool fits(const Start<T>& start, const Version& version) {
    const auto& kernels = start.kernels(version);
    const auto& d = start.described;
    CoefficientSize size = usual_coefficients<T>(kernels.by_index);
    if (kernels.by_index) {
        const auto index = index_materials(start.coefficients, static_cast<T>(d.problem.dct));
        size = {static_cast<std::size_t>(index.width), table_bytes<T>(index.of_e.size())};
    }
    const auto values =
        static_cast<std::size_t>(start.settings.integer("device_values", 1LL << 40, 1, 1LL << 40));
    return in_core_bytes(start.coefficients.layout, kernels, size) <= values * sizeof(T);
}

/// In memory, in slabs by the same kernels, or as it fits: --set placement. Source: paper, section 4.
template <class T>
Running<T> placed(const Start<T>& start, const Version& version) {
    const Settings& settings = start.settings;
    const Version* const slabs = streamed_by_kernels_of(version);
    if (slabs == nullptr) {
        settings.refuse({"placement"}, "--variant " + start.request.variant);
        return version.streamed() ? in_slabs(start, version) : in_memory(start, version);
    }
    const std::string placement = settings.word("placement", "memory", {"memory", "slabs", "auto"});
    if (placement == "slabs" || (placement == "auto" && !fits(start, version)))
        return in_slabs(start, *slabs);
    if (placement == "memory") {
        settings.refuse({"slab_depth", "steps_per_pass"}, "placement=memory");
        return in_memory(start, version);
    }
    try {
        return in_memory(start, version);
    } catch (const launch::OutOfMemory&) {
        return in_slabs(start, *slabs);
    }
}

template <class T>
Running<T> start_version(const Start<T>& start) {
    const auto& [request, settings, d, coefficients] = start;
    if (request.ranks != nullptr) {
        Running<T> running;
        running.whole = ranked_solver<T>(request, settings, d.problem.grid);
        return running;
    }
    const Version version = version_of(request.variant);
    if (version.kernels.empty()) {
        settings.refuse({"placement", "row_alignment"}, "--variant " + request.variant);
        Running<T> running;
        running.whole = cpu_version<T>(
            request.variant, d.problem, [&body = d.body] { return body; }, coefficients, request.threads);
        return running;
    }
    try {
        return placed(start, version);
    } catch (const launch::Unavailable& error) {
        throw UsageError(fmt::format("{}: {}", request.variant, error.what()));
    }
}

template <class T>
std::vector<T> tight(const Layout& layout, const Storage<T>& array) {
    const std::size_t plane = static_cast<std::size_t>(layout.rows()) * (layout.n[2] + 1);
    std::vector<T> values(plane * layout.planes());
    for (int x = 0; x < layout.planes(); ++x)
        load_plane(layout, array.data() + x * layout.plane(), values.data() + x * plane);
    return values;
}

template <class T>
std::vector<Field> fields_of(const Described& d, Solver<T>& solver, const Coefficients<T>& k) {
    const Grid& grid = d.problem.grid;
    std::vector<std::size_t> sizes;
    for (int axis = 0; axis < 3; ++axis)
        sizes.push_back(static_cast<std::size_t>(grid.n(axis)) + 1);
    std::vector<Field> fields;
    for (int component = 0; component < components; ++component) {
        auto values = whole_field(grid, solver, component);
        if (!std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); }))
            throw UsageError(fmt::format("the fields left the range of {}", harness::precision_name<T>));
        fields.push_back({component_names[component], sizes, std::move(values)});
    }
    for (int c = 0; c < 3; ++c) {
        const char axis = "xyz"[c];
        fields.push_back({fmt::format("eps_{}", axis), sizes, tight(k.layout, k.eps[c])});
        fields.push_back({fmt::format("mu_{}", axis), sizes, tight(k.layout, k.mu[c])});
        fields.push_back({fmt::format("sigma_{}", axis), sizes, tight(k.layout, k.sigma[c])});
        fields.push_back({std::string(1, axis), {grid.nodes[c].size()}, grid.nodes[c]});
    }
    return fields;
}

void describe_schedule(const StreamingSchedule& schedule, nlohmann::json& parameters) {
    std::visit([&](const auto& way) { parameters["slab_depth"] = way.depth; }, schedule);
    if (const auto* skew = std::get_if<TimeSkew>(&schedule)) parameters["steps_per_pass"] = skew->steps;
}

template <class T>
Solution solve_in(const SolveRequest& request, const Settings& settings) {
    const Described d = describe(request.input, settings);
    const Coefficients<T> coefficients = average<T>(d.problem.grid, d.body, request.threads);
    Running<T> running = start_version<T>({request, settings, d, coefficients});
    run_and_record(d, running.solver(), request.recorder);
    Solution solution;
    const Grid& grid = d.problem.grid;
    solution.parameters = {{"nx", grid.n(0)},           {"ny", grid.n(1)},
                           {"nz", grid.n(2)},           {"steps", d.steps},
                           {"dt", d.problem.dct},       {"precision", harness::precision_name<T>},
                           {"variant", request.variant}};
    if (running.schedule) {
        describe_schedule(*running.schedule, solution.parameters);
        solution.parameters["streamed_by"] = running.streamed_by;
    }
    solution.parameters.update(source_parameters(d.problem.source));
    solution.parameters.update(d.about);
    solution.fields = fields_of(d, running.solver(), coefficients);
    return solution;
}

}  // namespace

std::set<std::string> solve_keys() {
    std::set<std::string> keys = described_keys;
    keys.insert({"device_values", "placement", "precision", "row_alignment", "slab_depth", "steps_per_pass",
                 "cut", "steps_per_exchange"});
    return keys;
}

Solution solve(const SolveRequest& request) {
    const Settings settings(request.set, solve_keys());
    return harness::in_precision(settings,
                                 [&](auto zero) { return solve_in<decltype(zero)>(request, settings); });
}

}  // namespace gridmark::maxwell

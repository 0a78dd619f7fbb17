#include "kernels/maxwell/ranks.hpp"

#include <fmt/format.h>

#include "experiments/maxwell/case.hpp"
#include "experiments/maxwell/described.hpp"
#include "harness/availability.hpp"
#include "harness/points.hpp"
#include "harness/ranks/plan.hpp"
#include "harness/ranks/ranked_field.hpp"
#include "kernels/random.hpp"

/// The grid of nodes cut among ranks (`run --ranks`, `solve --ranks`). Axis 0 of a rank's box is z, 1 is y
/// and 2 is x: see kernels/maxwell/ranks.hpp.
namespace gridmark::maxwell {
namespace {

using harness::Settings;

/// What is stepped: for `run` random fields in a random body, so that every wrong index shows; for `solve`
/// what its settings describe, from zeros.
struct Setting {
    Problem problem;
    Body body;
    bool random;
};

bool is_random(const Settings& settings) {
    return settings.word("start", "random", {"random", "zero"}) == "random";
}

Size size_of(const Settings& settings, int times) {
    constexpr int longest = 1 << 20;
    const Size size = harness::grid_size_of(settings, 64, longest);
    if (std::min({size.nx, size.ny, size.nz}) < 2) throw std::invalid_argument("a side has 2 nodes at least");
    if (static_cast<long long>(size.nx) * times > longest)
        throw std::invalid_argument("nx must be at most 2^20");
    return {size.nx * times, size.ny, size.nz};
}

Setting setting_of(const harness::RankRequest& request, int times) {
    if (!is_random(request.settings)) {
        std::map<std::string, std::string> described;
        for (const std::string& key : described_keys)
            if (request.settings.has(key)) described[key] = request.settings.text(key, "");
        const Described d = describe(std::nullopt, Settings(described, described_keys));
        return {d.problem, d.body, false};
    }
    const Grid grid = grid_of(size_of(request.settings, times));
    Body body = body_of(grid, Scene::random, request.seed);
    constexpr double wave_length = 17;
    const Problem problem{grid, default_dct(grid, body), {{1, 0.5}, 2 * 3.14159265358979 / wave_length, 0}};
    return {problem, std::move(body), true};
}

double random_value(std::uint64_t seed, const Grid& grid, int component, int x, int y, int z) {
    const auto slots = [&](int axis) { return static_cast<std::uint64_t>(grid.n(axis)) + 1; };
    const std::uint64_t index = ((component * slots(0) + x) * slots(1) + y) * slots(2) + z;
    return 2 * unit_random(seed, index) - 1;
}

harness::Axes sizes_of(harness::Preset preset) {
    return {{{"n", {preset == harness::Preset::quick ? "64" : "320"}}, {"precision", {"float"}}}, {}};
}

template <class T>
harness::RankGrid grid_in(Size size) {
    return {.box = {{0, 0, 0}, {size.nz + 1, size.ny + 1, size.nx + 1}},
            .order = {2, 1, 0},
            .word = fmt::format("{}x{}x{}/{}", size.nx, size.ny, size.nz, harness::precision_name<T>),
            .parameters = {{"nx", std::int64_t{size.nx}},
                           {"ny", std::int64_t{size.ny}},
                           {"nz", std::int64_t{size.nz}},
                           {"precision", harness::precision_name<T>}},
            .bytes = size.points() * values_fused * sizeof(T),
            .flops = size.points() * flops_per_cell,
            .memory = size.points() * (15 * sizeof(T) + 2),
            .stages = {{stage_reach(0), 3}, {stage_reach(1), 3}},
            .state_fields = components,
            .value_bytes = sizeof(T)};
}

harness::RankGrid grid(const Settings& settings, int times) {
    const Size size = size_of(settings, times);
    return harness::in_precision(settings, [&](auto zero) { return grid_in<decltype(zero)>(size); });
}

/// The nodes and cells of a setting that indices low ... high - 1 along x and y reach, and all along z: there
/// the incident wave is computed.
struct Around {
    int low[2];
    Setting setting;
};

Around around(const Setting& whole, const ranks::Box& window, int steps) {
    Around part{{},
                {{{}, whole.problem.dct, whole.problem.source}, {{}, whole.body.materials}, whole.random}};
    const Grid& grid = whole.problem.grid;
    part.setting.problem.grid = grid;
    for (int axis = 0; axis < 2; ++axis) {
        const int n = grid.n(axis), low = window.low[2 - axis], high = window.high[2 - axis];
        // Two nodes at least, and one more than the steps can carry what this smaller grid's ends do wrong.
        const int first = std::clamp(low - steps - 2, 0, n - 2),
                  end = std::clamp(high + steps + 2, first + 2, n);
        part.low[axis] = first;
        const auto& nodes = grid.nodes[axis];
        part.setting.problem.grid.nodes[axis].assign(nodes.begin() + first, nodes.begin() + end);
    }
    const Grid& small = part.setting.problem.grid;
    for (int x = 0; x + 1 < small.n(0); ++x)
        for (int y = 0; y + 1 < small.n(1); ++y)
            for (int z = 0; z + 1 < small.n(2); ++z)
                part.setting.body.cells.push_back(
                    whole.body.cells[whole.body.index(grid, part.low[0] + x, part.low[1] + y, z)]);
    return part;
}

/// All components at a window after some steps, by the reference in T: no version fuses or reorders an
/// operation, so every bit must agree. That reference is held to the one in double by the study's own cases.
template <class T>
std::vector<std::vector<double>> reference_at(const Setting& whole, std::uint64_t seed, int steps,
                                              const ranks::Box& window) {
    const Around part = around(whole, window, steps);
    const Problem& p = part.setting.problem;
    const Coefficients<T> coefficients = average<T>(p.grid, part.setting.body, 1);
    Reference<T> reference(p, coefficients);
    const std::size_t row = p.grid.n(2) + 1, rows = p.grid.n(1) + 1;
    std::vector<T> plane(row * rows);
    for (int c = 0; whole.random && c < components; ++c)
        for (int x = 0; x <= p.grid.n(0); ++x) {
            for (std::size_t i = 0; i < plane.size(); ++i)
                plane[i] = static_cast<T>(random_value(seed, whole.problem.grid, c, part.low[0] + x,
                                                       part.low[1] + static_cast<int>(i / row),
                                                       static_cast<int>(i % row)));
            reference.set_plane(c, x, plane.data());
        }
    reference.steps(steps);
    std::vector<std::vector<double>> values(components);
    for (int c = 0; c < components; ++c)
        for (int x = window.low[2]; x < window.high[2]; ++x) {
            reference.get_plane(c, x - part.low[0], plane.data());
            for (int y = window.low[1]; y < window.high[1]; ++y)
                for (int z = window.low[0]; z < window.high[0]; ++z)
                    values[c].push_back(plane[(y - part.low[1]) * row + z]);
        }
    return values;
}

template <class T>
std::unique_ptr<harness::Ranked> make_in(const harness::RankRequest& r, Setting setting) {
    const Grid& grid = setting.problem.grid;
    const ranks::Cut cut(grid_box(grid), r.parts);
    const ranks::Box stored =
        ranks::Stepping<T>::stored_box(cut, r.transport.rank(), step_reach(), r.steps_per_exchange);
    StartValue start;
    if (setting.random)
        start = [grid, seed = r.seed](int c, int x, int y, int z) {
            return random_value(seed, grid, c, x, y, z);
        };
    const int steps = harness::checked_steps(r.steps_per_exchange);
    auto part = r.device == nullptr ? cpu_part<T>(setting.problem, setting.body, stored, r.threads, start)
                                    : gpu_part<T>(*r.device, setting.problem, setting.body, stored, start);
    harness::RankedCase<T> field{
        .part = std::move(part),
        .components = components,
        .steps = steps,
        .tolerance = 0,
        .against = "reference in its own precision",
        .reference = [setting = std::move(setting), seed = r.seed, steps](const ranks::Box& window) {
            return reference_at<T>(setting, seed, steps, window);
        }};
    return std::make_unique<harness::RankedField<T>>(r, cut, std::move(field));
}

/// Fields that ranks hold. They are read whole, once after the steps that changed them.
template <class T>
class RankedSolver final : public Solver<T> {
  public:
    RankedSolver(std::unique_ptr<harness::Stepper<T>> ranks, const Grid& grid)
        : ranks_(std::move(ranks)),
          rows_(static_cast<std::size_t>(grid.n(1)) + 1),
          row_(static_cast<std::size_t>(grid.n(2)) + 1),
          planes_(static_cast<std::size_t>(grid.n(0)) + 1) {
        ranks_->start({}, {});
    }
    void set_plane(int, int, const T*) override { throw std::logic_error("ranks make their own start"); }
    void get_plane(int component, int x, T* values) override {
        std::copy_n(at(component, x, 0, 0), rows_ * row_, values);
    }
    T value(int component, int x, int y, int z) override { return *at(component, x, y, z); }
    void steps(int count) override {
        ranks_->steps(count);
        fields_.clear();
    }

  private:
    const T* at(int component, int x, int y, int z) {
        if (fields_.empty()) {
            fields_.resize(components * planes_ * rows_ * row_);
            ranks_->read(fields_);
        }
        return fields_.data() + ((component * planes_ + x) * rows_ + y) * row_ + z;
    }

    std::unique_ptr<harness::Stepper<T>> ranks_;
    std::size_t rows_, row_, planes_;
    std::vector<T> fields_;
};

std::unique_ptr<harness::Ranked> make(const harness::RankRequest& request, int times) {
    Setting setting = setting_of(request, times);
    return harness::in_precision(
        request.settings, [&](auto zero) { return make_in<decltype(zero)>(request, std::move(setting)); });
}

std::set<std::string> all_keys() {
    std::set<std::string> keys = described_keys;
    for (const char* key : {"steps", "moments"})
        keys.erase(key);
    keys.insert({"n", "precision", "start"});
    return keys;
}

}  // namespace

/// Made when it is first asked for: its keys come from another file.
const harness::RankedStudy& ranked_study() {
    static const harness::RankedStudy study{sizes_of, all_keys(), grid, make};
    return study;
}

/// The fields of a `solve --ranks`.
template <class T>
std::unique_ptr<Solver<T>> ranked_solver(const harness::SolveRequest& request, const Settings& settings,
                                         const Grid& grid) {
    settings.refuse({"device_values", "placement", "row_alignment", "slab_depth", "steps_per_pass"},
                    "--ranks");
    std::map<std::string, std::string> set{{"start", "zero"}, {"precision", harness::precision_name<T>}};
    for (const auto& [key, value] : request.set)
        if (ranked_study().keys.contains(key)) set[key] = value;
    for (int axis = 0; axis < 3; ++axis)
        set[std::string("n") + "xyz"[axis]] = std::to_string(grid.n(axis));
    return std::make_unique<RankedSolver<T>>(
        harness::ranked_stepper<T>(request, "maxwell", ranked_study(), set, settings, 1), grid);
}
template std::unique_ptr<Solver<float>> ranked_solver(const harness::SolveRequest&, const Settings&,
                                                      const Grid&);
template std::unique_ptr<Solver<double>> ranked_solver(const harness::SolveRequest&, const Settings&,
                                                       const Grid&);

}  // namespace gridmark::maxwell

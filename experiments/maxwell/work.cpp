#include "experiments/maxwell/work.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <typeinfo>

#include "experiments/maxwell/case.hpp"
#include "harness/peers/peer_work.hpp"
#include "kernels/maxwell/host_solver.hpp"

namespace gridmark::maxwell {
namespace {

/// A version in memory. `kept` is whatever else it works on.
template <class T>
class WholeWork final : public harness::Work {
  public:
    WholeWork(std::shared_ptr<const Case<T>> host, std::shared_ptr<const void> kept,
              std::unique_ptr<Solver<T>> solver)
        : case_(std::move(host)), kept_(std::move(kept)), solver_(std::move(solver)) {}

    harness::Verification verify() override { return maxwell::verify(*case_, *solver_); }
    void iterate(int count) override { solver_->steps(count); }
    std::optional<launch::KernelInfo> kernel_info() const override { return solver_->kernel_info(); }

  private:
    std::shared_ptr<const Case<T>> case_;
    std::shared_ptr<const void> kept_;
    std::unique_ptr<Solver<T>> solver_;
};

/// What `make` makes of a case. It lies with the case, and goes with it: together they can be most of the
/// host's memory. Another case's of the same kind goes first.
template <class Value, class T, class Make>
std::shared_ptr<const Value> kept_with(const std::shared_ptr<const Case<T>>& host, Make make) {
    static std::weak_ptr<const Case<T>> last;
    const std::type_index kind = typeid(Value);
    if (const auto other = last.lock(); other != host && other != nullptr) other->kept.erase(kind);
    last = host;
    std::shared_ptr<const void>& value = host->kept[kind];
    if (value == nullptr) value = std::shared_ptr<const Value>(make());
    return std::static_pointer_cast<const Value>(value);
}

/// A pass and a step, or a short pass where the reference would take a minute for them.
int steps_to_verify(Size size, const TimeSkew& skew) {
    constexpr double most_nodes = 320.0 * 320 * 320;
    return size.points() <= most_nodes ? skew.steps + 1 : verified_steps;
}

/// A streamed version that its parts share, and what its verification gave.
template <class T>
struct Shared {
    std::shared_ptr<const Case<T>> host;
    StreamedSetup<T> setup;
    std::optional<harness::Verification> verification = {};
};

template <class T>
std::shared_ptr<Shared<T>> shared_setup(launch::Device& device, const std::string& variant,
                                        const std::shared_ptr<const Case<T>>& host,
                                        const StreamingSchedule& schedule, int threads) {
    static std::map<std::tuple<std::string, int, int, int, int, int>, std::weak_ptr<Shared<T>>> made;
    const auto* const skew = std::get_if<TimeSkew>(&schedule);
    const auto [nx, ny, nz] = host->size;
    auto& known = skew != nullptr ? made[{variant, nx, ny, nz, skew->depth, skew->steps}]
                                  : made[{variant, nx, ny, nz, std::get<Slabs>(schedule).depth, 0}];
    if (auto kept = known.lock(); kept && kept->host == host) return kept;
    const Version version = version_of(variant);
    const auto make = [&] {
        return coefficients_for(device, version, host->problem, host->coefficients, threads);
    };
    // Pinned copies are dear; pageable ones are the case's own.
    const auto coefficients =
        version.memory == HostMemory::pinned ? kept_with<StreamedCoefficients<T>>(host, make) : make();
    auto setup = std::make_shared<Shared<T>>(
        Shared<T>{host, {device, version, host->problem, coefficients, schedule, threads}});
    known = setup;
    return setup;
}

template <class T>
class StreamedWork final : public harness::Work {
  public:
    StreamedWork(std::shared_ptr<Shared<T>> shared, Part part) : shared_(std::move(shared)), part_(part) {}

    harness::Verification verify() override {
        if (!shared_->verification)
            shared_->verification = maxwell::verify(*shared_->host, shared_->setup.solver());
        return *shared_->verification;
    }
    void iterate(int count) override {
        StreamedSolver<T>& solver = shared_->setup.solver();
        if (part_ == Part::whole)
            solver.steps(count);
        else if (part_ == Part::transfers)
            solver.transfers(count);
        else
            solver.kernels(count);
    }
    std::optional<launch::KernelInfo> kernel_info() const override {
        return shared_->setup.solver().kernel_info();
    }

  private:
    std::shared_ptr<Shared<T>> shared_;
    Part part_;
};

/// The arrays of a case as a peer gets them: tight, [component][nx + 1][ny + 1][nz + 1].
template <class T>
void add_arrays(const Case<T>& c, harness::SharedArrays& arrays) {
    const Layout& layout = c.coefficients.layout;
    const std::size_t side = static_cast<std::size_t>(c.size.nx) + 1, plane = side * side;
    const auto add = [&](const char* name, std::size_t count, const auto& fill) {
        const std::span<T> values = arrays.add<T>(name, {count, side, side, side});
        for (std::size_t k = 0; k < count * side; ++k)
            fill(static_cast<int>(k / side), static_cast<int>(k % side), values.subspan(k * plane, plane));
    };
    add("start", components,
        [&](int component, int x, std::span<T> to) { start_plane<T>(c, component, x, to); });
    for (const auto& [name, three] : {std::pair{"eps", &c.coefficients.eps},
                                      {"sigma", &c.coefficients.sigma},
                                      {"mu", &c.coefficients.mu}})
        add(name, 3, [&, three = three](int component, int x, std::span<T> to) {
            load_plane(layout, (*three)[component].data() + layout.plane() * x, to.data());
        });
    for (int axis = 0; axis < 3; ++axis) {
        const auto inverse = inverse_spacings<T>(c.problem.grid.nodes[axis]);
        const auto line = [&](const std::string& name, const std::vector<T>& values) {
            std::ranges::copy(values, arrays.add<T>(name + "_" + "xyz" [axis], { values.size() }).begin());
        };
        line("half", inverse.half);
        line("node", inverse.node);
    }
}

}  // namespace

template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, Size size, int threads,
                                        std::uint64_t seed, Scene scene) {
    const auto host = shared_case<T>(size, seed, scene);
    const auto body = [&] { return body_of(host->problem.grid, host->scene, seed); };
    return std::make_unique<WholeWork<T>>(
        host, nullptr, cpu_version<T>(variant, host->problem, body, host->coefficients, threads));
}

template <class T>
std::unique_ptr<harness::Work> in_core_work(launch::Device& device, const std::string& variant, Size size,
                                            std::uint64_t seed, const InCoreOptions& options) {
    const auto& kernels = *find_gpu_variant<T>(device.executor(), version_of(variant).kernels);
    const auto host = shared_case<T>(size, seed, options.scene.value_or(scene_of(kernels)));
    std::shared_ptr<const DeviceCoefficients<T>> coefficients;
    if (kernels.looks_up) {
        coefficients =
            device_coefficients(device, kernels, host->problem,
                                body_of(host->problem.grid, host->scene, seed), host->coefficients);
    } else if (options.alignment != row_alignment) {
        const auto rows = in_layout(host->coefficients, make_layout<T>(host->problem.grid, options.alignment),
                                    options.threads);
        coefficients = device_coefficients(device, kernels, host->problem, {}, rows);
    } else if (options.scene && *options.scene != scene_of(kernels)) {
        coefficients = device_coefficients(device, kernels, host->problem, {}, host->coefficients);
    } else {
        coefficients = kept_with<DeviceCoefficients<T>>(host, [&] {
            return device_coefficients(device, kernels, host->problem, {}, host->coefficients);
        });
    }
    auto solver = in_core<T>(device, kernels, host->problem, *coefficients, options.threads);
    return std::make_unique<WholeWork<T>>(host, coefficients, std::move(solver));
}

template <class T>
std::unique_ptr<harness::Work> streamed_work(launch::Device& device, const std::string& variant, Size size,
                                             const StreamingSchedule& schedule, Part part, int threads,
                                             std::uint64_t seed) {
    const auto& kernels = *find_gpu_variant<T>(device.executor(), version_of(variant).kernels);
    const auto* const skew = std::get_if<TimeSkew>(&schedule);
    const int steps = skew != nullptr ? steps_to_verify(size, *skew) : verified_steps;
    return std::make_unique<StreamedWork<T>>(
        shared_setup<T>(device, variant, shared_case<T>(size, seed, scene_of(kernels), steps), schedule,
                        threads),
        part);
}

template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed) {
    const auto c = shared_case<T>(n, seed);
    const Drive d = start(c->problem.source, c->problem.dct, 1 / half_distance(c->problem.grid.nodes[2], 0));
    auto problem = std::make_unique<harness::PeerProblem>();
    const Drive::Direction& along = d.along[0];  // but for the amplitude the other direction is the same
    problem->numbers = {{"dct", c->problem.dct},
                        {"scale", d.scale},
                        {"amplitude_0", along.amplitude},
                        {"amplitude_1", d.along[1].amplitude},
                        {"sine", along.sine},
                        {"cosine", along.cosine},
                        {"turn_sine", along.turn_sine},
                        {"turn_cosine", along.turn_cosine}};
    add_arrays<T>(*c, problem->arrays);
    const std::size_t side = static_cast<std::size_t>(n) + 1, plane = side * side;
    const auto compare_answer = [c, side, plane](std::span<const T> answer) {
        return compare<T>(*c, [&](int component, int x, T* to) {
            std::ranges::copy(answer.subspan((component * side + x) * plane, plane), to);
        });
    };
    return harness::peer_work<T>(peer, std::move(problem),
                                 {c->steps, {components, side, side, side}, compare_answer});
}

#define GRIDMARK_INSTANTIATE(T)                                                                         \
    template std::unique_ptr<harness::Work> cpu_work<T>(const std::string&, Size, int, std::uint64_t,   \
                                                        Scene);                                         \
    template std::unique_ptr<harness::Work> in_core_work<T>(launch::Device&, const std::string&, Size,  \
                                                            std::uint64_t, const InCoreOptions&);       \
    template std::unique_ptr<harness::Work> streamed_work<T>(                                           \
        launch::Device&, const std::string&, Size, const StreamingSchedule&, Part, int, std::uint64_t); \
    template std::unique_ptr<harness::Work> peer_work<T>(const harness::Peer&, int, std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::maxwell

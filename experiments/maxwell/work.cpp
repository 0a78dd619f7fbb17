#include "experiments/maxwell/work.hpp"

#include <map>
#include <optional>
#include <tuple>
#include <typeinfo>

#include "experiments/maxwell/case.hpp"

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

#define GRIDMARK_INSTANTIATE(T)                                                                        \
    template std::unique_ptr<harness::Work> cpu_work<T>(const std::string&, Size, int, std::uint64_t,  \
                                                        Scene);                                        \
    template std::unique_ptr<harness::Work> in_core_work<T>(launch::Device&, const std::string&, Size, \
                                                            std::uint64_t, const InCoreOptions&);      \
    template std::unique_ptr<harness::Work> streamed_work<T>(                                          \
        launch::Device&, const std::string&, Size, const StreamingSchedule&, Part, int, std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::maxwell

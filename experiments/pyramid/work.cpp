#include "experiments/pyramid/work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "experiments/pyramid/case.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "harness/gpu/kernel_clock.hpp"
#include "harness/peers/peer_work.hpp"
#include "kernels/launch/make_device.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/thomas.hpp"

namespace gridmark::pyramid {
namespace {

template <class T>
class WholeWork final : public harness::Work {
  public:
    /// `rounding` as in GpuVariant.
    WholeWork(std::shared_ptr<const Case<T>> host, std::unique_ptr<Stepper<T>> stepper, double s,
              double rounding)
        : case_(std::move(host)), stepper_(std::move(stepper)), s_(s), rounding_(rounding) {}

    harness::Verification verify() override {
        // A launch of several steps, if it can, and some that are left.
        const int launch = stepper_->steps_per_launch(), steps = launch > 1 ? launch + 3 : 3;
        return verify_steps(*case_, *stepper_, s_, steps, {case_->n, case_->n, 0},
                            rounding_ * rounding_bound<T>(s_, steps));
    }
    void iterate(int count) override { stepper_->steps(count * stepper_->steps_per_launch()); }
    std::optional<launch::KernelInfo> kernel_info() const override { return stepper_->kernel_info(); }

  private:
    std::shared_ptr<const Case<T>> case_;
    std::unique_ptr<Stepper<T>> stepper_;
    double s_, rounding_;
};

/// A driver with its fields, and what its verification gave.
template <class T>
struct Pass {
    std::string name;
    launch::Device* device;
    std::shared_ptr<const Case<T>> host;
    Pieces pieces;
    double tolerance;
    std::unique_ptr<StreamedStepper<T>> stepper;
    std::optional<harness::Verification> verification = {};
};

template <class T>
std::shared_ptr<Stage<T>> shared_stage(launch::Device& device, std::size_t n, std::size_t device_values,
                                       bool one_layer) {
    // Never destroyed: when the program ends the device may be gone, and the memory with it.
    static auto& last = *new std::shared_ptr<Stage<T>>;
    if (!last || &last->device != &device || last->now.span().size() != n ||
        last->next.span().empty() != one_layer) {
        last.reset();
        last = std::make_shared<Stage<T>>(device, n, device_values, one_layer);
    } else if (last->memory.size() != device_values) {
        last->memory = {};
        last->memory = launch::Buffer<T>(device, device_values);
    }
    return last;
}

/// The solver of that name; throws Unavailable where it cannot run with this s.
template <class T>
const GpuVariant<T>& usable_solver(const launch::Device& device, std::string_view name, double s) {
    const auto& solver = *find_gpu_variant<T>(device.executor(), name);
    if (const std::string why = solver.unavailable_reason(s); !why.empty()) throw launch::Unavailable(why);
    return solver;
}

template <class T>
std::shared_ptr<Pass<T>> shared_pass(launch::Device& device, const Sweep& sweep, int height, int threads,
                                     std::uint64_t seed) {
    static std::weak_ptr<Pass<T>> last;
    const std::string name = sweep.name() + "/" + std::to_string(height);
    if (auto kept = last.lock(); kept && kept->name == name && kept->device == &device) return kept;
    const Version version = version_of(sweep.variant);
    const auto& solver = usable_solver<T>(device, version.solver, sweep.s);
    const Pieces pieces = sweep.pieces(height);
    auto made = std::make_shared<Pass<T>>(Pass<T>{
        name, &device, shared_case<T>(sweep.n, seed), pieces,
        sweep.tolerance() + solver.rounding * rounding_bound<T>(sweep.s, height),
        streamed_stepper<T>(shared_stage<T>(device, sweep.n, sweep.device_values(), version.one_layer),
                            version, solver, sweep.s, pieces, height, threads)});
    last = made;
    return made;
}

template <class T>
class StreamedWork final : public harness::Work {
  public:
    StreamedWork(std::shared_ptr<Pass<T>> pass, const Sweep& sweep, int height, Part part)
        : pass_(std::move(pass)), s_(sweep.s), height_(height), part_(part) {}

    harness::Verification verify() override {
        // A full pass: its padding must be enough for all its steps.
        if (!pass_->verification)
            pass_->verification =
                verify_steps(*pass_->host, *pass_->stepper, s_, height_, pass_->pieces, pass_->tolerance);
        return *pass_->verification;
    }
    void iterate(int count) override {
        if (part_ == Part::whole)
            pass_->stepper->steps(count);
        else if (part_ == Part::transfers)
            pass_->stepper->transfers(count);
        else
            pass_->stepper->kernels(count);
    }
    std::optional<launch::KernelInfo> kernel_info() const override { return pass_->stepper->kernel_info(); }

  private:
    std::shared_ptr<Pass<T>> pass_;
    double s_;
    int height_;
    Part part_;
};

}  // namespace

template <class T>
std::unique_ptr<harness::Work> in_memory_work(launch::Device& gpu, const std::string& variant, std::size_t n,
                                              double s, std::uint64_t seed) {
    const auto& solver = usable_solver<T>(gpu, variant, s);
    return std::make_unique<WholeWork<T>>(shared_case<T>(n, seed), in_memory_stepper<T>(gpu, n, s, solver), s,
                                          solver.rounding);
}

template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, std::size_t n, double s, int threads,
                                        std::uint64_t seed) {
    return std::make_unique<WholeWork<T>>(shared_case<T>(n, seed), cpu_stepper<T>(n, s, variant, threads), s,
                                          1);
}

template <class T>
std::unique_ptr<harness::Work> streamed_work(launch::Device& device, const Sweep& sweep, int height,
                                             Part part, int threads, std::uint64_t seed) {
    return std::make_unique<StreamedWork<T>>(shared_pass<T>(device, sweep, height, threads, seed), sweep,
                                             height, part);
}

launch::Device& cpu_device() {
    static const auto device = launch::host_device();
    return *device;
}

namespace {

/// What a pass does beyond what its driver did before.
template <class T, class Body>
Traffic during(const Pass<T>& pass, const Body& body) {
    const Traffic before = pass.stepper->traffic();
    body();
    const Traffic after = pass.stepper->traffic();
    return {{after.moved.up - before.moved.up, after.moved.down - before.moved.down},
            after.solved - before.solved};
}

template <class T>
std::shared_ptr<Pass<T>> verified_pass(launch::Device& device, const Sweep& sweep, int height, int threads,
                                       std::uint64_t seed, Traffic& traffic) {
    auto pass = shared_pass<T>(device, sweep, height, threads, seed);
    traffic = during(*pass, [&] {
        const auto v =
            verify_steps(*pass->host, *pass->stepper, sweep.s, height, pass->pieces, pass->tolerance);
        if (!v.passed())
            throw std::runtime_error(
                fmt::format("wrong answer: error {:.3g}, tolerance {:.3g}", v.error, v.tolerance));
    });
    return pass;
}

template <class T>
launch::Moved recorded(launch::Device& device, const Sweep& sweep, int height, int threads,
                       std::uint64_t seed) {
    Traffic traffic;
    const auto pass = verified_pass<T>(device, sweep, height, threads, seed, traffic);
    const auto activities =
        harness::KernelClock::instance().record_activities([&] { pass->stepper->steps(height); });
    launch::Moved moved;
    for (const harness::CopyRecord& copy : activities.copies)
        (copy.way == harness::CopyRecord::Way::up ? moved.up : moved.down) +=
            static_cast<std::size_t>(copy.bytes);
    return moved;
}

}  // namespace

Traffic counted_pass(launch::Device& device, const Sweep& sweep, int height, int threads,
                     std::uint64_t seed) {
    Traffic traffic;
    if (sweep.precision == "float")
        verified_pass<float>(device, sweep, height, threads, seed, traffic);
    else
        verified_pass<double>(device, sweep, height, threads, seed, traffic);
    return traffic;
}

double host_layers(launch::Device& device, const Sweep& sweep, int height, int threads, std::uint64_t seed) {
    Traffic traffic;
    const auto values =
        sweep.precision == "float"
            ? verified_pass<float>(device, sweep, height, threads, seed, traffic)->stepper->host_values()
            : verified_pass<double>(device, sweep, height, threads, seed, traffic)->stepper->host_values();
    return static_cast<double>(values) / static_cast<double>(sweep.n);
}

launch::Moved recorded_pass(launch::Device& device, const Sweep& sweep, int height, int threads,
                            std::uint64_t seed) {
    return sweep.precision == "float" ? recorded<float>(device, sweep, height, threads, seed)
                                      : recorded<double>(device, sweep, height, threads, seed);
}

template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, std::size_t n, double s,
                                         std::uint64_t seed) {
    constexpr int steps = 3;
    const auto c = shared_case<T>(n, seed);
    // General solvers, as cuSPARSE's is: they may round as it does.
    const double tolerance =
        find_gpu_variant<T>(launch::Executor::host, "gpu_cusparse")->rounding * rounding_bound<T>(s, steps);
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {{"s", s}};
    std::ranges::copy(c->start, problem->arrays.add<T>("start", {n}).begin());
    return harness::peer_work<T>(
        peer, std::move(problem),
        {steps, {n}, [c, s, tolerance](std::span<const T> answer) {
             return compare_steps<T>(*c, answer, s, steps, {c->n, c->n, 0}, tolerance);
         }});
}

#define GRIDMARK_INSTANTIATE(T)                                                                             \
    template std::unique_ptr<harness::Work> in_memory_work<T>(launch::Device&, const std::string&,          \
                                                              std::size_t, double, std::uint64_t);          \
    template std::unique_ptr<harness::Work> cpu_work<T>(const std::string&, std::size_t, double, int,       \
                                                        std::uint64_t);                                     \
    template std::unique_ptr<harness::Work> streamed_work<T>(launch::Device&, const Sweep&, int, Part, int, \
                                                             std::uint64_t);                                \
    template std::unique_ptr<harness::Work> peer_work<T>(const harness::Peer&, std::size_t, double,         \
                                                         std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/jacobi/several.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"
#include "kernels/jacobi/cpu.hpp"
#include "kernels/jacobi/gpu.hpp"

namespace gridmark::jacobi {
namespace {

using harness::Settings;
using harness::Solution;
using harness::SolveRequest;
using harness::UsageError;

/// Start, source, both of a stepper and its own copy of the source, the last two fields, and what is written.
constexpr double host_arrays = 10;

/// How many sweeps lie between two looks at the residual.
constexpr int look_every = 500;

/// Two buffers that a sweep alternates between, wherever they live.
template <class T>
class Stepper {
  public:
    virtual ~Stepper() = default;
    virtual void sweeps(int count) = 0;
    /// The last field and the one before it.
    virtual std::vector<T> last() = 0;
    virtual std::vector<T> previous() = 0;
};

template <class T>
class CpuStepper final : public Stepper<T> {
  public:
    CpuStepper(const Problem& p, const SolveRequest& request, std::vector<T> psi, const std::vector<T>& omega)
        : problem_(p),
          naive_(request.variant == "cpu_naive"),
          threads_(request.threads),
          omega_(omega),
          psi_{psi, psi} {}
    void sweeps(int count) override {
        for (int n = 0; n < count; ++n, at_ ^= 1) {
            if (naive_)
                cpu_naive(problem_, psi_[at_].data(), omega_.data(), psi_[at_ ^ 1].data());
            else
                cpu_openmp(problem_, psi_[at_].data(), omega_.data(), psi_[at_ ^ 1].data(), threads_);
        }
    }
    std::vector<T> last() override { return psi_[at_]; }
    std::vector<T> previous() override { return psi_[at_ ^ 1]; }

  private:
    const Problem& problem_;
    bool naive_;
    int threads_;
    const std::vector<T>& omega_;
    std::vector<T> psi_[2];
    int at_ = 0;
};

template <class T>
class GpuStepper final : public Stepper<T> {
  public:
    GpuStepper(const Problem& p, const SolveRequest& request, const Tiling& tiling, const std::vector<T>& psi,
               const std::vector<T>& omega)
        : problem_(p),
          device_(*request.device),
          tiling_(tiling),
          variant_(*find_gpu_variant<T>(device_.executor(), request.variant)),
          omega_(device_, std::span<const T>(omega)),
          psi_{launch::Buffer<T>(device_, std::span<const T>(psi)),
               launch::Buffer<T>(device_, std::span<const T>(psi))} {
        const bool shared = request.variant == "gpu_shared";
        variant_.prepare(device_.stream(), p, tiling,
                         shared ? launch::Carveout::prefer_shared : launch::Carveout::prefer_l1);
    }
    void sweeps(int count) override {
        for (int n = 0; n < count; ++n, at_ ^= 1)
            variant_.sweep(device_.stream(), problem_, tiling_, psi_[at_].data(), omega_.data(),
                           psi_[at_ ^ 1].data());
    }
    std::vector<T> last() override { return fetch(psi_[at_]); }
    std::vector<T> previous() override { return fetch(psi_[at_ ^ 1]); }

  private:
    static std::vector<T> fetch(const launch::Buffer<T>& buffer) {
        std::vector<T> values(buffer.size());
        buffer.download(values);
        return values;
    }

    const Problem& problem_;
    launch::Device& device_;
    Tiling tiling_;
    const GpuVariant<T>& variant_;
    launch::Buffer<T> omega_, psi_[2];
    int at_ = 0;
};

/// Several sweeps in a launch. The last sweep is a launch of its own, so that the field before it is the one
/// before the last sweep.
template <class T>
class SeveralStepper final : public Stepper<T> {
  public:
    SeveralStepper(const Problem& p, const SolveRequest& request, const std::vector<T>& psi,
                   const std::vector<T>& omega)
        : sweeps_(*request.device, request.variant, p, omega), size_(psi.size()) {
        sweeps_.start(psi, psi);
    }
    void sweeps(int count) override {
        sweeps_.advance(count - 1);
        sweeps_.advance(std::min(count, 1));
    }
    std::vector<T> last() override {
        std::vector<T> values(size_);
        sweeps_.last(values);
        return values;
    }
    std::vector<T> previous() override {
        std::vector<T> values(size_);
        sweeps_.previous(values);
        return values;
    }

  private:
    SeveralSweeps<T> sweeps_;
    std::size_t size_;
};

template <class T>
double largest_change(const std::vector<T>& a, const std::vector<T>& b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        most = std::max(most, std::abs(static_cast<double>(a[k]) - b[k]));
    return most;
}

/// Sweeps until `iterations` are done or, where a residual is asked for, no point moves by more than it in
/// one sweep.
template <class T>
void advance(Stepper<T>& stepper, int iterations, double residual, nlohmann::json& parameters) {
    int done = 0;
    while (done < iterations) {
        const int count = residual > 0 ? std::min(look_every, iterations - done) : iterations;
        stepper.sweeps(count);
        done += count;
        if (residual > 0 && largest_change(stepper.last(), stepper.previous()) <= residual) break;
    }
    parameters["iterations"] = done;
    parameters["largest_last_change"] = done > 0 ? largest_change(stepper.last(), stepper.previous()) : 0.0;
}

template <class T>
Solution solve_in(const SolveRequest& request, const Settings& settings, const Problem& p,
                  const Tiling& tiling) {
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    const int iterations = static_cast<int>(settings.integer("iterations", 1000, 0, 100'000'000));
    const std::string source = settings.word("omega", "random", {"random", "zero"});
    const double residual = settings.number("residual", 0);
    if (residual < 0) throw UsageError("--set residual: must not be negative");

    harness::require_memory(fmt::format("--set nx, ny: {} x {} points", p.nx, p.ny),
                            host_arrays * static_cast<double>(p.nx) * p.ny * sizeof(T));

    const auto made_psi = initial_psi<T>(p, seed), made_omega = random_omega<T>(p, seed);
    const std::vector<T> psi0(made_psi.begin(), made_psi.end());
    std::vector<T> omega(made_omega.begin(), made_omega.end());
    if (source == "zero") std::fill(omega.begin(), omega.end(), T{0});

    std::unique_ptr<Stepper<T>> stepper;
    if (find_gpu_several<T>(launch::Executor::host, request.variant) != nullptr)
        stepper = std::make_unique<SeveralStepper<T>>(p, request, psi0, omega);
    else if (request.device != nullptr)
        stepper = std::make_unique<GpuStepper<T>>(p, request, tiling, psi0, omega);
    else
        stepper = std::make_unique<CpuStepper<T>>(p, request, psi0, omega);

    const auto k = coefficients<T>(p);
    Solution solution;
    solution.parameters = {{"nx", p.nx},
                           {"ny", p.ny},
                           {"hx", p.hx},
                           {"hy", p.hy},
                           {"a", k.a},
                           {"b", k.b},
                           {"c", k.c},
                           {"body_x1", p.body.x1},
                           {"body_y1", p.body.y1},
                           {"body_x2", p.body.x2},
                           {"body_y2", p.body.y2},
                           {"tile_y", tiling.tile_y},
                           {"block_y", tiling.block_y},
                           {"precision", sizeof(T) == sizeof(float) ? "float" : "double"},
                           {"seed", seed},
                           {"omega", source},
                           {"residual", residual},
                           {"variant", request.variant}};
    advance(*stepper, iterations, residual, solution.parameters);

    const std::vector<std::size_t> sizes{static_cast<std::size_t>(p.ny), static_cast<std::size_t>(p.nx)};
    solution.fields = {{"psi", sizes, stepper->last()},
                       {"psi0", sizes, psi0},
                       {"omega", sizes, omega},
                       {"mask", sizes, mask(p)}};
    return solution;
}

}  // namespace

Solution solve(const SolveRequest& request) {
    if (request.input) throw UsageError("--input: jacobi makes its own start; it reads no file");
    const Settings settings(request.set, {"nx", "ny", "iterations", "tile_y", "block_y", "precision", "seed",
                                          "omega", "residual"});
    const Tiling tiling{static_cast<int>(settings.integer("tile_y", 32, 1, 1 << 20)),
                        static_cast<int>(settings.integer("block_y", 4, 1, 1 << 20))};
    const std::string precision = settings.word("precision", "float", {"float", "double"});
    try {
        const Problem p = channel(static_cast<int>(settings.integer("nx", 512, 3, 1 << 24)),
                                  static_cast<int>(settings.integer("ny", 256, 3, 1 << 24)));
        if (const auto* variant = find_gpu_variant<float>(launch::Executor::host, request.variant))
            variant->check(tiling);
        return precision == "float" ? solve_in<float>(request, settings, p, tiling)
                                    : solve_in<double>(request, settings, p, tiling);
    } catch (const std::invalid_argument& error) {
        throw UsageError(std::string("--set: ") + error.what());
    }
}

}  // namespace gridmark::jacobi

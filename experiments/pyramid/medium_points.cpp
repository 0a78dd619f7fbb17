#include "experiments/pyramid/medium_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "experiments/pyramid/stepper.hpp"
#include "harness/cache.hpp"
#include "harness/points.hpp"
#include "kernels/launch/error.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/medium.hpp"
#include "kernels/random.hpp"

namespace gridmark::pyramid {
namespace {

using harness::PlanContext;
using harness::Point;
using harness::Series;

struct MediumRow {
    double lower, diagonal, upper;
};

MediumRow made_row(const std::string& kind, std::uint64_t seed, std::size_t i) {
    const double a = unit_random(seed + 1, i), b = unit_random(seed + 2, i), c = unit_random(seed + 3, i);
    if (kind == "layered") {
        const auto conductivity = [](std::size_t k) { return k / 100 % 2 == 0 ? 0.1 : 10; };
        const double l = conductivity(i), u = conductivity(i + 1);
        return {-l, 1 + l + u, -u};
    }
    // Dominant by a hundredth, or by 0.5 to 2 with any signs.
    if (kind == "nearly_singular") return {-0.5 - a / 2, 1e-2 + 1 + (a + b) / 2, -0.5 - b / 2};
    const double l = 2 * a - 1, u = 2 * b - 1;
    return {l, std::abs(l) + std::abs(u) + 0.5 + 1.5 * c, u};
}

template <class T>
class MediumWork final : public harness::Work {
  public:
    MediumWork(std::shared_ptr<const MediumCase<T>> made, std::unique_ptr<Stepper<T>> stepper,
               double rounding)
        : case_(std::move(made)), stepper_(std::move(stepper)), rounding_(rounding) {}

    harness::Verification verify() override {
        constexpr int steps = 3;
        const auto in_double = [](const std::vector<T>& from) {
            return std::vector<double>(from.begin(), from.end());
        };
        const auto lower = in_double(case_->lower), diagonal = in_double(case_->diagonal),
                   upper = in_double(case_->upper);
        const Medium<double> medium{lower, diagonal, upper};
        const auto expected = reference_medium(medium, in_double(case_->start), steps);
        std::vector<T> field(case_->n, static_cast<T>(NAN));
        stepper_->start(case_->start, field);
        stepper_->steps(steps);
        stepper_->read(field);
        double error = 0, scale = 0;
        for (std::size_t i = 0; i < case_->n; ++i) {
            const double apart = std::abs(static_cast<double>(field[i]) - expected[i]);
            error = std::isfinite(apart) ? std::max(error, apart) : std::numeric_limits<double>::max();
            scale = std::max(scale, std::abs(expected[i]));
        }
        const double grown = std::pow(dominance(medium, 1), -steps);
        return {"serial reference in double, whole rod", error,
                rounding_ * medium_rounding_bound(case_->medium(), steps) * grown, steps, scale};
    }
    void iterate(int count) override { stepper_->steps(count); }
    std::optional<launch::KernelInfo> kernel_info() const override { return stepper_->kernel_info(); }

  private:
    std::shared_ptr<const MediumCase<T>> case_;
    std::unique_ptr<Stepper<T>> stepper_;
    double rounding_;
};

template <class T>
std::shared_ptr<const MediumCase<T>> shared_medium(const std::string& kind, std::size_t n,
                                                   std::uint64_t seed) {
    static harness::Cache<MediumCase<T>> cases(1);
    return cases.get([&](const MediumCase<T>& c) { return c.kind == kind && c.n == n && c.seed == seed; }, 0,
                     [&] { return std::make_shared<const MediumCase<T>>(kind, n, seed); });
}

template <class T>
Point base(const std::string& variant, const std::string& kind, std::size_t n) {
    // The factors of three diagonals and the right-hand side, and the answer: what Thomas's algorithm must
    // do.
    Point point =
        harness::field_point<T>("pyramid", variant, fmt::format("medium/{}/{}", kind, n),
                                {{"n", static_cast<std::int64_t>(n)}, {"medium", kind}},
                                5.0 * static_cast<double>(n * sizeof(T)), 5.0 * static_cast<double>(n));
    // Made media, the reference in double, and what a version keeps.
    point.memory.host = static_cast<double>(n) * (16 * sizeof(T) + 7 * sizeof(double));
    return point;
}

template <class T>
Point gpu_point(const PlanContext& context, const GpuVariant<T>& solver, const std::string& kind,
                std::size_t n) {
    Point point = base<T>(std::string(solver.name), kind, n);
    point.series = {{Series::Clock::kernel}, {Series::Clock::step, Series::Launch::stream}};
    point.on_gpu = true;
    point.launches = solver.launches(n);
    point.memory.gpu = static_cast<double>((n + solver.scratch(n)) * sizeof(T));
    point.prepare = [gpu = context.gpu, name = point.variant, kind, n, seed = context.seed] {
        const auto& medium = *find_gpu_variant<T>(gpu->executor(), name)->medium;
        if (const std::string why = medium.unavailable_reason(0); !why.empty())
            throw launch::Unavailable(why);
        const auto made = shared_medium<T>(kind, n, seed);
        return std::make_unique<MediumWork<T>>(made, in_memory_stepper<T>(*gpu, n, made->medium(), medium),
                                               medium.rounding);
    };
    return point;
}

template <class T>
Point cpu_point(const PlanContext& context, const CpuVariant& cpu, const std::string& kind, std::size_t n) {
    Point point = base<T>(std::string(cpu.name), kind, n);
    point.parameters["threads"] = 1;
    point.series = {{Series::Clock::wall}};
    point.unavailable = cpu.unavailable_reason();
    point.prepare = [name = point.variant, kind, n, seed = context.seed] {
        const auto made = shared_medium<T>(kind, n, seed);
        return std::make_unique<MediumWork<T>>(made, cpu_stepper<T>(n, made->medium(), name, 1), 1);
    };
    return point;
}

}  // namespace

template <class T>
MediumCase<T>::MediumCase(std::string kind_, std::size_t n, std::uint64_t seed)
    : kind(std::move(kind_)), n(n), seed(seed), lower(n), diagonal(n), upper(n), start(n) {
    for (std::size_t i = 0; i < n; ++i) {
        // Around a mean that stays, as the rod's.
        start[i] = static_cast<T>(unit_random(seed, i));
        const auto [l, d, u] = made_row(kind, seed, i);
        lower[i] = static_cast<T>(l);
        diagonal[i] = static_cast<T>(d);
        upper[i] = static_cast<T>(u);
    }
}

template struct MediumCase<float>;
template struct MediumCase<double>;

template <class T>
Point medium_point(const PlanContext& context, const std::string& variant, const std::string& kind,
                   std::size_t n) {
    if (const CpuVariant* cpu = find_cpu_variant(variant); cpu != nullptr && cpu->serial)
        return cpu_point<T>(context, *cpu, kind, n);
    const GpuVariant<T>* solver = find_gpu_variant<T>(launch::Executor::host, variant);
    if (solver != nullptr && solver->medium != nullptr)
        return gpu_point<T>(context, *solver->medium, kind, n);
    Point point = base<T>(variant, kind, n);
    point.unavailable = variant + " does not solve with any three diagonals in memory";
    return point;
}

template Point medium_point<float>(const PlanContext&, const std::string&, const std::string&, std::size_t);
template Point medium_point<double>(const PlanContext&, const std::string&, const std::string&, std::size_t);

}  // namespace gridmark::pyramid

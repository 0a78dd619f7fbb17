// How pyramid's versions are prepared, verified and timed.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "experiments/pyramid/box.hpp"
#include "experiments/pyramid/case.hpp"
#include "experiments/pyramid/stepper.hpp"
#include "experiments/pyramid/work.hpp"
#include "harness/gpu/kernel_clock.hpp"
#include "kernels/launch/host_device.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "tests/support/counting_device.hpp"
#include "tests/support/faulty_device.hpp"

namespace gridmark::studies_tests::pyramid_study {
namespace {

using pyramid::Part;
using pyramid::Pieces;
using pyramid::Sweep;

TEST(PyramidVersion, IsWhatItsNameSays) {
    EXPECT_EQ(pyramid::version_of("cpu_pyramid").solver, "cpu_openmp");
    EXPECT_FALSE(pyramid::version_of("cpu_pyramid").overlapped) << "the paper's driver";
    EXPECT_EQ(pyramid::version_of("gpu_cusparse_synchronous").solver, "gpu_cusparse");
    EXPECT_FALSE(pyramid::version_of("gpu_cusparse_synchronous").overlapped);
    EXPECT_EQ(pyramid::version_of("gpu_cusparse").solver, "gpu_cusparse");
    EXPECT_TRUE(pyramid::version_of("gpu_cusparse").overlapped);
}

/// Right but for one value: it keeps what stood there (`is_left_out`), or is off by a little.
class AllButOne final : public harness::Stepper<double> {
  public:
    AllButOne(std::size_t place, bool is_left_out) : place_(place), is_left_out_(is_left_out) {}
    void start(std::span<const double> field, std::span<const double> target) override {
        now_.assign(field.begin(), field.end());
        stood_ = target[place_];
    }
    void steps(int count) override {
        now_ = pyramid::reference_solve(pyramid::rod(now_.size(), 1), now_, count);
        now_[place_] = is_left_out_ ? stood_ : now_[place_] + 1e-6;
    }
    void read(std::span<double> field) override { std::copy(now_.begin(), now_.end(), field.begin()); }

  private:
    std::size_t place_;
    bool is_left_out_;
    std::vector<double> now_;
    double stood_ = 0;
};

class PyramidVerification : public testing::Test {
  protected:
    static constexpr std::size_t n = 400'000, length = 70'000;
    static bool passes(std::size_t place, bool is_left_out) {
        static const pyramid::Case<double> c(n, 1);
        AllButOne stepper(place, is_left_out);
        return pyramid::verify_steps<double>(c, stepper, 1, 2, Pieces{n, length, 50}, 1e-12).passed();
    }
};

TEST_F(PyramidVerification, SeesAValueThatNobodyWroteAnywhere) {
    for (std::size_t place = 0; place < n; place += 19'997)
        EXPECT_FALSE(passes(place, true)) << place;
}
TEST_F(PyramidVerification, SeesTheEndsAndTheSeams) {
    for (const std::size_t place : {std::size_t{0}, n - 1, length - 1, length, length + 40, 5 * length})
        EXPECT_FALSE(passes(place, false)) << place;
}

const Sweep sweep{"gpu_local_inverse", 1 << 14, 1, 0.25, "double", pyramid::Rule::minimal, {1, 4}};

TEST(PyramidWork, TimesThePartThatItIsOf) {
    // Devices outlive what is kept of them from point to point.
    static tests::CountingDevice device;
    const auto sent_by = [&](Part part) {
        const auto work = pyramid::streamed_work<double>(device, sweep, 4, part, 1, 1);
        EXPECT_TRUE(work->verify().passed());
        device.up = 0;
        work->iterate(8);
        return device.up;
    };
    EXPECT_EQ(sent_by(Part::whole), 2 * 8 * sweep.n);
    EXPECT_EQ(sent_by(Part::transfers), 2 * 8 * sweep.n);
    EXPECT_EQ(sent_by(Part::kernels), 0U);
}

TEST(PyramidWork, ByAKernelThatDoesNothingIsWrong) {
    static tests::FaultyDevice device;
    for (const auto kernel : {tests::Faults::Kernel::null, tests::Faults::Kernel::copying}) {
        device.set({.kernel = kernel});
        const auto work = pyramid::streamed_work<double>(device, sweep, 4, Part::whole, 1, 1);
        EXPECT_FALSE(work->verify().passed());
        EXPECT_GT(device.launches(), 0);
    }
}

TEST(PyramidWork, OfASolverThatCannotRunHereSaysSo) {
    static const auto device = launch::host_device();
    Sweep other = sweep;
    other.variant = "gpu_cusparse";
    EXPECT_THROW(pyramid::streamed_work<double>(*device, other, 4, Part::whole, 1, 1), launch::Unavailable);
}

TEST(PyramidWork, OfAHeightIsVerifiedByThatHeight) {
    static const auto device = launch::host_device();
    const auto one = pyramid::streamed_work<double>(*device, sweep, 1, Part::whole, 1, 1),
               four = pyramid::streamed_work<double>(*device, sweep, 4, Part::whole, 1, 1);
    for (const auto& [work, height] : {std::pair{one.get(), 1}, {four.get(), 4}}) {
        const auto v = work->verify();
        EXPECT_TRUE(v.passed()) << v.error;
        EXPECT_EQ(v.steps, height);
        EXPECT_DOUBLE_EQ(v.tolerance, sweep.tolerance() + pyramid::rounding_bound<double>(1, height));
    }
}

// Rods and budgets follow one another in a process, which keeps the last one's memory.
TEST(PyramidWork, TakesRodsAndBudgetsInAnyOrder) {
    static const auto device = launch::host_device();
    for (const auto& [n, budget] :
         {std::pair{1 << 15, 0.25}, {1 << 14, 0.25}, {1 << 14, 0.0625}, {1 << 14, 0.25}}) {
        Sweep other = sweep;
        other.n = n;
        other.budget = budget;
        const auto v = pyramid::streamed_work<double>(*device, other, 4, Part::whole, 1, 1)->verify();
        EXPECT_TRUE(v.passed()) << n << ", " << budget << ": " << v.error;
    }
}

// What a driver counts is what its device sees, and what the pieces say: every value goes up once a pass, and
// every padded piece comes down.
TEST(PyramidWork, CountsWhatAPassMovesAndSolves) {
    static tests::CountingDevice device;
    for (const char* variant : {"gpu_local_inverse", pyramid::paper_version, pyramid::one_layer_version}) {
        Sweep other = sweep;
        other.variant = variant;
        other.budget = 0.0625;
        device.up = device.down = 0;
        const auto traffic = pyramid::counted_pass(device, other, 4, 1, 1);
        EXPECT_EQ(traffic.moved.up, device.up) << variant;
        EXPECT_EQ(traffic.moved.down, device.down) << variant;
        EXPECT_EQ(traffic.moved.up, other.n * sizeof(double)) << variant;
        EXPECT_EQ(traffic.moved.down, other.pieces(4).padded() * sizeof(double)) << variant;
        EXPECT_EQ(traffic.solved, 4 * other.pieces(4).padded()) << variant;
        EXPECT_GT(other.pieces(4).count(), 1U);
    }
}

TEST(PyramidWork, CountsNoPassThatIsWrong) {
    static tests::FaultyDevice device;
    device.set({.kernel = tests::Faults::Kernel::null});
    EXPECT_THROW(pyramid::counted_pass(device, sweep, 4, 1, 1), std::runtime_error);
}

TEST(PyramidWork, RecordsCopiesOfAGpuAlone) {
    static const auto device = launch::host_device();
    if (harness::KernelClock::instance().available()) GTEST_SKIP() << "CUPTI is here";
    EXPECT_THROW(pyramid::recorded_pass(*device, sweep, 4, 1, 1), launch::Unavailable);
}

// One layer, or two, and the buffer of a response.
TEST(PyramidWork, CountsTheLayersInHostMemory) {
    static tests::CountingDevice device;
    const auto layers = [&](const char* variant) {
        Sweep other = sweep;
        other.variant = variant;
        other.budget = 0.0625;
        return pyramid::host_layers(device, other, 4, 1, 1);
    };
    const Sweep other{pyramid::paper_version, sweep.n, 1, 0.0625, "double", pyramid::Rule::minimal, {4}};
    const auto n = static_cast<double>(sweep.n), longest = static_cast<double>(other.pieces(4).longest()),
               padding = static_cast<double>(other.padding(4));
    EXPECT_DOUBLE_EQ(layers(pyramid::paper_version), 2 + longest / n);
    EXPECT_DOUBLE_EQ(layers(pyramid::one_layer_version), 1 + (longest + padding) / n);
}

int solves = 0;
const pyramid::GpuVariant<double> halving{
    .name = "halving",
    .solve = [](launch::Stream, double, std::size_t m, int, double* f, double* x, double*) {
        ++solves;
        for (std::size_t i = 0; i < m; ++i)
            x[i] = f[i] / 2;
    }};

TEST(PyramidStepper, GoesByHeightsAndTheRest) {
    static const auto device = launch::host_device();
    const Pieces pieces{1000, 100, 20};
    for (const bool overlapped : {false, true}) {
        const pyramid::Version version{.name = "halving", .solver = "halving", .overlapped = overlapped};
        const auto stage = std::make_shared<pyramid::Stage<double>>(
            *device, 1000, pyramid::device_values_of(version, halving, pieces));
        const auto stepper = pyramid::streamed_stepper<double>(stage, version, halving, 1, pieces, 4, 1);
        std::vector<double> u(1000, 1024.0);
        const auto after = [&](auto action) {
            stepper->start(std::vector<double>(1000, 1024.0), std::vector<double>(1000, std::nan("")));
            solves = 0;
            action();
            stepper->read(u);
            return u;
        };
        EXPECT_EQ(after([&] { stepper->steps(10); }), std::vector<double>(1000, 1.0));
        EXPECT_EQ(solves, 10 * 10);
        EXPECT_EQ(after([&] { stepper->transfers(10); }), std::vector<double>(1000, 1024.0));
        EXPECT_EQ(solves, 0);
        after([&] { stepper->kernels(10); });
        EXPECT_EQ(solves, 10 * 10);
    }
}

/// Thomas's algorithm on a batch. Where that is interleaved it spoils the upper diagonal, as cuSPARSE's does.
template <class T, bool is_interleaved>
void solve_batch(launch::Stream, const pyramid::Batch<T>& batch, T* x, void* scratch) {
    const std::size_t step = is_interleaved ? batch.count : 1, apart = is_interleaved ? 1 : batch.order;
    T* const ratio = static_cast<T*>(scratch);
    for (std::size_t l = 0; l < batch.count; ++l) {
        T* const line = x + l * apart;
        for (std::size_t i = 0; i < batch.order; ++i) {
            const std::size_t at = l * apart + i * step;
            // What has no neighbour must be zero.
            const T last_ratio = i > 0 ? ratio[i - 1] : T{1}, last = i > 0 ? line[(i - 1) * step] : T{1};
            const T pivot = batch.diagonal[at] - batch.lower[at] * last_ratio;
            ratio[i] = batch.upper[at] / pivot;
            line[i * step] = (line[i * step] - batch.lower[at] * last) / pivot;
            if (is_interleaved) batch.upper[at] = std::numeric_limits<T>::quiet_NaN();
        }
        T next = 1;
        for (std::size_t i = batch.order; i-- > 0;)
            next = line[i * step] -= ratio[i] * next;
    }
}

template <class T, bool is_interleaved>
pyramid::BatchSolver<T> batch_solver() {
    return {is_interleaved, [](std::size_t, std::size_t) { return std::string(); },
            [](const pyramid::Batch<T>& batch, const T*) { return batch.order * sizeof(T); },
            solve_batch<T, is_interleaved>};
}

template <class T>
void expect_steps_by(const pyramid::BatchSolver<T>& solver) {
    static const auto device = launch::host_device();
    using pyramid::Box;
    for (const Box& box : {Box{37, 29, 23, 1}, Box{5, 7, 61, 0.3}, Box{70, 3, 3, 2.5}, Box{33, 33, 33, 1},
                           Box{45, 71, 1, 0.7, 2}, Box{64, 3, 1, 9, 2}}) {
        std::vector<T> u(box.size());
        pyramid::start_box<T>(box, 5, u);
        const auto expected = pyramid::reference_box(box, std::vector<double>(u.begin(), u.end()), 3);
        const auto stepper = pyramid::library_box_stepper<T>(*device, box, solver);
        stepper->start(u, u);
        stepper->steps(2);
        stepper->steps(1);
        stepper->read(u);
        double error = 0;
        for (std::size_t i = 0; i < u.size(); ++i)
            error = std::max(error, std::isfinite(u[i]) ? std::abs(u[i] - expected[i]) : HUGE_VAL);
        EXPECT_LE(error, pyramid::box_solver_bound<T>(box, 3))
            << box.nx << " x " << box.ny << " x " << box.nz;
    }
}

TEST(PyramidBox, StepsByALibrarysBatches) {
    expect_steps_by(batch_solver<float, true>());
    expect_steps_by(batch_solver<double, true>());
    expect_steps_by(batch_solver<float, false>());
    expect_steps_by(batch_solver<double, false>());
}

TEST(PyramidBox, OfCusparseSaysWhyItCannotRunOnTheHost) {
    static const auto device = launch::host_device();
    for (const auto library : {pyramid::Library::interleaved, pyramid::Library::strided})
        try {
            pyramid::library_box_stepper<float>(*device, {5, 5, 5, 1}, library);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const launch::Unavailable& why) {
            EXPECT_NE(std::string(why.what()).find("cuSPARSE is a library for GPUs"), std::string::npos);
        }
}

// The check of all versions of a box: exact where it passes, and blind nowhere.
TEST(PyramidBox, IsComparedWholeWithProductsOfLines) {
    const pyramid::Box box{13, 11, 17, 1};
    std::vector<double> u(box.size());
    pyramid::start_box<double>(box, 3, u);
    auto after = pyramid::reference_box(box, u, 2);
    EXPECT_LE(pyramid::compare_box<double>(box, 3, after, 2, 0).error, 1e-14);
    EXPECT_GT(pyramid::compare_box<double>(box, 3, u, 2, 0).error, 0.1);
    for (const std::size_t place : {std::size_t{0}, box.size() / 2, box.size() - 1})
        for (const double wrong : {after[place] + 1e-6, std::nan("")}) {
            auto field = after;
            field[place] = wrong;
            EXPECT_FALSE(pyramid::compare_box<double>(box, 3, field, 2, 1e-7).passed()) << place;
        }
}

}  // namespace
}  // namespace gridmark::studies_tests::pyramid_study

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "experiments/pyramid/box.hpp"
#include "experiments/pyramid/case.hpp"
#include "experiments/pyramid/request.hpp"
#include "harness/availability.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/usage_error.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::pyramid {
namespace {

using harness::Settings;
using harness::Solution;
using harness::SolveRequest;
using harness::UsageError;

/// A box and its start.
template <class T>
struct BoxRequest {
    Box box;
    std::vector<T> start;
    nlohmann::json parameters;
};

template <class T>
BoxRequest<T> read_box(const SolveRequest& request, const Settings& settings) {
    BoxRequest<T> r;
    const double s = heat_s(settings, r.parameters);
    if (request.input) {
        settings.refuse({"nx", "ny", "nz", "start", "seed"}, "--input");
        auto fields = harness::read_input<T>(*request.input, {{"u0", 3}});
        const auto& n = fields[0].sizes;
        r.box = box_of(n[2], n[1], n[0], s, static_cast<int>(settings.integer("dimensions", 3, 2, 3)));
        r.start = std::move(fields[0].values);
        r.parameters.update({{"start", "input"}, {"input", request.input->filename().string()}});
        return r;
    }
    constexpr std::int64_t longest = 1 << 20;
    const auto side = [&](const char* key, std::int64_t otherwise) {
        return static_cast<std::size_t>(settings.integer(key, otherwise, 1, longest));
    };
    const int dimensions = static_cast<int>(settings.integer("dimensions", 3, 2, 3));
    r.box = box_of(side("nx", 64), side("ny", 64), side("nz", dimensions == 2 ? 1 : 64), s, dimensions);
    const double values =
        static_cast<double>(r.box.nx) * static_cast<double>(r.box.ny) * static_cast<double>(r.box.nz);
    harness::require_memory(
        fmt::format("--set nx, ny, nz: {} x {} x {} values", r.box.nx, r.box.ny, r.box.nz),
        4 * values * sizeof(T));
    const std::string start = settings.word("start", "random", {"random", "sine"});
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    const auto sine = [](std::size_t i, std::size_t n) {
        return std::sin(std::numbers::pi * static_cast<double>(i + 1) / static_cast<double>(n + 1));
    };
    r.start.resize(r.box.size());
    std::size_t i = 0;
    for (std::size_t z = 0; z < r.box.nz; ++z)
        for (std::size_t y = 0; y < r.box.ny; ++y)
            for (std::size_t x = 0; x < r.box.nx; ++x, ++i)
                r.start[i] = start == "random" ? start_value<T>(seed, i)
                                               : static_cast<T>(sine(x, r.box.nx) * sine(y, r.box.ny) *
                                                                (dimensions == 3 ? sine(z, r.box.nz) : 1));
    r.parameters.update({{"start", start}, {"seed", seed}});
    return r;
}

/// A stepper for what was asked; adds what it chose to the parameters.
template <class T>
std::unique_ptr<BoxStepper<T>> stepper_for(const SolveRequest& request, launch::Device& device,
                                           const Settings& settings, int steps, BoxRequest<T>& r) {
    const BoxVersion& version = *find_box_version(request.variant);
    if (!version.on_gpu) return cpu_box_stepper<T>(r.box, request.threads);
    if (version.library != Library::none) return library_box_stepper<T>(device, r.box, version.library);
    if (!version.streamed) return gpu_box_stepper<T>(device, r.box);
    const int height =
        std::max(1, std::min(steps, static_cast<int>(settings.integer("height", 10, 1, 1'000'000))));
    const double rounding = box_rounding_bound<T>(r.box, steps),
                 tolerance = settings.number("tolerance", std::max(1e-6, 4 * rounding));
    require_tolerance<T>(tolerance, rounding, steps);
    const auto values =
        harness::device_values_of(settings, sizeof(T), static_cast<std::int64_t>((r.box.size() + 1) / 2));
    const int passes = std::max(1, (steps + height - 1) / height);
    const AxisSolve<T> sweep =
        axis_solve_of<T>(r.box.s, sweep_share<T>(r.box, height, (tolerance - rounding) / passes));
    const Skew skew = skew_for(r.box, height, static_cast<std::size_t>(sweep.reach), values);
    r.parameters.update({{"height", height},
                         {"tolerance", tolerance},
                         {"reach", sweep.reach},
                         {"device_values", values},
                         {"slab_depth", skew.depth},
                         {"pieces", skew.is_whole ? 1 : (r.box.nz + skew.depth - 1) / skew.depth}});
    return skewed_box_stepper<T>(device, r.box, sweep, skew, request.threads);
}

template <class T>
Solution solve_box_in(const SolveRequest& request, const Settings& settings) {
    BoxRequest<T> r = read_box<T>(request, settings);
    const int steps = static_cast<int>(settings.integer("steps", 64, 0, 1'000'000'000));
    const double boundary = settings.number("C", 0);
    const auto host = launch::host_device();
    const auto stepper =
        stepper_for<T>(request, request.device == nullptr ? *host : *request.device, settings, steps, r);
    auto u = r.start;
    if (boundary != 0)
        for (T& value : u)
            value = static_cast<T>(value - boundary);
    stepper->start(u, u);
    stepper->steps(steps);
    stepper->read(u);
    if (boundary != 0)
        for (T& value : u)
            value = static_cast<T>(value + boundary);
    Solution solution;
    solution.parameters = r.parameters;
    solution.parameters.update({{"nx", r.box.nx},
                                {"ny", r.box.ny},
                                {"nz", r.box.nz},
                                {"dimensions", r.box.dimensions},
                                {"s", r.box.s},
                                {"C", boundary},
                                {"steps", steps},
                                {"precision", harness::precision_name<T>},
                                {"variant", request.variant},
                                {"bytes_up", stepper->moved().up},
                                {"bytes_down", stepper->moved().down}});
    const std::vector<std::size_t> shape{r.box.nz, r.box.ny, r.box.nx};
    solution.fields = {{"u", shape, std::move(u)}, {"u0", shape, std::move(r.start)}};
    return solution;
}

}  // namespace

std::set<std::string> box_solve_keys() {
    return {"nx",    "ny",     "nz",        "dimensions",    "s",          "alpha",     "h_t",  "h_x",  "C",
            "steps", "height", "tolerance", "device_values", "budget_mib", "precision", "seed", "start"};
}

Solution solve_box(const SolveRequest& request, const Settings& settings) {
    return harness::in_precision(
        settings, [&](auto zero) { return solve_box_in<decltype(zero)>(request, settings); }, "double");
}

}  // namespace gridmark::pyramid

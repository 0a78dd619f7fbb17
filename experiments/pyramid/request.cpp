#include "experiments/pyramid/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/pyramid/case.hpp"
#include "experiments/pyramid/medium_points.hpp"
#include "harness/availability.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/usage_error.hpp"
#include "kernels/precision.hpp"
#include "kernels/pyramid/problem.hpp"

namespace gridmark::pyramid {
namespace {

using harness::Settings;
using harness::UsageError;

/// The start, the answer, two fields in pinned memory and what is written, of n values each; of a medium
/// three diagonals, in pinned memory as well.
constexpr double host_arrays = 6, medium_arrays = 6;

/// A matrix of its own, instead of s.
const std::set<std::string> heat_keys{"alpha", "h_t", "h_x"}, pair_keys{"a", "b"};

bool has_any(const Settings& settings, const std::set<std::string>& keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return settings.has(key); });
}

/// s itself, alpha^2 h_t / h_x^2, or that of a pair.
template <class T>
void read_rod(Request<T>& r, const Settings& settings) {
    if (has_any(settings, pair_keys)) {
        settings.refuse({"s", "alpha", "h_t", "h_x", "C"}, "a and b");
        if (!settings.has("a") || !settings.has("b")) throw UsageError("--set a, b: one needs the other");
        const Pair pair = pair_of(settings.number("a", 0), settings.number("b", 0));
        r.s = rod(r.n, pair.s).s;
        r.alternating = pair.alternating;
        r.factor = pair.factor;
        r.parameters["a"] = settings.number("a", 0);
        r.parameters["b"] = settings.number("b", 0);
    } else {
        r.s = rod(r.n, heat_s(settings, r.parameters)).s;
    }
    r.boundary = settings.number("C", 0);
    r.parameters.update({{"s", r.s}, {"C", r.boundary}});
}

/// `/u0`, and `/lower`, `/diagonal` and `/upper`, which only make sense together.
template <class T>
void read_file(Request<T>& r, const std::filesystem::path& path, const Settings& settings) {
    settings.refuse({"n", "start", "seed", "medium"}, "--input");
    auto fields = harness::read_input<T>(
        path, {{"u0", 1, true}, {"lower", 1, true}, {"diagonal", 1, true}, {"upper", 1, true}});
    const auto given = std::count_if(fields.begin() + 1, fields.end(),
                                     [](const auto& field) { return !field.values.empty(); });
    if (fields[0].values.empty()) throw UsageError(path.string() + ": /u0 is missing: the start, [n] values");
    if (given != 0 && given != 3)
        throw UsageError(path.string() + ": /lower, /diagonal and /upper only make sense together");
    r.n = fields[0].values.size();
    for (const auto& field : fields)
        if (!field.values.empty() && field.values.size() != r.n)
            throw UsageError(fmt::format("{}: /{} has {} values, /u0 has {}", path.string(), field.name,
                                         field.values.size(), r.n));
    r.start = std::move(fields[0].values);
    r.lower = std::move(fields[1].values);
    r.diagonal = std::move(fields[2].values);
    r.upper = std::move(fields[3].values);
    r.parameters.update({{"start", "input"}, {"input", path.filename().string()}});
    if (!r.is_medium()) return;
    settings.refuse({"s", "alpha", "h_t", "h_x", "a", "b", "C"}, "/diagonal in --input");
    // Beyond the ends there is nothing.
    r.lower.front() = r.upper.back() = 0;
    if (const std::string why = not_dominant(Medium<T>{r.lower, r.diagonal, r.upper}); !why.empty())
        throw UsageError(path.string() + ": " + why);
}

/// One of the media that rows are measured with.
template <class T>
void make_medium(Request<T>& r, const Settings& settings) {
    settings.refuse({"start", "s", "alpha", "h_t", "h_x", "a", "b", "C"}, "medium");
    const std::string kind = settings.word("medium", "", {std::begin(media), std::end(media)});
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    MediumCase<T> made(kind, r.n, seed);
    r.start = std::move(made.start);
    r.lower = std::move(made.lower);
    r.diagonal = std::move(made.diagonal);
    r.upper = std::move(made.upper);
    r.lower.front() = r.upper.back() = 0;
    r.parameters.update({{"medium", kind}, {"seed", seed}});
}

template <class T>
void make_start(Request<T>& r, const Settings& settings) {
    const std::string start = settings.word("start", "random", {"random", "sine"});
    const auto seed = static_cast<std::uint64_t>(settings.integer("seed", 1, 0, 1LL << 53));
    r.start.resize(r.n);
    for (std::size_t i = 0; i < r.n; ++i)
        r.start[i] = start == "random"
                         ? start_value<T>(seed, i)
                         : static_cast<T>(std::sin(std::numbers::pi * static_cast<double>(i + 1) /
                                                   static_cast<double>(r.n + 1)));
    r.parameters.update({{"start", start}, {"seed", seed}});
}

/// Steps, and how many of them a pass makes: at least 1, also where there is nothing to do.
template <class T>
void read_height(Request<T>& r, const Settings& settings) {
    constexpr int usual_steps = 64, usual_height = 16;
    r.auto_height = settings.text("height", "") == "auto";
    const int height =
        r.auto_height ? 1 : static_cast<int>(settings.integer("height", usual_height, 1, 1'000'000));
    r.steps = static_cast<int>(settings.integer("steps", std::max(usual_steps, height), 0, 1'000'000'000));
    if (settings.has("height") && height > std::max(1, r.steps))
        throw UsageError(
            fmt::format("--set height={}: more than the {} steps that there are", height, r.steps));
    if (r.auto_height) settings.refuse({"padding"}, "height=auto, which chooses it");
    r.height = std::max(1, std::min(height, r.steps));
}

}  // namespace

double heat_s(const Settings& settings, nlohmann::json& parameters) {
    if (!has_any(settings, heat_keys)) return settings.number("s", 1);
    settings.refuse({"s"}, "alpha, h_t and h_x");
    for (const auto& key : heat_keys)
        if (!(settings.number(key, 1) > 0)) throw UsageError("--set " + key + ": must lie above 0");
    const double alpha = settings.number("alpha", 1), h_t = settings.number("h_t", 1),
                 h_x = settings.number("h_x", 1);
    parameters.update({{"alpha", alpha}, {"h_t", h_t}, {"h_x", h_x}});
    return alpha * alpha * h_t / (h_x * h_x);
}

template <class T>
void require_tolerance(double tolerance, double rounding, int steps) {
    if (!(tolerance > 2 * rounding && tolerance <= 1))
        throw UsageError(
            fmt::format("--set tolerance: {:g} must lie above {:.2g}, twice what rounding to {} "
                        "can do in {} steps, and at most at 1",
                        tolerance, 2 * rounding, harness::precision_name<T>, steps));
}

template <class T>
std::vector<T> Request<T>::to_rod() const {
    std::vector<T> u = start;
    for (std::size_t i = 0; i < n; ++i) {
        u[i] = static_cast<T>(u[i] - boundary);
        if (alternating && i % 2 == 1) u[i] = -u[i];
    }
    return u;
}

template <class T>
void Request<T>::from_rod(std::vector<T>& u) const {
    if (!alternating && factor == 1 && boundary == 0) return;
    const double all = std::pow(factor, steps);
    if (!std::isfinite(all))
        throw UsageError(fmt::format("--set steps: {} steps with a factor of {:g} grow beyond all numbers",
                                     steps, factor));
    for (std::size_t i = 0; i < n; ++i)
        u[i] = static_cast<T>((alternating && i % 2 == 1 ? -all : all) * u[i] + boundary);
}

std::set<std::string> rod_keys() {
    return {"n",         "medium",     "steps",     "s",    "height", "padding", "device_values",
            "tolerance", "budget_mib", "precision", "seed", "start",  "alpha",   "h_t",
            "h_x",       "a",          "b",         "C"};
}

template <class T>
Request<T> read_request(const harness::SolveRequest& request, const Settings& settings) {
    Request<T> r;
    if (request.input) {
        read_file(r, *request.input, settings);
    } else {
        r.n = static_cast<std::size_t>(settings.integer("n", 20000, 1, 1LL << 40));
        harness::require_memory(fmt::format("--set n: {} values", r.n),
                                (host_arrays + (settings.has("medium") ? medium_arrays : 0)) *
                                    static_cast<double>(r.n) * sizeof(T));
        settings.has("medium") ? make_medium(r, settings) : make_start(r, settings);
    }
    if (!r.is_medium()) read_rod(r, settings);
    read_height(r, settings);
    r.device_values = harness::device_values_of(settings, sizeof(T), 8192);
    r.tolerance = settings.number("tolerance", 1e-6);
    r.padding = settings.integer("padding", -1, 0, 1LL << 40);
    r.parameters.update({{"n", r.n},
                         {"steps", r.steps},
                         {"height", r.height},
                         {"device_values", r.device_values},
                         {"tolerance", r.tolerance},
                         {"precision", harness::precision_name<T>},
                         {"variant", request.variant}});
    return r;
}

#define GRIDMARK_INSTANTIATE(T)                              \
    template struct Request<T>;                              \
    template void require_tolerance<T>(double, double, int); \
    template Request<T> read_request(const harness::SolveRequest&, const harness::Settings&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid

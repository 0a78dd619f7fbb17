#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/availability.hpp"
#include "harness/experiment.hpp"

/// What the points of several studies are made of: sides of a grid, clocks, CPU threads,
/// parts of a step.
namespace gridmark::harness {

/// Points along x, y and z; of a cube one number.
struct GridSize {
    int nx, ny, nz;

    constexpr GridSize(int nx, int ny, int nz) : nx(nx), ny(ny), nz(nz) {}
    constexpr GridSize(int side) : GridSize(side, side, side) {}
    constexpr double points() const { return static_cast<double>(nx) * ny * nz; }
    constexpr bool operator==(const GridSize&) const = default;
    std::string text() const { return fmt::format("{}x{}x{}", nx, ny, nz); }
    Parameters parameters() const { return {{"nx", nx}, {"ny", ny}, {"nz", nz}}; }
};

/// From the axes `n`, of a cube, or `nx`, `ny` and `nz`; `side` where none is set. Throws UsageError for both
/// at once and for a side that does not lie between 1 and `longest`.
GridSize grid_size_of(const Settings& settings, int side, int longest);

/// What all variants of a study declare at a size: what a step moves and computes, and the name
/// "study/variant/size/precision".
template <class T>
Point field_point(std::string_view study, const std::string& variant, const std::string& size,
                  Parameters parameters, double bytes, double flops) {
    Point point;
    point.name = fmt::format("{}/{}/{}/{}", study, variant, size, precision_name<T>);
    point.variant = variant;
    point.parameters = std::move(parameters);
    point.parameters["precision"] = precision_name<T>;
    point.bytes = bytes;
    point.flops = flops;
    point.working_set = bytes;
    point.counted_as = counted_as(study, variant, precision_name<T>);
    return point;
}

/// Kernel time, and time per step by either kind of launch.
inline const std::vector<Series> all_clocks{{Series::Clock::kernel},
                                            {Series::Clock::step, Series::Launch::stream},
                                            {Series::Clock::step, Series::Launch::graph}};

/// MiB of device memory for a grid that lies in host memory: the axis `budget_mib`, else `run
/// --device-memory`, else `otherwise`. Throws UsageError.
double axis_budget(const PlanContext& context, const Settings& settings, double otherwise);

/// Of a step through the device all, or its transfers or its kernels by themselves.
enum class Part { whole, transfers, kernels };
/// The axis `part`.
Part part_of(const Settings& settings);
/// Leaves that part of what a point declares, and says so in its name and its parameters.
void keep_part(Point& point, Part part);

/// The CPU threads of a point.
struct Team {
    std::string name;  ///< "one", "all", "some", or a study's own word
    int threads;
};

/// So many threads, of all that may be used.
Team team_of(const PlanContext& context, int threads);
/// As many as the axis `threads` says: a number, "one", or "all" that may be used, as where it says nothing.
Team team_of(const PlanContext& context, const Settings& settings);

/// Why so many threads cannot run here; empty if they can.
std::string too_many_threads(const PlanContext& context, int threads);

/// Puts a team into the point's name, "one_thread", "all_threads", "6_threads" of some, and its parameters.
/// More threads than may be used here are a reason why the point cannot run.
void add_team(Point& point, const PlanContext& context, const Team& team);

}  // namespace gridmark::harness

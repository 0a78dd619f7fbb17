#include "harness/run/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>

#include "harness/model/transfers.hpp"

namespace gridmark::harness {
namespace {

/// What of a launch's bytes no cache of that size can have kept from the launch before, as if it asked for
/// every byte of its working set equally often.
double beyond_cache(double bytes, double working_set, double cache_bytes) {
    return working_set > cache_bytes ? bytes * (1 - cache_bytes / working_set) : 0;
}

/// With cold caches all that is read comes from memory, but what is written may stay: at most half, for a
/// step reads no less than it writes.
double cold_bytes(double bytes, double cache_bytes) {
    return bytes - std::min(bytes / 2, cache_bytes);
}

void bound_on_cpu(Terms& terms, const Point& point, const MachineLimits& machine,
                  const std::string& precision) {
    const std::string team =
        value_of<std::int64_t>(point.parameters, "threads", 1) == 1 ? "_one_thread" : "_all_threads";
    terms.at_rate("cpu_fma_peak_" + precision + team, point.flops / point.ranks);
    terms.at_rate("cpu_triad" + team, beyond_cache(point.bytes / point.ranks, point.working_set / point.ranks,
                                                   machine.cpu_l3_bytes));
}

void bound_on_gpu(Terms& terms, const Point& point, const Series& series, const MachineLimits& machine,
                  const std::string& precision) {
    const double bytes = point.bytes / point.ranks, working_set = point.working_set / point.ranks;
    terms.at_rate("gpu_fma_peak_" + precision, point.flops / point.ranks);
    terms.at_rate(machine.best_of(l2_mixes), bytes);
    terms.at_rate(machine.best_of(memory_mixes), series.cold
                                                     ? cold_bytes(bytes, machine.l2_bytes / point.steps)
                                                     : beyond_cache(bytes, working_set, machine.l2_bytes));
    if (series.clock != Series::Clock::step) return;
    if (series.launch == Series::Launch::graph)
        terms.times_us("gpu_graph_node", static_cast<double>(point.launches) / point.steps);
    const double up = point.transfers.uploaded, down = point.transfers.downloaded;
    terms.at_rate("link_up_pinned", up);
    terms.at_rate("link_down_pinned", down);
    if (up > 0 && down > 0) terms.at_rate("link_both_pinned", up + down);
}

}  // namespace

std::optional<Limit> limit_of(const Point& point, const Series& series, const MachineLimits& machine) {
    const std::string precision = value_of<std::string>(point.parameters, "precision", "float");
    Terms terms(machine);
    terms.at_rate("rank_bandwidth", point.transfers.exchange.bytes);
    if (series.clock == Series::Clock::wall)
        bound_on_cpu(terms, point, machine, precision);
    else
        bound_on_gpu(terms, point, series, machine, precision);
    const Term longest = terms.largest();
    if (longest.ceiling.empty()) return std::nullopt;
    return Limit{longest.ceiling, longest.microseconds, "us"};
}

std::optional<Limit> stepwise_limit(const Point& point, const Series& series, const MachineLimits& machine) {
    if (point.stepwise_bytes == 0) return std::nullopt;
    Point stepwise = point;
    stepwise.bytes = point.stepwise_bytes;
    stepwise.steps = 1;
    return limit_of(stepwise, series, machine);
}

std::optional<Binding> binding_of(const Point& point, const Series& series, const MachineLimits& machine,
                                  std::optional<int> resident) {
    const auto prediction = predict(point, series, machine, resident);
    if (!prediction || !prediction->missing.empty()) return std::nullopt;
    return Binding{prediction->binding().ceiling, prediction->binding().microseconds, prediction->time, "us"};
}

std::optional<double> host_time(const Point& point, const Series& series, const MachineLimits& machine) {
    if (series.clock != Series::Clock::step || series.launch == Series::Launch::own) return std::nullopt;
    HostWork work = host_work(point.transfers, machine, true);
    if (series.launch == Series::Launch::stream) {
        const auto kernels = kernels_of(point, machine).value_or(std::vector<launch::Demand>{});
        const double launches =
            std::accumulate(kernels.begin(), kernels.end(), 0.0,
                            [](double sum, const launch::Demand& kernel) { return sum + kernel.times; });
        work.host.times_us("gpu_launch", (kernels.empty() ? point.launches : launches) / point.steps);
    }
    if (work.total() == 0) return std::nullopt;
    return std::strtod(fmt::format("{:.4g}", work.total()).c_str(), nullptr);
}

void set_limits(Row& row, const Point& point, const Series& series, const MachineLimits& machine) {
    std::optional<int> resident;
    if (row.kernel) resident = row.kernel->blocks_per_multiprocessor;
    row.limit = limit_of(point, series, machine);
    row.beaten_limit.reset();
    row.stepwise_limit = stepwise_limit(point, series, machine);
    row.by_host = host_time(point, series, machine);
    row.binding.reset();
    if (row.made_by.empty()) row.binding = binding_of(point, series, machine, resident);
}

}  // namespace gridmark::harness

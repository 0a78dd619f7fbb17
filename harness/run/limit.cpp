#include "harness/run/limit.hpp"

#include <string>

#include "harness/model/predict.hpp"

namespace gridmark::harness {
std::optional<Limit> tightest_limit(const Point& point, const Series& series, const MachineLimits& machine,
                                    std::optional<int> resident) {
    if (point.demands && series.launch != Series::Launch::own)
        if (const auto prediction = predict(point, series, machine, resident))
            return Limit{prediction->binding().ceiling, prediction->binding().microseconds, "us", 0};
    std::optional<Limit> limit;
    double longest = 0;
    const auto consider = [&](const std::string& name, double microseconds) {
        if (microseconds <= longest) return;
        longest = microseconds;
        limit = Limit{name, microseconds, "us", 0};
    };
    // GB/s and GFLOP/s alike: 1e9 a second are 1e3 a microsecond.
    const auto consider_rate = [&](const std::string& name, double amount) {
        if (const auto rate = machine.ceiling(name)) consider(name, amount / (*rate * 1e3));
    };
    // What travels between ranks bounds a step from below as what each of them moves does.
    if (const auto latency = machine.ceiling("rank_latency"))
        consider("rank_latency", *latency * point.rank_messages);
    consider_rate("rank_bandwidth", point.rank_bytes);
    const double bytes = point.bytes / point.ranks, flops = point.flops / point.ranks,
                 working_set = point.working_set / point.ranks;
    const std::string precision = value_of<std::string>(point.parameters, "precision", "float");
    if (series.clock == Series::Clock::wall) {
        const std::string team =
            value_of<std::int64_t>(point.parameters, "threads", 1) == 1 ? "_one_thread" : "_all_threads";
        consider_rate("cpu_fma_peak_" + precision + team, flops);
        if (working_set > machine.cpu_l3_bytes) consider_rate("cpu_triad" + team, bytes);
        return limit;
    }
    const bool in_l2 = working_set <= machine.l2_bytes && !series.cold;
    consider_rate("gpu_fma_peak_" + precision, flops);
    // A limit must hold for any mix of reads and writes, so the faster of copy and triad counts.
    const bool triad = machine.ceiling("gpu_triad_bandwidth") > machine.ceiling("gpu_copy_bandwidth");
    consider_rate(in_l2 ? "gpu_l2_bandwidth" : triad ? "gpu_triad_bandwidth" : "gpu_copy_bandwidth", bytes);
    if (series.clock == Series::Clock::step) {
        const std::string name = series.launch == Series::Launch::graph ? "gpu_graph_node" : "gpu_launch";
        // How another program launches, and how often, is its own affair.
        if (const auto overhead = machine.ceiling(name); overhead && series.launch != Series::Launch::own)
            consider(name, *overhead * point.launches / point.steps);
        consider_rate("link_up_pinned", point.uploaded);
        consider_rate("link_down_pinned", point.downloaded);
        if (point.uploaded > 0 && point.downloaded > 0)
            consider_rate("link_both_pinned", point.uploaded + point.downloaded);
    }
    return limit;
}

std::optional<Limit> stepwise_limit(const Point& point, const Series& series, const MachineLimits& machine) {
    if (point.stepwise_bytes == 0) return std::nullopt;
    Point stepwise = point;
    stepwise.bytes = point.stepwise_bytes;
    stepwise.steps = 1;
    stepwise.demands = {};
    return tightest_limit(stepwise, series, machine);
}

}  // namespace gridmark::harness

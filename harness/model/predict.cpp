#include "harness/model/predict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "harness/model/counts.hpp"
#include "harness/model/transfers.hpp"

namespace gridmark::harness {
namespace {

using launch::Chain;
using launch::Demand;

std::string memory_ceiling(const MachineLimits& machine, bool by_tiles) {
    if (by_tiles && machine.ceiling("gpu_tiles_bandwidth")) return "gpu_tiles_bandwidth";
    const std::string best = machine.best_of(memory_mixes);
    return machine.ceiling(best) ? best : "gpu_memory_peak";
}

/// The barrier's ceiling for the least of the measured sizes that holds the block.
std::string barrier_ceiling(double threads) {
    for (const int size : {32, 128, 256, 512})
        if (threads <= size) return "gpu_block_barrier_" + std::to_string(size);
    return "gpu_block_barrier_1024";
}

double resident_blocks(const Demand& demand, const MachineLimits& machine, std::optional<int> known) {
    if (known && *known > 0) return *known;
    double blocks = std::min<double>(machine.blocks, machine.threads / std::max(demand.block_threads, 1.0));
    if (demand.shared_bytes > 0 && machine.shared_bytes > 0)
        blocks = std::min(blocks, machine.shared_bytes / demand.shared_bytes);
    return std::max(1.0, static_cast<double>(static_cast<int>(blocks)));
}

constexpr double schedulers = schedulers_of_a_multiprocessor;

/// Jobs a microsecond of a closed queueing network in which so many are under way: the next starts when one
/// ends. A job thinks, which no other delays, and is served by the stations in turn, each of which serves one
/// at a time. It finds the queues that there would be on average without it. Source: mean value analysis (M.
/// Reiser and S. S. Lavenberg, Journal of the ACM 27 (2), 1980), one class, fixed rates.
double throughput_of_jobs(double at_once, double thinking, std::array<double, 3> service) {
    std::array<double, 3> queue = {};
    double throughput = 0;
    for (double jobs = 1; jobs <= at_once; ++jobs) {
        std::array<double, 3> response = {};
        double cycle = thinking;
        for (std::size_t i = 0; i < service.size(); ++i)
            cycle += response[i] = service[i] * (1 + queue[i]);
        throughput = jobs / cycle;
        for (std::size_t i = 0; i < service.size(); ++i)
            queue[i] = throughput * response[i];
    }
    return throughput;
}

/// Microseconds of `count` jobs, of which the last few are alone with each other.
double time_of_jobs(double count, double at_once, double thinking, std::array<double, 3> service) {
    if (thinking + service[0] + service[1] + service[2] <= 0) return 0;
    const double rounds = std::floor(count / at_once), rest = count - rounds * at_once;
    double time = rounds * at_once / throughput_of_jobs(at_once, thinking, service);
    if (rest > 0) time += rest / throughput_of_jobs(rest, thinking, service);
    return time;
}

/// What the chain of one block takes, by ceiling: where it waits for others or for what is far, and where it
/// computes.
struct ChainTerms {
    Terms waiting, computing;
};

ChainTerms chain_of(const MachineLimits& machine, const Demand& demand, const std::string& precision,
                    double flops, bool in_l2) {
    const Chain& chain = demand.chain;
    Terms waiting(machine), computing(machine);
    waiting.times_ns(in_l2 ? "gpu_l2_latency" : "gpu_memory_latency", chain.loads);
    waiting.times_ns("gpu_constant_latency", chain.constants);
    waiting.times_ns(barrier_ceiling(demand.block_threads), chain.barriers);
    waiting.times_ns("gpu_message_latency", chain.messages);
    waiting.times_us("gpu_grid_sync", chain.grid_barriers);
    computing.times_ns("gpu_shared_latency", chain.shared);
    computing.times_ns("gpu_fma_latency_" + precision, chain.arithmetic);
    computing.times_ns("gpu_fma_latency_float", chain.logic);
    computing.times_ns("gpu_division_latency", chain.divisions);
    computing.times_ns("gpu_shuffle_latency", chain.shuffles);
    // A scheduler's share of what all issue or compute, or what a warp issues alone: whichever takes longest.
    const double chips = std::max(1, machine.multiprocessors);
    Terms issued(machine), computed(machine), alone(machine);
    issued.at_rate("gpu_issue_arithmetic", chain.issued * schedulers * chips);
    if (chain.issued > 0)
        computed.at_rate("gpu_fma_peak_" + precision,
                         flops / demand.blocks * chips * std::max(1.0, 128 / demand.block_threads));
    alone.times_ns("gpu_warp_issue", chain.issued / std::max(1.0, std::ceil(demand.block_threads / 128)));
    computing.add_all(std::max({issued, computed, alone},
                               [](const Terms& a, const Terms& b) { return a.total() < b.total(); }));
    return {waiting, computing};
}

/// Microseconds of a step by one clock, put together kernel by kernel.
class Sum {
  public:
    explicit Sum(const MachineLimits& machine) : machine_(machine), rates_(machine), chain_(machine) {}

    void add(const Demand& demand, const Point& point, bool in_l2, bool cold, std::optional<int> resident) {
        const std::string precision = value_of<std::string>(point.parameters, "precision", "float");
        // The stations are the multiprocessor, the L2 and the memory.
        Terms inside(machine_), l2(machine_), memory(machine_), starts(machine_), once(machine_);
        const double
            moved = demand.memory_bytes > 0 ? demand.memory_bytes : point.bytes * point.steps,
            flops = demand.flops > 0 ? demand.flops : point.flops * point.steps,
            // The flush wrote all of the L2. What takes a line's place waits until it is written back.
            written_back = cold ? std::min(moved, machine_.l2_bytes) : 0;
        if (!in_l2) memory.at_rate(memory_ceiling(machine_, demand.by_tiles), moved + written_back);
        l2.at_rate("gpu_l2_bandwidth", in_l2 && demand.l2_bytes == 0 ? moved : demand.l2_bytes);
        // The multiprocessor with the most blocks is done last, and each of its schedulers needs a warp.
        const double chips = std::max(1, machine_.multiprocessors),
                     most_blocks = std::ceil(demand.blocks / chips),
                     warps = std::ceil(demand.block_threads / 32),
                     uneven = most_blocks * chips / demand.blocks,
                     idle = std::max(1.0, schedulers / (most_blocks * warps));
        inside.at_rate("gpu_l1_bandwidth", demand.l1_bytes * uneven);
        inside.at_rate("gpu_issue_arithmetic", demand.instructions * uneven * idle);
        inside.at_rate("gpu_fma_peak_" + precision, flops * uneven * idle);
        starts.times_ns("gpu_block_start", demand.blocks);
        auto [waiting, computing] = chain_of(machine_, demand, precision, flops, in_l2);
        const bool is_chained = !waiting.all().empty() || !computing.all().empty();
        // Blocks that do not run at once wait for others to end.
        const double together = std::min(resident_blocks(demand, machine_, resident), most_blocks),
                     rounds = most_blocks / together, jobs_of_a_block = demand.loads_ahead ? warps : 1;
        // Once a launch: blocks start one after the other, and the last store arrives. Code comes while it
        // computes, so only what it takes longer counts; but where caches are cold it starts from the memory.
        Terms code(machine_);
        code.times_ns("gpu_code_fetch", demand.code_bytes / 128);
        if (code.total() > computing.total()) once.add("gpu_code_fetch", code.total() - computing.total());
        if (is_chained) once.times_ns("gpu_block_start", std::min(demand.blocks, chips * together));
        if (is_chained) once.times_ns("gpu_l2_latency", 1);
        if (cold) once.times_ns("gpu_memory_latency", 1);
        const double jobs = most_blocks * jobs_of_a_block, issuing = inside.largest().microseconds / jobs;
        const std::array<double, 3> service = {issuing, l2.largest().microseconds / jobs,
                                               memory.largest().microseconds / jobs};
        // While warps of a block wait for what they compute, its other warps issue.
        const double thinking =
            waiting.total() + std::max(0.0, computing.total() - (demand.loads_ahead ? 0 : issuing));
        work_ += demand.times *
                 std::max(starts.total(),
                          once.total() + time_of_jobs(jobs, together * jobs_of_a_block, thinking, service));
        launches_ += demand.times;
        for (const Terms* terms : {&inside, &l2, &memory, &starts})
            rates_.add_all(*terms, demand.times);
        for (const Terms* terms : {&waiting, &computing})
            chain_.add_all(*terms, demand.times * rounds);
        chain_.add_all(once, demand.times);
        chain_.add_all(code, 0);
    }

    /// Adds what the clock sees beside the kernels' work, and gives a step's share of all.
    Prediction by(const Series& series, const Point& point) {
        Terms other(machine_), launching(machine_);
        if (series.clock == Series::Clock::kernel)
            other.times_us("gpu_empty_kernel", launches_);
        else
            other.times_us("gpu_graph_node", launches_);
        // A launch takes its time beside the kernel before it; starting a kernel does not.
        if (series.launch == Series::Launch::stream) launching.times_us("gpu_launch", launches_);
        rates_.add_all(other);
        rates_.add_all(launching);
        Prediction prediction{std::max(work_ + other.total(), launching.total()) / point.steps};
        prediction.add(rates_, 1.0 / point.steps);
        if (chain_.total() > 0)
            prediction.terms.push_back({chain_.largest().ceiling, chain_.total() / point.steps, true});
        prediction.add(chain_, 0);
        return prediction;
    }

  private:
    const MachineLimits& machine_;
    double work_ = 0, launches_ = 0;
    Terms rates_, chain_;
};

/// The cache, or else the memory, that holds what a thread of a team works on.
std::string cpu_level(const MachineLimits& machine, double working_set, int threads) {
    if (working_set > machine.cpu_l3_bytes) return "cpu_triad";
    if (working_set <= machine.cpu_l1_bytes * threads) return "cpu_l1_bandwidth";
    if (working_set <= machine.cpu_l2_bytes * threads) return "cpu_l2_bandwidth";
    return "cpu_l3_bandwidth";
}

Prediction predict_on_cpu(const Point& point, const std::vector<Demand>& kernels,
                          const MachineLimits& machine) {
    const auto threads = static_cast<int>(value_of<std::int64_t>(point.parameters, "threads", 1));
    const std::string team = threads == 1 ? "_one_thread" : "_all_threads",
                      precision = value_of<std::string>(point.parameters, "precision", "float");
    Terms terms(machine);
    terms.at_rate("cpu_fma_peak_" + precision + team, point.flops / point.ranks);
    double bytes = kernels.empty() ? point.bytes : 0, launches = kernels.empty() ? 1 : 0;
    for (const Demand& kernel : kernels) {
        bytes += kernel.times * kernel.memory_bytes;
        launches += kernel.times;
    }
    terms.at_rate(cpu_level(machine, point.working_set / point.ranks, threads) + team, bytes / point.ranks);
    if (threads > 1) terms.times_us("cpu_barrier_all_threads", launches / point.steps);
    Prediction prediction{terms.largest().microseconds};
    prediction.add(terms);
    return prediction;
}

}  // namespace

std::optional<std::vector<Demand>> kernels_of(const Point& point, const MachineLimits& machine,
                                              std::optional<int> resident) {
    if (!point.demands) return std::vector<Demand>{};
    try {
        auto kernels = point.demands({machine.multiprocessors, resident.value_or(0)});
        if (!add_counts(kernels, counts(), point.counted_as)) return std::vector<Demand>{};
        return kernels;
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

std::optional<Prediction> predict(const Point& point, const Series& series, const MachineLimits& machine,
                                  std::optional<int> resident) {
    if (series.launch == Series::Launch::own) return std::nullopt;  // another program's affair
    const bool on_gpu = series.clock != Series::Clock::wall;
    if (on_gpu && machine.multiprocessors == 0) return std::nullopt;
    const auto declared = kernels_of(point, machine, resident);
    if (!declared) return std::nullopt;
    const std::vector<Demand>& kernels = *declared;
    Prediction prediction;
    if (on_gpu) {
        // Of what declares nothing only the link is known.
        if (kernels.empty() && !point.transfers.over_link()) return std::nullopt;
        const bool in_l2 =
            std::max(point.working_set, point.transfers.buffers) <= machine.l2_bytes && !series.cold;
        Sum sum(machine);
        for (const Demand& kernel : kernels)
            sum.add(kernel, point, in_l2, series.cold, kernels.size() == 1 ? resident : std::nullopt);
        prediction = sum.by(series, point);
    } else if (point.launches > 0) {
        prediction = predict_on_cpu(point, kernels, machine);
    }
    if (series.clock != Series::Clock::kernel) add_transfers(prediction, point.transfers, machine, on_gpu);
    if (prediction.terms.empty()) return std::nullopt;
    std::ranges::sort(prediction.terms, std::ranges::greater{}, &Term::microseconds);
    return prediction;
}

}  // namespace gridmark::harness

#include "harness/run/samplers.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "harness/elapsed.hpp"
#include "harness/gpu/step_clock.hpp"
#include "harness/run/turns.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& body) {
    const auto start = SteadyClock::now();
    body();
    return seconds_since(start);
}

/// Seconds of `count` iterations by `clock`, or by that of the program which does them.
template <class Clock>
double seconds_by(const Clock& clock, Work& work, int count) {
    if (const auto own = work.timed(count)) return *own;
    return clock([&] { work.iterate(count); });
}

/// Iterates until the time is used up; caches, clocks and pages are then as they will be. Returns seconds per
/// iteration of the last batch.
double warm_up(const std::function<double(int)>& time, double seconds) {
    const auto start = SteadyClock::now();
    double last = time(1);
    for (int count = 2; seconds_since(start) < seconds; count = std::min(2 * count, 256))
        last = time(count) / count;
    return last;
}

/// What comes in turns: one sample of each member a round, by one(member).
class InTurns : public Sampler {
  public:
    explicit InTurns(std::vector<Timed>& members) : members_(members) {}
    std::size_t size() const override { return members_.size(); }
    std::vector<std::vector<double>> rounds(int count) override {
        std::vector<std::vector<double>> result(count);
        for (auto& round : result) {
            round.resize(members_.size());
            for (const std::size_t k : turns(members_.size(), taken_++))
                round[k] = one(k);
        }
        return result;
    }

  protected:
    /// Seconds per iteration.
    virtual double one(std::size_t member) = 0;
    std::vector<Timed>& members_;

  private:
    int taken_ = 0;
};

/// Wall time of a batch of iterations on the CPU.
class WallSampler final : public InTurns {
  public:
    WallSampler(std::vector<Timed>& members, const Protocol& protocol) : InTurns(members) {
        for (Timed& m : members_) {
            const double each =
                warm_up([&](int n) { return seconds_by(seconds_of, *m.work, n); }, protocol.warm_up_seconds);
            m.iterations = m.wanted > 0 ? m.wanted : iterations_for(each, 5e-3, 10000);
        }
    }

  private:
    double one(std::size_t k) override {
        const Timed& m = members_[k];
        return seconds_by(seconds_of, *m.work, m.iterations) / m.iterations;
    }
};

/// Time between two events around a batch: launched one by one, or replayed from a graph.
class StepSampler final : public InTurns {
  public:
    StepSampler(std::vector<Timed>& members, GpuClocks gpu, const Protocol& protocol)
        : InTurns(members), gpu_(std::move(gpu)), graphs_(members.size()) {
        for (std::size_t k = 0; k < members_.size(); ++k) {
            Timed& m = members_[k];
            m.work->select();
            const double each = warm_up([&](int n) { return seconds(*m.work, n); }, protocol.warm_up_seconds);
            // Even: a graph must end where it began.
            m.iterations = m.wanted > 0 ? m.wanted : 2 * iterations_for(each, 2.5e-3, 500);
            if (m.series.launch != Series::Launch::graph) continue;
            const Replays replays = replays_for(m.iterations);
            m.iterations = replays.iterations;
            graphs_[k] = Graph{gpu_.capture([&] { m.work->iterate(replays.nodes); }), replays.nodes};
            graphs_[k]->replay(1);
            gpu_.wait();
        }
    }

  private:
    double seconds(Work& work, int count) { return seconds_by(gpu_.seconds, work, count); }

    double one(std::size_t k) override {
        Timed& m = members_[k];
        m.work->select();
        // What it finds in the L2 shall be its own. Who asks for iterations streams from the host.
        if (m.wanted == 0 && m.work->made_by().empty()) {
            if (gpu_.flush) gpu_.flush();
            m.work->iterate(2);
            gpu_.wait();
        }
        if (!graphs_[k]) return seconds(*m.work, m.iterations) / m.iterations;
        const auto replays = [&] { graphs_[k]->replay(m.iterations / graphs_[k]->nodes); };
        return gpu_.seconds(replays) / m.iterations;
    }

    struct Graph {
        std::function<void(int times)> replay;
        int nodes;
    };
    GpuClocks gpu_;
    std::vector<std::optional<Graph>> graphs_;
};

/// GPU time of the kernels alone. A sample is the mean over a batch: the GPU's clock ticks every 32 ns, so a
/// single kernel of 2 us could be told only to 1.6 %.
class KernelSampler final : public Sampler {
  public:
    KernelSampler(std::vector<Timed>& members, GpuClocks gpu, const Protocol& protocol)
        : members_(members), gpu_(std::move(gpu)) {
        const auto is_cold = [](const Timed& m) { return m.series.cold; };
        if (!gpu_.flush && std::any_of(members.begin(), members.end(), is_cold))
            std::rethrow_exception(gpu_.no_flush);
        for (Timed& m : members_) {
            m.work->select();
            warm_up([&](int n) { return gpu_.seconds([&] { m.work->iterate(n); }); },
                    protocol.warm_up_seconds);
            const auto first = gpu_.record([&] { m.work->iterate(1); });
            kernels_an_iteration_.push_back(first.size());
            double each = 0;
            for (const KernelRecord& r : first)
                each += 1e-9 * static_cast<double>(r.duration_ns());
            m.iterations = iterations_for(each, 40e-6, 50);
        }
    }
    std::size_t size() const override { return members_.size(); }
    std::vector<std::vector<double>> rounds(int count) override {
        std::vector<KernelMember> members;
        for (const Timed& m : members_)
            members.push_back({m.series.cold, m.iterations});
        const std::vector<KernelTurn> all = kernel_turns(members, taken_, count);
        taken_ += count;
        const auto records = gpu_.record([&] {
            for (const KernelTurn& turn : all)
                launch(turn);
        });
        std::vector<std::vector<double>> result(count, std::vector<double>(members_.size()));
        std::size_t at = 0;
        for (const KernelTurn& turn : all) {
            at += turn.warm * kernels_an_iteration_[turn.member];
            result[turn.round][turn.member] = mean(records, at, turn);
            at += turn.counted * kernels_an_iteration_[turn.member];
        }
        if (at != records.size()) throw KernelClockError("more kernels were recorded than launched");
        return result;
    }

  private:
    void launch(const KernelTurn& turn) {
        Work& work = *members_[turn.member].work;
        work.select();
        if (!turn.flushed) {
            if (gpu_.flush) gpu_.flush();
            work.iterate(turn.warm);
            work.iterate(turn.counted);
            return;
        }
        for (int n = 0; n < turn.counted; ++n) {
            gpu_.flush();
            work.iterate(1);
        }
    }

    double mean(const std::vector<KernelRecord>& records, std::size_t first, const KernelTurn& turn) const {
        const std::size_t count = turn.counted * kernels_an_iteration_[turn.member];
        if (first + count > records.size())
            throw KernelClockError("fewer kernels were recorded than launched");
        double total = 0;
        for (std::size_t at = first; at < first + count; ++at)
            total += 1e-9 * static_cast<double>(records[at].duration_ns());
        return total / turn.counted;
    }

    std::vector<Timed>& members_;
    GpuClocks gpu_;
    std::vector<std::size_t> kernels_an_iteration_;
    int taken_ = 0;
};

}  // namespace

Replays replays_for(int iterations) {
    const int nodes = std::min(iterations, 100);
    return {nodes, iterations - iterations % nodes};
}

GpuClocks clocks_of(launch::Device& gpu) {
    const launch::Stream stream = gpu.stream();
    GpuClocks clocks{.seconds = [stream](const auto& body) { return seconds_between_events(stream, body); },
                     .record = [](const auto& body) { return KernelClock::instance().record(body); },
                     .capture = [stream](const auto& body) -> std::function<void(int)> {
                         const auto graph = std::make_shared<GraphReplay>(stream, body);
                         return [graph](int times) { graph->replay(times); };
                     },
                     .wait = [&gpu] { gpu.synchronize(); }};
    try {
        const auto flush = std::make_shared<L2Flush>(gpu);
        clocks.flush = [flush] { (*flush)(); };
    } catch (const launch::Error&) {
        clocks.no_flush = std::current_exception();
    }
    return clocks;
}

std::unique_ptr<Sampler> make_sampler(Series::Clock clock, std::vector<Timed>& members, GpuClocks gpu,
                                      const Protocol& protocol) {
    if (clock == Series::Clock::wall) return std::make_unique<WallSampler>(members, protocol);
    if (clock == Series::Clock::step) return std::make_unique<StepSampler>(members, std::move(gpu), protocol);
    return std::make_unique<KernelSampler>(members, std::move(gpu), protocol);
}

std::unique_ptr<Sampler> make_sampler(Series::Clock clock, std::vector<Timed>& members, launch::Device* gpu,
                                      const Protocol& protocol) {
    if (clock == Series::Clock::wall) return make_sampler(clock, members, GpuClocks{}, protocol);
    if (clock == Series::Clock::kernel && !KernelClock::instance().available())
        throw launch::Unavailable(KernelClock::instance().reason());
    return make_sampler(clock, members, clocks_of(*gpu), protocol);
}

}  // namespace gridmark::harness

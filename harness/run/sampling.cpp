#include "harness/run/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "harness/elapsed.hpp"
#include "harness/gpu/kernel_clock.hpp"
#include "harness/gpu/step_clock.hpp"
#include "harness/run/turns.hpp"
#include "harness/statistics/statistics.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {
namespace {

/// Rounds until the next look at the stopping rule: recording kernels has a fixed cost per request. The first
/// look comes after the fewest samples, and so do all while the budget might end before the least.
int rounds_to_a_look(const Protocol& protocol, int taken) {
    const int some = taken < protocol.least_samples ? protocol.fewest_samples : protocol.least_samples;
    return std::max(1, std::min({9, some, protocol.most_samples - taken}));
}

bool narrow_enough(const std::vector<std::vector<double>>& samples, double width) {
    return std::all_of(samples.begin(), samples.end(),
                       [&](const auto& s) { return relative_width(s) < width; });
}

}  // namespace

Sampled sample(Sampler& sampler, const Protocol& protocol) {
    const auto start = std::chrono::steady_clock::now();
    return sample(sampler, protocol, [start] { return seconds_since(start); });
}

Sampled sample(Sampler& sampler, const Protocol& protocol, const std::function<double()>& passed) {
    const double budget = protocol.budget_seconds * static_cast<double>(sampler.size());
    Sampled result{std::vector<std::vector<double>>(sampler.size()), ""};
    int taken = 0;
    while (result.stopped.empty()) {
        const int count = rounds_to_a_look(protocol, taken);
        for (const auto& round : sampler.rounds(count))
            for (std::size_t k = 0; k < round.size(); ++k)
                result.samples[k].push_back(round[k]);
        taken += count;
        const bool used_up = passed() >= budget;
        if (taken < protocol.least_samples && !(used_up && taken >= protocol.fewest_samples)) continue;
        if (narrow_enough(result.samples, protocol.relative_width))
            result.stopped = "interval";
        else if (taken >= protocol.most_samples)
            result.stopped = "limit";
        else if (used_up)
            result.stopped = "budget";
    }
    return result;
}

int iterations_for(double seconds_per_iteration, double target, int most) {
    if (!(seconds_per_iteration > 0)) return most;
    return static_cast<int>(
        std::clamp(std::ceil(target / seconds_per_iteration), 1.0, static_cast<double>(most)));
}

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

/// Wall time of a batch of iterations on the CPU.
class WallSampler final : public Sampler {
  public:
    WallSampler(std::vector<Timed>& members, const Protocol& protocol) : members_(members) {
        for (Timed& m : members_) {
            const double each =
                warm_up([&](int n) { return seconds_by(seconds_of, *m.work, n); }, protocol.warm_up_seconds);
            m.iterations = m.wanted > 0 ? m.wanted : iterations_for(each, 5e-3, 10000);
        }
    }
    std::size_t size() const override { return members_.size(); }
    std::vector<std::vector<double>> rounds(int count) override {
        std::vector<std::vector<double>> result(count);
        for (auto& round : result) {
            round.resize(members_.size());
            for (const std::size_t k : turns(members_.size(), taken_++)) {
                const Timed& m = members_[k];
                round[k] = seconds_by(seconds_of, *m.work, m.iterations) / m.iterations;
            }
        }
        return result;
    }

  private:
    std::vector<Timed>& members_;
    int taken_ = 0;
};

/// What empties the L2 of this GPU before a sample; none where there is no room for it. Fields that fill the
/// memory do not fit the L2. Why empty it: how fields lie in the L2 is decided when they come there, and then
/// lasts. It moves a kernel of 4 us by up to 2 %, so that each sample draws it anew.
std::optional<L2Flush> l2_flush(launch::Device& gpu) {
    try {
        return std::optional<L2Flush>(std::in_place, gpu);
    } catch (const launch::Error&) {
        return std::nullopt;
    }
}

/// Time between two events around a batch: launched one by one, or replayed from a graph.
class StepSampler final : public Sampler {
  public:
    StepSampler(std::vector<Timed>& members, launch::Device& gpu, const Protocol& protocol)
        : members_(members), stream_(gpu.stream()), flush_(l2_flush(gpu)), graphs_(members.size()) {
        for (std::size_t k = 0; k < members_.size(); ++k) {
            Timed& m = members_[k];
            m.work->select();
            const double each = warm_up([&](int n) { return seconds(*m.work, n); }, protocol.warm_up_seconds);
            // Even: a graph must end where it began.
            m.iterations = m.wanted > 0 ? m.wanted : 2 * iterations_for(each, 2.5e-3, 500);
            if (m.series.launch != Series::Launch::graph) continue;
            const Replays replays = replays_for(m.iterations);
            m.iterations = replays.iterations;
            graphs_[k].emplace(Graph{{stream_, [&] { m.work->iterate(replays.nodes); }}, replays.nodes});
            graphs_[k]->replay.replay();
            gpu.synchronize();
        }
    }
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

  private:
    double seconds(Work& work, int count) {
        return seconds_by([&](const auto& body) { return seconds_between_events(stream_, body); }, work,
                          count);
    }

    double one(std::size_t k) {
        Timed& m = members_[k];
        m.work->select();
        // What it finds in the L2 shall be its own. Who asks for iterations streams from the host.
        if (m.wanted == 0 && m.work->made_by().empty()) {
            if (flush_) (*flush_)();
            m.work->iterate(2);
            stream_.device->synchronize();
        }
        if (!graphs_[k]) return seconds(*m.work, m.iterations) / m.iterations;
        const auto replays = [&] { graphs_[k]->replay.replay(m.iterations / graphs_[k]->nodes); };
        return seconds_between_events(stream_, replays) / m.iterations;
    }

    struct Graph {
        GraphReplay replay;
        int nodes;
    };
    std::vector<Timed>& members_;
    launch::Stream stream_;
    std::optional<L2Flush> flush_;
    std::vector<std::optional<Graph>> graphs_;
    int taken_ = 0;
};

/// GPU time of the kernels alone. A sample is the mean over a batch: the GPU's clock ticks every 32 ns, so a
/// single kernel of 2 us could be told only to 1.6 %.
class KernelSampler final : public Sampler {
  public:
    KernelSampler(std::vector<Timed>& members, launch::Device& gpu, const Protocol& protocol)
        : members_(members), flush_(l2_flush(gpu)) {
        const auto is_cold = [](const Timed& m) { return m.series.cold; };
        if (!flush_ && std::any_of(members.begin(), members.end(), is_cold)) flush_.emplace(gpu);  // says why
        for (Timed& m : members_) {
            m.work->select();
            warm_up([&](int n) { return seconds_between_events(gpu.stream(), [&] { m.work->iterate(n); }); },
                    protocol.warm_up_seconds);
            const auto first = KernelClock::instance().record([&] { m.work->iterate(1); });
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
        const auto records = KernelClock::instance().record([&] {
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
            if (flush_) (*flush_)();
            work.iterate(turn.warm);
            work.iterate(turn.counted);
            return;
        }
        for (int n = 0; n < turn.counted; ++n) {
            (*flush_)();
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
    std::optional<L2Flush> flush_;
    std::vector<std::size_t> kernels_an_iteration_;
    int taken_ = 0;
};

}  // namespace

Replays replays_for(int iterations) {
    const int nodes = std::min(iterations, 100);
    return {nodes, iterations - iterations % nodes};
}

std::unique_ptr<Sampler> make_sampler(Series::Clock clock, std::vector<Timed>& members, launch::Device* gpu,
                                      const Protocol& protocol) {
    if (clock == Series::Clock::wall) return std::make_unique<WallSampler>(members, protocol);
    if (clock == Series::Clock::step) return std::make_unique<StepSampler>(members, *gpu, protocol);
    if (!KernelClock::instance().available()) throw launch::Unavailable(KernelClock::instance().reason());
    return std::make_unique<KernelSampler>(members, *gpu, protocol);
}

}  // namespace gridmark::harness

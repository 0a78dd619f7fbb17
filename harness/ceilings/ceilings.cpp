#include "harness/ceilings/ceilings.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "harness/ceilings/measure.hpp"
#include "harness/gpu/step_clock.hpp"
#include "harness/os/limits.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {
namespace {

bool better(double value, double than, const std::string& unit) {
    const bool is_rate = unit.find("/s") != std::string::npos;
    return is_rate ? value > than : value < than;
}

}  // namespace

void keep_better(std::vector<Ceiling>& ceilings, const std::vector<Ceiling>& again) {
    for (Ceiling& ceiling : ceilings)
        for (const Ceiling& other : again)
            if (other.name == ceiling.name && other.value &&
                (!ceiling.value || better(*other.value, *ceiling.value, ceiling.unit)))
                ceiling = other;
}

namespace {

constexpr std::string_view one = "_one_thread";
constexpr std::string_view all = "_all_threads";

bool same_kind(std::string_view one_name, std::string_view all_name) {
    if (!one_name.ends_with(one) || !all_name.ends_with(all)) return false;
    one_name.remove_suffix(one.size());
    all_name.remove_suffix(all.size());
    return one_name == all_name;
}

}  // namespace

void raise_to_one_thread(std::vector<Ceiling>& ceilings) {
    for (Ceiling& together : ceilings) {
        for (const Ceiling& alone : ceilings) {
            if (!same_kind(alone.name, together.name) || !alone.value || !together.value) continue;
            if (*together.value >= *alone.value) continue;
            together.how += "; all together reached only " + std::to_string(std::lround(*together.value)) +
                            " (is the machine shared?), so the value of one thread stands here";
            together.value = alone.value;
        }
    }
}

void drop_shared_caches(std::vector<Ceiling>& ceilings) {
    for (const std::string_view team : {one, all}) {
        const auto named = [&, end = std::string(team)](const std::string& stem) {
            return std::ranges::find(ceilings, stem + end, &Ceiling::name);
        };
        const auto cache = named("cpu_l3_bandwidth"), memory = named("cpu_triad");
        if (cache == ceilings.end() || memory == ceilings.end() || !cache->value || !memory->value) continue;
        if (*cache->value > *memory->value) continue;
        cache->reason = "what should fit the L3 came at " + std::to_string(std::lround(*cache->value)) +
                        " GB/s, the memory gave " + std::to_string(std::lround(*memory->value)) +
                        ": others use this L3, too";
        cache->value.reset();
    }
}

namespace {

GpuUnderTest find_gpu(launch::Device* device) {
    GpuUnderTest gpu;
    if (device == nullptr) {
        gpu.reason = launch::gpu_unavailable_reason().value_or("no GPU was selected");
        return gpu;
    }
    try {
        auto properties = read_gpu_properties(gpu_ordinal(*device));
        if (properties) {
            gpu.device = device;
            gpu.seconds = [stream = device->stream()](const auto& body) {
                return seconds_between_events(stream, body);
            };
            gpu.record = [](const auto& body) { return KernelClock::instance().record(body); };
            gpu.properties = *std::move(properties.value);
        }
        gpu.reason = properties.reason;
    } catch (const launch::Error& error) {
        gpu.reason = error.what();
    }
    return gpu;
}

void add(std::vector<Ceiling>& all, std::vector<Ceiling> group) {
    std::move(group.begin(), group.end(), std::back_inserter(all));
}

std::vector<Ceiling> measure_cpu(int threads, const Repetitions& repetitions) {
    std::vector<Ceiling> all = measure_cpu_triad(threads, repetitions);
    add(all, measure_cpu_fma(threads, repetitions));
    add(all, measure_cpu_caches(threads, repetitions));
    return all;
}

}  // namespace

std::vector<Ceiling> measure_ceilings(const CeilingOptions& options) {
    constexpr int ceilings = 65;  // the CPU's count twice
    Repetitions repetitions;
    repetitions.budget_seconds =
        (options.quick ? std::min(options.budget_seconds, 1.0) : options.budget_seconds) / ceilings;
    const int threads = start_threads(std::max(options.threads, 1)).threads;
    const GpuUnderTest gpu = find_gpu(options.gpu);

    std::vector<Ceiling> all = measure_cpu(threads, repetitions);
    add(all, measure_gpu_copy(gpu, repetitions));
    add(all, measure_gpu_fma(gpu, repetitions));
    add(all, measure_gpu_latency(gpu, repetitions));
    add(all, measure_link(gpu, repetitions));
    add(all, measure_gpu_chip(gpu, repetitions));
    if (!options.quick) keep_better(all, measure_cpu(threads, repetitions));
    raise_to_one_thread(all);
    drop_shared_caches(all);
    return all;
}

}  // namespace gridmark::harness

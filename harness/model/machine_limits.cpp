#include <algorithm>

#include "harness/gpu/coverage.hpp"
#include "harness/model/predict.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

double context_number(const json& object, const char* key, double otherwise) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_number()) return otherwise;
    return object[key].get<double>();
}

void add_new(const std::vector<std::string>& names, std::vector<std::string>& to) {
    for (const std::string& name : names)
        if (std::ranges::find(to, name) == to.end()) to.push_back(name);
}

}  // namespace

void set_capacity(MachineLimits& limits, const std::string& compute_capability) {
    // CUDA C++ Programming Guide, technical specifications by compute capability, in tenths. One that is not
    // listed has what the one before it in its family has, and never what another family's has.
    struct Capacity {
        int capability, threads, blocks;
    };
    static constexpr Capacity capacities[] = {
        {13, 1024, 8},  {20, 1536, 8},  {75, 1024, 16},  {80, 2048, 32},  {86, 1536, 16},
        {89, 1536, 24}, {90, 2048, 32}, {100, 2048, 32}, {110, 1536, 24}, {120, 1536, 24}};
    const auto asked = parse_capability(compute_capability);
    if (!asked) return;
    for (const Capacity& known : capacities)
        if (known.capability / 10 == *asked / 10 && known.capability <= *asked) {
            limits.threads = known.threads;
            limits.blocks = known.blocks;
        }
}

MachineLimits limits_of(const json& context) {
    MachineLimits limits;
    limits.name = context.value("machine", "");
    for (const json& ceiling : context.value("ceilings", json::array()))
        if (ceiling["value"].is_number())
            limits.ceilings[ceiling["name"].get<std::string>()] = ceiling["value"].get<double>();
    if (const json gpu = context.value("gpu", json()); gpu.is_object()) {
        limits.multiprocessors = static_cast<int>(context_number(gpu, "multiprocessors", 0));
        limits.l2_bytes = context_number(gpu, "l2_bytes", 0);
        limits.shared_bytes = context_number(gpu, "shared_per_multiprocessor", 0);
        if (const json capability = gpu.value("compute_capability", json()); capability.is_string())
            set_capacity(limits, capability.get<std::string>());
    }
    const json cpu = context.value("cpu", json::object());
    const json caches = cpu.is_object() ? cpu.value("caches", json::object()) : json::object();
    limits.cpu_l1_bytes = context_number(caches, "l1d", 0);
    limits.cpu_l2_bytes = context_number(caches, "l2", 0);
    limits.cpu_l3_bytes = context_number(caches, "l3_total", 0);
    return limits;
}

std::string MachineLimits::best_of(std::span<const char* const> rates) const {
    return *std::ranges::max_element(rates, {}, [&](const char* name) { return ceiling(name).value_or(0); });
}

std::optional<double> Terms::known(const std::string& ceiling) {
    const auto value = machine_.ceiling(ceiling);
    if (!value) add_new({ceiling}, missing_);
    return value;
}

double Terms::total() const {
    double sum = 0;
    for (const auto& [name, time] : terms_)
        sum += time;
    return sum;
}

Term Terms::largest() const {
    Term found{{}, 0};
    for (const auto& [name, time] : terms_)
        if (time > found.microseconds) found = {name, time};
    return found;
}

void Terms::add_all(const Terms& other, double times) {
    for (const auto& [name, time] : other.terms_)
        add(name, times * time);
    add_new(other.missing_, missing_);
}

void Prediction::add(const Terms& more, double share) {
    for (const auto& [ceiling, microseconds] : more.all())
        if (share > 0) terms.push_back({ceiling, share * microseconds});
    add_new(more.missing(), missing);
}

}  // namespace gridmark::harness

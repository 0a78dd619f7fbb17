#include "harness/compare/machines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

#include "harness/compare/clocks.hpp"
#include "harness/compare/compare.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// What is read at one moment and differs between any two runs says nothing about the machine.
bool momentary(const std::string& key) {
    static const std::set<std::string> keys{"cpu.memory_available_bytes", "gpu.memory_free_bytes",
                                            "gpu.clocks.sm_mhz", "gpu.clocks.memory_mhz"};
    return keys.contains(key);
}

/// "gpu.name" -> value for every scalar below the named parts of a context.
std::map<std::string, json> flat_context(const json& context) {
    std::map<std::string, json> flat;
    for (const char* part : {"machine", "preset", "complete", "build", "cpu", "gpu", "software"}) {
        if (!context.contains(part)) continue;
        const json flattened = json{{part, context[part]}}.flatten();
        for (const auto& [pointer, value] : flattened.items()) {
            std::string key = pointer.substr(1);
            for (char& c : key)
                if (c == '/') c = '.';
            if (!momentary(key)) flat[key] = value;
        }
    }
    return flat;
}

/// The contexts of an experiment on either side.
struct Contexts {
    std::string experiment;
    std::map<std::string, json> base, fresh;
};

/// Of the experiments that both sets have; where they share none, of the first of each.
std::vector<Contexts> paired(const ResultSet& base, const ResultSet& fresh) {
    const auto context = [](const ResultFile& file) { return flat_context(file.context); };
    std::vector<Contexts> pairs;
    for (const auto& [id, file] : base.files)
        if (const auto other = fresh.files.find(id); other != fresh.files.end())
            pairs.push_back({id, context(file), context(other->second)});
    if (pairs.empty() && !base.files.empty() && !fresh.files.empty())
        pairs.push_back({"", context(base.files.begin()->second), context(fresh.files.begin()->second)});
    return pairs;
}

json value_or_null(const std::map<std::string, json>& context, const std::string& key) {
    const auto found = context.find(key);
    return found != context.end() ? found->second : json();
}

/// What is at a path, whatever a file holds on the way there.
json at(const json& context, const std::string& path) {
    const json::json_pointer pointer(path);
    return context.contains(pointer) ? context.at(pointer) : json();
}

std::optional<double> number_at(const json& context, const std::string& path) {
    const json value = at(context, path);
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

}  // namespace

json machine_differences(const ResultSet& base, const ResultSet& fresh) {
    const auto pairs = paired(base, fresh);
    // By key and by the two values: the experiments that have them.
    std::map<std::string, std::map<std::pair<json, json>, std::vector<std::string>>> found;
    for (const Contexts& pair : pairs) {
        std::set<std::string> keys;
        for (const auto* const side : {&pair.base, &pair.fresh})
            for (const auto& [key, value] : *side)
                keys.insert(key);
        for (const std::string& key : keys) {
            const json left = value_or_null(pair.base, key), right = value_or_null(pair.fresh, key);
            if (left != right) found[key][{left, right}].push_back(pair.experiment);
        }
    }
    json differences = json::array();
    for (const auto& [key, by_values] : found)
        for (const auto& [values, experiments] : by_values)
            differences.push_back(
                {{"key", key},
                 {"base", values.first},
                 {"new", values.second},
                 {"experiments", experiments.size() < pairs.size() ? json(experiments) : json()}});
    return differences;
}

std::string context_text(const json& context, const std::string& path) {
    const json value = at(context, path);
    return value.is_string() ? value.get<std::string>() : "";
}

std::string cpu_kind(const json& context) {
    if (context_text(context, "/cpu/model").empty()) return {};
    json kind = json::array();
    for (const char* path : {"/cpu/model", "/cpu/physical_cores", "/cpu/logical_cores", "/cpu/threads",
                             "/cpu/caches", "/cpu/isa", "/cpu/quota"})
        kind.push_back(at(context, path));
    return kind.dump();
}

std::string program_of(const json& context) {
    const std::string commit = context_text(context, "/build/commit");
    if (commit.empty()) return {};
    // Two builds of changed files are one program only if they are the same bytes.
    const bool dirty = at(context, "/build/dirty") == true;
    return dirty ? commit + " changed " + context_text(context, "/build/build_id") : commit;
}

std::map<std::string, CeilingValue> ceilings_of(const json& context) {
    std::map<std::string, CeilingValue> found;
    for (const json& ceiling : context["ceilings"]) {
        if (!ceiling["value"].is_number()) continue;
        const double value = ceiling["value"];
        const auto unit = ceiling["unit"].get<std::string>();
        const double cost = unit.find("/s") != std::string::npos ? 1 / value : value;
        if (std::isfinite(cost) && cost > 0) found[ceiling["name"]] = {value, unit, cost};
    }
    return found;
}

std::string resource_of(const std::string& ceiling) {
    static const std::map<std::string, std::string> names{
        {"gpu_copy_bandwidth", "GPU memory"},        {"gpu_triad_bandwidth", "GPU memory"},
        {"gpu_tiles_bandwidth", "GPU memory"},       {"gpu_l2_bandwidth", "the GPU's L2"},
        {"gpu_l2_bandwidth_eighth", "the GPU's L2"}, {"gpu_l2_bandwidth_whole", "the GPU's L2"},
        {"gpu_launch", "kernel launches"},           {"gpu_graph_node", "launches by graph"},
        {"gpu_grid_sync", "grid-wide barriers"}};
    const auto found = names.find(ceiling);
    return found != names.end() ? found->second : ceiling;
}

std::string place_of(const json& context) {
    static constexpr std::pair<const char*, const char*> parts[] = {
        {"partition", "partition"}, {"node", "node"}, {"gpus", "GPU"}, {"job", "job"}};
    std::string place;
    for (const auto& [key, word] : parts)
        if (const std::string text = context_text(context, std::string("/scheduler/") + key); !text.empty())
            place += fmt::format("{}{} {}", place.empty() ? "" : ", ", word, text);
    return place;
}

std::vector<std::string> disturbances(const json& context) {
    std::vector<std::string> found = judge_clocks(context).disturbed;
    if (const auto share = number_at(context, "/clocks/cpu_stolen"); share && *share > noticed_share)
        found.push_back(fmt::format("the host gave {:.0f} % of the CPU time to others", 100 * *share));
    if (const std::string binding = context_text(context, "/topology/binding"); !binding.empty())
        found.push_back(binding);
    for (const json& other : at(context, "/company/gpu"))
        if (other.is_string())
            found.push_back(other.get<std::string>() + " while the ceilings were measured");
    return found;
}

std::vector<std::string> facts(const json& context) {
    std::vector<std::string> found = judge_clocks(context).noted;
    const auto width = number_at(context, "/gpu/pci/link_width"),
               widest = number_at(context, "/gpu/pci/max_link_width");
    const bool is_c2c = context_text(context, "/gpu/link/name") == "NVLink-C2C";
    if (!is_c2c && width && widest && *width < *widest)
        found.push_back(fmt::format("PCIe with {:.0f} of {:.0f} lanes", *width, *widest));
    if (at(context, "/gpu/mig_mode") == true)
        found.emplace_back("a slice of a GPU: clocks, power and link are the whole card's");
    if (const std::string unseen = context_text(context, "/company/unseen"); !unseen.empty())
        found.push_back("could not be seen: " + unseen);
    return found;
}

}  // namespace gridmark::harness

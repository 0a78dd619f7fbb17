#include "harness/compare/differences.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace gridmark::harness

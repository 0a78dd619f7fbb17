#include "harness/ceilings/measure.hpp"

#include <cmath>
#include <string_view>

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

}  // namespace gridmark::harness

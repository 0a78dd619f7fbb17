#include "harness/compare/clocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// What may hold clocks down without a fault: nothing to do, and the power that a card may take.
constexpr const char *idle = "idle", *power_cap = "power cap", *low_use = "low utilisation";

bool is_usual(const std::string& cause) {
    return cause == idle || cause == power_cap || cause == low_use;
}

/// One reading of the clocks: before or after a run, or of a group.
struct Moment {
    std::string when;  ///< "before the run", "of group jacobi/512x256/kernel"
    std::optional<double> mhz, rated;
    std::optional<std::set<std::string>> limits;          ///< causes at that moment; none: not known
    std::optional<std::map<std::string, double>> slowed;  ///< of a group: seconds by cause; none: not counted
};

std::optional<double> number(const json& object, const char* key) {
    const json value = object.value(key, json());
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

Moment moment_of(const std::string& when, const json& reading) {
    Moment moment{when, number(reading, "sm_mhz"), number(reading, "rated_mhz"), {}, {}};
    if (const json limits = reading.value("limited_by", json()); limits.is_array()) {
        moment.limits.emplace();
        for (const json& limit : limits)
            if (limit.is_string()) moment.limits->insert(limit.get<std::string>());
    }
    if (const json slowed = reading.value("slowed_seconds", json()); slowed.is_object()) {
        moment.slowed.emplace();
        for (const auto& [cause, seconds] : slowed.items())
            if (seconds.is_number()) (*moment.slowed)[cause] = seconds;
    }
    return moment;
}

json object_at(const json& object, const char* key) {
    const json value = object.is_object() ? object.value(key, json()) : json();
    return value.is_object() ? value : json::object();
}

std::string clock_text(const Moment& moment, std::optional<double> against) {
    return moment.mhz && against ? fmt::format(" ({:.0f} of {:.0f} MHz)", *moment.mhz, *against) : "";
}

/// Whether its causes were read and none of them says why its clock is low.
bool is_low(const Moment& moment, std::optional<double> most) {
    constexpr double near = 0.95, half = 0.5;
    const auto has = [&](const char* cause) {
        return (moment.limits && moment.limits->contains(cause)) ||
               (moment.slowed && moment.slowed->contains(cause) && moment.slowed->at(cause) > 0);
    };
    if (!moment.mhz || has(idle) || has(power_cap) || has(low_use)) return false;
    const bool told = moment.limits || moment.slowed;
    if (moment.rated && told) return *moment.mhz < near * *moment.rated;
    const auto reference = moment.rated ? moment.rated : most;
    return reference && *moment.mhz < half * *reference;
}

/// Where a cause was seen, over all groups.
struct Seen {
    double seconds = 0;
    int groups = 0;
    std::string first;
};

void add(Seen& seen, const Moment& group, double seconds) {
    seen.seconds += seconds;
    if (seen.groups++ == 0) seen.first = group.when;
}

/// What the groups' counters say, and what held their clocks at the reading that followed.
void judge_groups(const std::vector<Moment>& groups, ClockVerdict& verdict) {
    std::map<std::string, Seen> slowed, limited;
    for (const Moment& group : groups) {
        for (const auto& [cause, seconds] : group.slowed.value_or(std::map<std::string, double>()))
            if (seconds > 0) add(slowed[cause], group, seconds);
        for (const std::string& cause : group.limits.value_or(std::set<std::string>()))
            // A counter says more than a moment, and has counted the moment too.
            if (!is_usual(cause) && !(group.slowed && group.slowed->contains(cause)))
                add(limited[cause], group, 0);
    }
    for (const auto& [cause, seen] : slowed) {
        if (cause == low_use) continue;
        const std::string text = fmt::format("GPU slowed by {} for {:.1f} s in {} of {} groups", cause,
                                             seen.seconds, seen.groups, groups.size());
        if (is_usual(cause))
            verdict.noted.push_back(text + ", as is usual at full load");
        else
            verdict.disturbed.push_back(fmt::format("{}, first {}", text, seen.first));
    }
    for (const auto& [cause, seen] : limited)
        verdict.disturbed.push_back(fmt::format("GPU clock limited by {} in {} of {} groups, first {}", cause,
                                                seen.groups, groups.size(), seen.first));
}

/// Groups whose clock is low, by the one that came first.
void judge_low_groups(const std::vector<Moment>& groups, std::optional<double> most, ClockVerdict& verdict) {
    const auto low = [&](const Moment& group) { return is_low(group, most); };
    const auto first = std::ranges::find_if(groups, low);
    if (first == groups.end()) return;
    verdict.disturbed.push_back(
        fmt::format("GPU clock low in {} of {} groups for no cause that the driver names, first {}{}",
                    std::ranges::count_if(groups, low), groups.size(), first->when,
                    clock_text(*first, first->rated ? first->rated : most)));
}

/// A reading before or after the run, of a set without counters.
void judge_end(const Moment& moment, bool may_rest, std::optional<double> most, ClockVerdict& verdict) {
    std::set<std::string> causes = moment.limits.value_or(std::set<std::string>());
    std::erase_if(causes, is_usual);
    const bool low = (moment.limits || !may_rest) && is_low(moment, most);
    if (!causes.empty())
        verdict.disturbed.push_back(fmt::format("GPU clock limited by {} {}{}", fmt::join(causes, ", "),
                                                moment.when, clock_text(moment, most)));
    else if (low)
        verdict.disturbed.push_back(fmt::format("GPU clock low {}{}", moment.when,
                                                clock_text(moment, moment.rated ? moment.rated : most)));
    if (moment.limits && moment.limits->contains(power_cap))
        verdict.noted.push_back(fmt::format("GPU clock limited by power cap {}{}, as is usual at full load",
                                            moment.when, clock_text(moment, most)));
}

}  // namespace

ClockVerdict judge_clocks(const json& context) {
    ClockVerdict verdict;
    const json clocks = object_at(context, "clocks"), gpu = object_at(context, "gpu");
    const auto most = number(object_at(gpu, "clocks"), "sm_max_mhz");
    std::vector<Moment> groups;
    const json readings = object_at(clocks, "groups");
    for (const auto& [name, reading] : readings.items())
        if (reading.is_object()) groups.push_back(moment_of(name, reading));
    judge_groups(groups, verdict);
    judge_low_groups(groups, most, verdict);
    const bool counted = !groups.empty() && std::ranges::all_of(groups, [](const Moment& group) {
        return group.slowed.has_value();
    });
    if (counted) return verdict;
    // Before a run a GPU may rest without a driver's word for it, and after one that ended with other rows.
    judge_end(moment_of("before the run", object_at(clocks, "before")), true, most, verdict);
    judge_end(moment_of("after the run", object_at(clocks, "after")), !groups.empty(), most, verdict);
    const json why = object_at(context, "reasons").value("clocks.slowed_seconds", json());
    if (!gpu.empty() && !clocks.empty())
        verdict.noted.push_back(
            "whether the GPU was slowed cannot be told: " +
            (why.is_string() ? why.get<std::string>() : "its counters were not read around each group"));
    return verdict;
}

json joined_clocks(const json& earlier, const json& later) {
    json joined = earlier;
    joined.update(later);
    if (earlier.contains("sm_mhz") && later.contains("sm_mhz"))
        joined["sm_mhz"] = std::min(earlier["sm_mhz"], later["sm_mhz"]);
    for (const char* key : {"temperature_celsius", "power_watts"})
        if (earlier.contains(key) && later.contains(key)) joined[key] = std::max(earlier[key], later[key]);
    std::set<std::string> causes;
    for (const json* const one : {&earlier, &later})
        if (one->contains("limited_by"))
            for (const json& cause : one->at("limited_by"))
                causes.insert(cause.get<std::string>());
    if (joined.contains("sm_mhz")) causes.erase("idle");
    if (joined.contains("limited_by")) joined["limited_by"] = causes;
    joined.erase("slowed_seconds");
    if (earlier.contains("slowed_seconds") && later.contains("slowed_seconds")) {
        json sum = earlier["slowed_seconds"];
        for (const auto& [cause, seconds] : later["slowed_seconds"].items())
            sum[cause] = sum.value(cause, 0.0) + seconds.get<double>();
        joined["slowed_seconds"] = sum;
    }
    return joined;
}

}  // namespace gridmark::harness

#include "harness/run/cpu_company.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "harness/os/limits.hpp"

namespace gridmark::harness {
namespace {

/// A process: its parent, and its ticks with those of children that have ended.
struct ProcessTicks {
    int parent = 0;
    bool is_rank = false;
    double ticks = 0;
};

/// From /proc/<id>/stat.
std::optional<ProcessTicks> process_ticks(const std::string& text) {
    // The name stands in parentheses and may hold any.
    const auto open = text.find('('), close = text.rfind(')');
    if (close == std::string::npos || open > close) return std::nullopt;
    ProcessTicks process;
    process.is_rank = text.substr(open + 1, close - open - 1) == "gridmark-ranks";
    std::istringstream fields(text.substr(close + 1));
    std::string state, ignored;
    fields >> state >> process.parent;
    for (int field = 5; field < 14; ++field)
        fields >> ignored;
    for (int field = 14; field <= 17; ++field) {  // of user and system, its own and those of ended children
        double ticks = 0;
        fields >> ticks;
        process.ticks += ticks;
    }
    return fields ? std::optional(process) : std::nullopt;
}

std::map<int, ProcessTicks> all_processes(const SystemFiles& files) {
    std::map<int, ProcessTicks> all;
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(files.root / "proc", unreadable)) {
        const std::string name = entry.path().filename();
        int id = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), id).ptr != name.data() + name.size())
            continue;
        // One that has ended meanwhile cannot be read.
        if (const auto process = process_ticks(files.text("/proc/" + name + "/stat").value_or("")))
            all.emplace(id, *process);
    }
    return all;
}

bool descends(const std::map<int, ProcessTicks>& all, int id, int root) {
    for (auto found = all.find(id); found != all.end(); found = all.find(found->second.parent))
        if (found->first == root) return true;
    return false;
}

bool by_wall_clock(const Row& row) {
    return row.clock == "wall";
}

Witness other_programs(const SystemFiles& files, const std::vector<int>& cpus, int root) {
    return {[=]() -> Witness::Since {
                const auto start = std::chrono::steady_clock::now();
                const auto waited = seconds_waited(files);
                return [=, before = read_cpu_ticks(files, cpus, root)]() -> std::vector<std::string> {
                    if (const auto share = share_of_others(before, read_cpu_ticks(files, cpus, root))) {
                        if (*share.value <= noticed_share) return {};
                        return {fmt::format("others took {:.0f} % of the CPU time", 100 * *share.value)};
                    }
                    const auto since = seconds_waited(files);
                    if (!waited || !since) return {};
                    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
                    const double share = (*since - *waited) / passed.count();
                    if (!(share > noticed_share)) return {};
                    return {fmt::format("programs waited for a CPU {:.0f} % of the time",
                                        100 * std::min(share, 1.0))};
                };
            },
            by_wall_clock};
}

Witness used_up_quota(const SystemFiles& files) {
    return {[=]() -> Witness::Since {
                return [=, before = read_throttled(files)]() -> std::vector<std::string> {
                    const Throttled after = read_throttled(files);
                    if (after.times <= before.times) return {};
                    return {
                        fmt::format("a control group's quota of CPU time was used up {:.0f} times, for "
                                    "{:.2g} s",
                                    after.times - before.times, after.seconds - before.seconds)};
                };
            },
            // Launches wait, too.
            [](const Row& row) { return by_wall_clock(row) || row.clock == "step"; }};
}

Witness small_quota(double quota) {
    const std::string words =
        fmt::format("a control group grants the time of {:.3g} CPUs, fewer than its threads", quota);
    return {[=]() -> Witness::Since { return [=]() -> std::vector<std::string> { return {words}; }; },
            [=](const Row& row) {
                const auto threads = value_of<std::int64_t>(row.parameters, "threads", 1);
                return by_wall_clock(row) && quota < static_cast<double>(threads);
            }};
}

}  // namespace

std::optional<double> seconds_waited(const SystemFiles& files) {
    const std::string text = files.text("/proc/pressure/cpu").value_or("");
    const auto line = text.substr(0, text.find('\n'));
    const auto total = line.find("total=");
    double microseconds = 0;
    if (!line.starts_with("some") || total == std::string::npos ||
        !(std::istringstream(line.substr(total + 6)) >> microseconds))
        return std::nullopt;
    return 1e-6 * microseconds;
}

Expected<CpuTicks> read_cpu_ticks(const SystemFiles& files, const std::vector<int>& cpus, int root) {
    CpuTicks ticks;
    const auto text = files.text("/proc/stat");
    if (!text) return unknown<CpuTicks>("the system does not show CPU times");
    std::set<std::string> names;
    for (const int cpu : cpus)
        names.insert(fmt::format("cpu{}", cpu));
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (!names.contains(name)) continue;
        std::array<double, 8> counts{};  // user, nice, system, idle, waiting, two of interrupts, stolen
        for (double& count : counts)
            words >> count;
        if (!words) return unknown<CpuTicks>("the system does not show CPU times");
        const auto [user, nice, system, idle, waiting, interrupts, soft, stolen] = counts;
        ticks.working += user + nice + system + interrupts + soft;
        ticks.all += user + nice + system + interrupts + soft + idle + waiting + stolen;
        ticks.slack += 1;
    }
    if (!(ticks.all > 0)) return unknown<CpuTicks>("the system does not show CPU times");
    const auto processes = all_processes(files);
    for (const auto& [id, process] : processes)
        if (process.is_rank || descends(processes, id, root)) {
            ticks.own += process.ticks;
            ticks.slack += 1;
        }
    return known(ticks);
}

Expected<double> share_of_others(const Expected<CpuTicks>& before, const Expected<CpuTicks>& after) {
    if (!before || !after) return unknown<double>(before ? after.reason : before.reason);
    const double all = after.value->all - before.value->all;
    if (!(all > 0)) return unknown<double>("no CPU time has passed");
    const double others =
        after.value->working - before.value->working - (after.value->own - before.value->own);
    // What a short look cannot tell from rounding is nobody's.
    if (others <= after.value->slack) return known(0.0);
    return known(std::min(others / all, 1.0));
}

std::vector<Witness> cpu_witnesses(const SystemFiles& files, const std::vector<int>& cpus, int root) {
    std::vector<Witness> witnesses{other_programs(files, cpus, root), used_up_quota(files)};
    if (const auto quota = cpu_quota(files)) witnesses.push_back(small_quota(*quota.value));
    return witnesses;
}

}  // namespace gridmark::harness

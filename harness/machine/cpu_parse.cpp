#include "harness/machine/cpu_parse.hpp"

#include <charconv>
#include <set>
#include <sstream>
#include <utility>

#include "harness/os/files.hpp"

namespace gridmark::harness {
namespace {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// Calls visit(line) for each line.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        visit(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
}

std::vector<std::string> known_isa(std::string_view flags) {
    std::set<std::string> present;
    std::istringstream words{std::string(flags)};
    for (std::string word; words >> word;)
        present.insert(word);
    std::vector<std::string> isa;
    for (const char* name : {"sse2", "avx", "avx2", "fma", "avx512f"}) {
        if (present.contains(name)) isa.emplace_back(name);
    }
    return isa;
}

}  // namespace

CpuInfo parse_cpuinfo(std::string_view text) {
    CpuInfo info{unknown<std::string>("/proc/cpuinfo names no model"),
                 unknown<std::vector<std::string>>("/proc/cpuinfo lists no flags"),
                 unknown<int>("/proc/cpuinfo gives no core ids"),
                 unknown<int>("/proc/cpuinfo lists no processor")};
    int logical = 0;
    std::string socket = "0";
    std::set<std::pair<std::string, std::string>> cores;  // hyper-threads of a core share both ids
    for_each_line(text, [&](std::string_view line) {
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) return;
        const auto key = trim(line.substr(0, colon));
        const auto value = trim(line.substr(colon + 1));
        if (key == "processor") ++logical;
        if (key == "model name" && !value.empty()) info.model = known(std::string(value));
        if (key == "flags" && !info.isa) info.isa = known(known_isa(value));
        if (key == "physical id") socket = value;
        if (key == "core id") cores.emplace(socket, value);
    });
    if (logical > 0) info.logical_cores = known(logical);
    if (!cores.empty()) info.physical_cores = known(static_cast<int>(cores.size()));
    return info;
}

CacheSizes parse_caches(const std::vector<CacheText>& caches) {
    CacheSizes sizes;
    std::set<std::string> counted;
    for (const CacheText& cache : caches) {
        const auto bytes = parse_byte_size(trim(cache.size));
        const auto level = trim(cache.level);
        if (!bytes || trim(cache.type) == "Instruction") continue;
        if (level == "1") sizes.l1d = sizes.l1d.value_or(*bytes);
        if (level == "2") sizes.l2 = sizes.l2.value_or(*bytes);
        if (level != "3") continue;
        sizes.l3 = sizes.l3.value_or(*bytes);
        if (counted.insert(std::string(trim(cache.shared_cpu_list))).second) {
            sizes.l3_total = sizes.l3_total.value_or(0) + *bytes;
        }
    }
    return sizes;
}

std::optional<std::int64_t> parse_byte_size(std::string_view text) {
    if (text.empty()) return std::nullopt;
    std::int64_t unit = 1;
    if (text.back() == 'K') unit = std::int64_t{1} << 10;
    if (text.back() == 'M') unit = std::int64_t{1} << 20;
    if (text.back() == 'G') unit = std::int64_t{1} << 30;
    if (unit > 1) text.remove_suffix(1);
    const auto number = parse_number<std::int64_t>(text);
    if (!number || *number < 0) return std::nullopt;
    return *number * unit;
}

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
    std::vector<int> cpus;
    text = trim(text);
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto part = text.substr(0, comma);
        const auto dash = part.find('-');
        const auto first = parse_number<int>(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : parse_number<int>(part.substr(dash + 1));
        constexpr int most_cpus = 1 << 16;
        if (!first || !last || *first < 0 || *last < *first || *last >= most_cpus) return std::nullopt;
        for (int cpu = *first; cpu <= *last; ++cpu)
            cpus.push_back(cpu);
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    }
    return cpus;
}

std::string format_cpu_list(const std::vector<int>& cpus) {
    std::string text;
    for (std::size_t begin = 0; begin < cpus.size();) {
        std::size_t end = begin;
        while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1)
            ++end;
        if (!text.empty()) text += ',';
        text += std::to_string(cpus[begin]);
        if (end > begin) text += '-' + std::to_string(cpus[end]);
        begin = end + 1;
    }
    return text;
}

Expected<std::int64_t> parse_meminfo(std::string_view text, std::string_view key) {
    auto bytes = unknown<std::int64_t>("/proc/meminfo has no " + std::string(key));
    for_each_line(text, [&](std::string_view line) {
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || trim(line.substr(0, colon)) != key) return;
        auto value = trim(line.substr(colon + 1));
        if (!value.ends_with("kB")) return;
        value.remove_suffix(2);
        if (const auto kibibytes = parse_number<std::int64_t>(trim(value))) bytes = known(*kibibytes * 1024);
    });
    return bytes;
}

}  // namespace gridmark::harness

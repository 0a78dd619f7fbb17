#include "harness/gpu/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>
#include <vector>

namespace gridmark::harness {

std::optional<int> parse_capability(const std::string& text) {
    int major = 0, minor = 0;
    const char* const end = text.data() + text.size();
    const auto [dot, bad_major] = std::from_chars(text.data(), end, major);
    if (bad_major != std::errc() || major < 0 || dot == end || *dot != '.') return std::nullopt;
    const auto [stopped, bad_minor] = std::from_chars(dot + 1, end, minor);
    if (bad_minor != std::errc() || stopped != end || minor < 0 || minor > 9) return std::nullopt;
    return 10 * major + minor;
}

namespace {

/// A compute capability in tenths.
using Tenths = int;

int family(Tenths capability) {
    return capability / 10;
}

std::string dotted(Tenths capability) {
    return fmt::format("{}.{}", family(capability), capability % 10);
}

/// One word of the list: "90", "90a-real", "100f", "75-virtual".
struct Architecture {
    Tenths capability = 0;
    bool code = true, ptx = true;
    char only = ' ';  ///< 'a': on that capability alone, 'f': within its family alone

    bool code_runs_on(Tenths gpu) const {
        if (!code || family(gpu) != family(capability)) return false;
        return only == 'a' ? gpu == capability : gpu >= capability;
    }
    bool ptx_runs_on(Tenths gpu) const {
        if (!ptx || gpu < capability) return false;
        return only == ' ' || (only == 'f' ? family(gpu) == family(capability) : gpu == capability);
    }
};

std::optional<Architecture> parse_architecture(const std::string& word) {
    Architecture found;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, found.capability);
    if (error != std::errc()) return std::nullopt;
    std::string_view rest(stopped, static_cast<std::size_t>(end - stopped));
    if (rest.starts_with('a') || rest.starts_with('f')) {
        found.only = rest.front();
        rest.remove_prefix(1);
    }
    found.code = rest != "-virtual";
    found.ptx = rest != "-real";
    return rest.empty() || !found.code || !found.ptx ? std::optional(found) : std::nullopt;
}

/// What kernels/launch does otherwise from a compute capability on (__CUDA_ARCH__).
struct Feature {
    Tenths since;
    const char* without;
};
constexpr Feature features[] = {{80, "asynchronous copies to shared memory become plain ones"},
                                {90, "bulk prefetches into L2 are left out"}};

std::string lost_by(Tenths ptx, Tenths gpu) {
    std::vector<std::string> words;
    for (const Feature& feature : features)
        if (ptx < feature.since && feature.since <= gpu) words.emplace_back(feature.without);
    words.emplace_back("the first start takes longer, while the driver compiles");
    return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace

std::string Coverage::text() const {
    switch (by) {
        case By::code:
            return "code of " + capability;
        case By::ptx:
            return "PTX of " + capability;
        case By::nothing:
            return "nothing";
        case By::unknown:
            break;
    }
    return {};
}

Coverage coverage_of(const std::string& architectures, const std::string& compute_capability) {
    const auto gpu = parse_capability(compute_capability);
    if (!gpu) return {};
    Tenths code = 0, ptx = 0;
    bool any = false;
    std::istringstream words(architectures);
    for (std::string word; words >> word;)
        if (const auto found = parse_architecture(word)) {
            any = true;
            if (found->code_runs_on(*gpu)) code = std::max(code, found->capability);
            if (found->ptx_runs_on(*gpu)) ptx = std::max(ptx, found->capability);
        }
    if (!any) return {};
    if (code > 0) return {Coverage::By::code, dotted(code), {}};
    if (ptx > 0) return {Coverage::By::ptx, dotted(ptx), lost_by(ptx, *gpu)};
    return {Coverage::By::nothing, {}, "no CUDA variant can run"};
}

std::string coverage_advice(const Coverage& coverage, const std::string& compute_capability) {
    const auto gpu = parse_capability(compute_capability);
    if (coverage.lost.empty() || !gpu) return {};
    return fmt::format(
        "this build has {} for this GPU of {}: {}; build for it: CUDAARCHS={} make build",
        coverage.by == Coverage::By::nothing ? "neither code nor PTX" : "only " + coverage.text(),
        compute_capability, coverage.lost, *gpu);
}

}  // namespace gridmark::harness

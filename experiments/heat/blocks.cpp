#include "experiments/heat/blocks.hpp"

#include <fmt/format.h>

#include <charconv>

#include "harness/machine/cpu.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::heat {
namespace {

constexpr int longest_side = 1 << 20;

Caches machine_caches() {
    static const harness::CacheSizes caches = harness::read_caches();
    const auto bytes = [](const std::optional<std::int64_t>& size) {
        return static_cast<std::size_t>(size.value_or(0));
    };
    return {bytes(caches.l1d), bytes(caches.l2), bytes(caches.l3_total)};
}

/// The extent that "64x20x64" names.
Extent extent_of(const harness::Settings& settings, const std::string& key, const Extent& otherwise) {
    const std::string text = settings.text(key, to_string(otherwise));
    Extent extent{};
    const char *at = text.data(), *const end = at + text.size();
    bool possible = true;
    for (int* side : {&extent.x, &extent.y, &extent.z}) {
        if (side != &extent.x && at != end && *at == 'x') ++at;
        at = std::from_chars(at, end, *side).ptr;
        possible = possible && *side >= 1 && *side <= longest_side;
    }
    if (!possible || at != end)
        throw harness::UsageError(
            fmt::format("{} {}={}: blocks are three whole numbers from 1 to {}, as in 64x20x64",
                        settings.option(), key, text, longest_side));
    return extent;
}

bool is_streaming(const harness::Settings& settings, bool otherwise) {
    return settings.word("streaming", otherwise ? "yes" : "no", {"yes", "no"}) == "yes";
}

}  // namespace

Cut chosen_cut(const harness::Settings& settings, const CpuVariant& variant, const Problem& problem,
               std::size_t value_bytes, int threads) {
    if (variant.cut == CutKind::none) return {};
    if (variant.cut == CutKind::march) {
        Wavefront wavefront =
            choose_wavefront(problem, value_bytes, machine_caches(), threads, variant.steps(value_bytes));
        wavefront.tile = possible_tile(problem, extent_of(settings, "tile", wavefront.tile), value_bytes);
        wavefront.streaming = is_streaming(settings, wavefront.streaming);
        return wavefront;
    }
    const std::string blocks = settings.word("blocks", "caches", {"caches", l3_l1, l3_l2});
    Blocking blocking = blocks == "caches"
                            ? choose_blocking(problem, value_bytes, machine_caches(), threads)
                            : cubes_of_the_thesis(problem, value_bytes, caches_of_the_thesis,
                                                  blocks == l3_l1 ? InnerLevel::l1 : InnerLevel::l2);
    blocking.outer = extent_of(settings, "outer", blocking.outer);
    blocking.inner = extent_of(settings, "inner", blocking.inner);
    blocking.streaming = is_streaming(settings, blocking.streaming) && variant.isa.has_value();
    return blocking;
}

std::string to_string(const Extent& extent) {
    return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

}  // namespace gridmark::heat

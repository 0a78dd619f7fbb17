#pragma once

#include <cstddef>

/// Chains of links in memory: each load needs what the one before found, so that a walk costs one latency a
/// link.
namespace gridmark::ceilings {

/// A place of a chain: where the next one is.
struct Link {
    const Link* next;
};
inline constexpr unsigned line_links = 16;  ///< a line of 128 bytes holds one link, at its start

/// The line that comes after `line` of so many, a power of two. A step of a linear congruential generator,
/// which comes by all of them: its factor is one more than a multiple of four, its term is odd (Hull and
/// Dobell 1962).
constexpr unsigned next_line(unsigned line, unsigned lines) {
    return (line * 1664525u + 1013904223u) & (lines - 1);
}

/// Lays a chain through `lines` lines, a power of two, which comes by each of them once, in scattered order,
/// and then to the first again.
inline void lay_chain(Link* chain, unsigned lines) {
    for (unsigned line = 0; line < lines; ++line)
        chain[std::size_t{line} * line_links].next = chain + std::size_t{next_line(line, lines)} * line_links;
}

/// Follows it so many times.
inline const Link* follow(const Link* at, unsigned long hops) {
    for (unsigned long i = 0; i < hops; ++i)
        at = at->next;
    return at;
}

}  // namespace gridmark::ceilings

#pragma once

#include <cstddef>
#include <vector>

namespace gridmark::harness {

/// Whose turn it is in a round of so many members, from first to last; rounds count from 0. None follows
/// itself, whose data it would find in the caches, not even from one round to the next. In as many rounds as
/// there are members, or twice as many where their number is odd, each comes right after each other one
/// equally often within a round (E. J. Williams, Australian Journal of Scientific Research A 2, 1949, p.
/// 149).
std::vector<std::size_t> turns(std::size_t members, int round);

/// What is launched for a sample of the kernel clock.
struct KernelTurn {
    std::size_t member;
    int round;     ///< from 0, of those that were asked for
    int warm;      ///< iterations before the sample, which do not count
    int counted;   ///< iterations of the sample
    bool flushed;  ///< the L2 is overwritten before each iteration

    bool operator==(const KernelTurn&) const = default;
};

/// A member of a group of the kernel clock.
struct KernelMember {
    bool cold;
    int iterations;  ///< of a sample
};

/// The launches of `count` rounds, which follow `before` others. A hot sample comes right after iterations of
/// its own, as many as it has, and two at least, since fields may lie in two buffers: what it finds in the L2
/// does not depend on what else is measured. Cold ones come when all hot ones of these rounds are done.
std::vector<KernelTurn> kernel_turns(const std::vector<KernelMember>& members, int before, int count);

}  // namespace gridmark::harness

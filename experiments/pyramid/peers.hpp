#pragma once

#include <cstddef>
#include <memory>

#include "harness/peers/peer_program.hpp"

namespace gridmark::pyramid {

/// Another framework's step of a whole rod in memory, from the start of all versions of that order. T is
/// float or double.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, std::size_t n, double s,
                                         std::uint64_t seed);

}  // namespace gridmark::pyramid

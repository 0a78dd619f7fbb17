#pragma once

#include <memory>

#include "harness/peers/peer_program.hpp"

namespace gridmark::ginzburg_landau {

/// Another framework's step of n pairs, from the start of all versions of that size. T is float or double.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed);

}  // namespace gridmark::ginzburg_landau

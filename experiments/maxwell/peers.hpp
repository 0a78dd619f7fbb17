#pragma once

#include <memory>

#include "harness/peers/peer_program.hpp"

namespace gridmark::maxwell {

/// Another framework's step on n^3 nodes: the fields, the nine coefficients at random and the wave of all
/// versions of that size. T is float or double.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed);

}  // namespace gridmark::maxwell

#pragma once

#include <memory>

#include "harness/peers/peer_program.hpp"

namespace gridmark::jacobi {

/// Another framework's sweep at one size, from the start and with the right-hand side of all variants of that
/// size. T is float or double.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int nx, int ny, std::uint64_t seed);

}  // namespace gridmark::jacobi

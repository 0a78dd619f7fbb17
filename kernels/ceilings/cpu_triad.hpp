#pragma once

#include <cstddef>

// The STREAM triad, a = b + factor * c, for one thread's part of the arrays.
namespace gridmark::ceilings {

/// Bytes that count per element: two reads and one write. What the memory moves may be 32: an ordinary store
/// first reads its cache line.
inline constexpr double triad_bytes = 24;
inline constexpr double triad_flops = 2;

/// With ordinary stores.
void triad(double* a, const double* b, const double* c, double factor, std::size_t count);

/// With stores past the caches, where the processor has them (else as above). `a` is aligned to 16 bytes. The
/// stores are complete, for other threads too, when it returns.
void triad_streaming(double* a, const double* b, const double* c, double factor, std::size_t count);

}  // namespace gridmark::ceilings

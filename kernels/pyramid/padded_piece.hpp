#pragma once

#include <utility>

#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/pieces.hpp"

namespace gridmark::pyramid {

/// Room for a padded piece on a device, and its h steps.
template <class T>
class PaddedPiece {
  public:
    /// Values on the device of a piece of `m` values, padding included.
    static std::size_t values(const GpuVariant<T>& solver, std::size_t m) {
        return (solver.in_place ? 1 : 2) * aligned<T>(m) + aligned<T>(solver.scratch(m));
    }
    /// In `memory` on the device, values(solver, longest) values of it.
    PaddedPiece(const GpuVariant<T>& solver, double s, std::size_t longest, T* memory)
        : solver_(solver),
          s_(s),
          now_(memory),
          next_(solver.in_place ? nullptr : memory + aligned<T>(longest)),
          scratch_(memory + (solver.in_place ? 1 : 2) * aligned<T>(longest)) {}

    /// Another driver may have used the memory since.
    void forget() { prepared_ = 0; }
    /// Puts the piece's values and its padding into the queue.
    void send(launch::OwnedStream& queue, const Piece& piece, std::span<const T> u) {
        queue.clear(now_, piece.low);
        queue.upload(now_ + piece.low, u.subspan(piece.begin, piece.values()));
        queue.clear(now_ + piece.low + piece.values(), piece.high);
    }
    /// Puts h solves into the queue.
    void advance(launch::OwnedStream& queue, const Piece& piece, int h) {
        const std::size_t m = piece.padded();
        if (h > 0 && m != prepared_) solver_.prepare(queue.stream(), s_, m, scratch_);
        if (h > 0) prepared_ = m;
        pyramid::advance(solver_, queue.stream(), s_, m, h, now_, next_, scratch_);
    }
    /// Puts the fetching of a part of the response into the queue, from the padding's first value on.
    void fetch(launch::OwnedStream& queue, std::size_t first, std::span<T> to) const {
        queue.download(to, now_ + first);
    }

  private:
    const GpuVariant<T>& solver_;
    double s_;
    T *now_, *next_, *scratch_;
    std::size_t prepared_ = 0;  ///< order that scratch_ is ready for
};

/// A number of values from which threads pay.
constexpr std::ptrdiff_t worth_threads = 100000;

/// Zeros, by OpenMP threads.
template <class T>
void clear(std::span<T> values, int threads) {
    const auto count = static_cast<std::ptrdiff_t>(values.size());
#pragma omp parallel for num_threads(threads) schedule(static) if (count > worth_threads)
    for (std::ptrdiff_t i = 0; i < count; ++i)
        values[i] = 0;
}

/// to += from, by OpenMP threads.
template <class T>
void add(std::span<const T> from, std::span<T> to, int threads) {
    const auto count = static_cast<std::ptrdiff_t>(from.size());
#pragma omp parallel for num_threads(threads) schedule(static) if (count > worth_threads)
    for (std::ptrdiff_t i = 0; i < count; ++i)
        to[i] += from[i];
}

}  // namespace gridmark::pyramid

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/medium.hpp"
#include "kernels/pyramid/pieces.hpp"

namespace gridmark::pyramid {

/// Values from which the host's threads pay, where it adds, copies or clears them.
constexpr std::ptrdiff_t worth_threads = 100000;

/// What a driver did, counted where it calls: bytes that its copies moved, and rows that its solves had.
struct Traffic {
    launch::Moved moved;
    std::size_t solved = 0;
};

/// Steps of a rod that lies in pinned host memory, by a device that holds a few pieces of it at a time. A
/// pass of h steps sends every piece once. Its values are padded by zeros on the device and solved h times
/// there. Its response, which is longer than the piece, comes back to be added up. Source: paper, steps 2
/// to 6.
template <class T>
class OutOfCore {
  public:
    virtual ~OutOfCore() = default;
    /// next = A^-h u. Both n values of pinned memory: the same for the driver with one layer, not the same
    /// for others. With h = 0 it is the transfers alone.
    virtual void pass(std::span<const T> u, std::span<T> next, int h) = 0;
    /// The solves of a pass alone, on whatever stands on the device.
    virtual void compute(int h) = 0;
    /// All that it did so far.
    virtual Traffic traffic() const = 0;
    /// Values of host memory that it keeps beside the field.
    virtual std::size_t host_values() const = 0;
};

/// The staging buffer of a padded piece on a device, and its h steps.
template <class T>
class PaddedPiece {
  public:
    /// Values on the device of a piece of `m` values, padding included.
    static std::size_t values(const GpuVariant<T>& solver, std::size_t m) {
        return (solver.in_place ? 1 : 2) * aligned<T>(m) + aligned<T>(solver.scratch(m));
    }
    /// In `memory` on the device, values(solver, longest) values of it. A medium lies in pinned memory, and
    /// its solver is one for media.
    PaddedPiece(const GpuVariant<T>& solver, const Matrix<T>& matrix, std::size_t longest, T* memory)
        : solver_(solver),
          matrix_(matrix),
          now_(memory),
          next_(solver.in_place ? nullptr : memory + aligned<T>(longest)),
          scratch_(memory + (solver.in_place ? 1 : 2) * aligned<T>(longest)) {}

    /// Another driver may have used the memory since.
    void forget() { prepared_ = 0; }
    /// Puts the piece's values and its padding into the stream, and its part of a medium.
    void send(launch::OwnedStream& stream, const Piece& piece, std::span<const T> u) {
        if (matrix_.medium.size() > 0) {
            const std::size_t m = piece.padded(), first = piece.begin - piece.low;
            stream.upload(scratch_, matrix_.medium.lower.subspan(first, m));
            stream.upload(scratch_ + aligned<T>(m), matrix_.medium.diagonal.subspan(first, m));
            stream.upload(scratch_ + 2 * aligned<T>(m), matrix_.medium.upper.subspan(first, m));
            prepared_ = 0;
        }
        stream.clear(now_, piece.low);
        stream.upload(now_ + piece.low, u.subspan(piece.begin, piece.values()));
        stream.clear(now_ + piece.low + piece.values(), piece.high);
    }
    /// Puts h solves into the stream.
    void advance(launch::OwnedStream& stream, const Piece& piece, int h) {
        const std::size_t m = piece.padded();
        if (h > 0 && m != prepared_) solver_.prepare(stream.stream(), matrix_.s, m, scratch_);
        if (h > 0) prepared_ = m;
        solved_ += pyramid::advance(solver_, stream.stream(), matrix_.s, m, h, now_, next_, scratch_);
    }
    /// Rows that all solves had so far.
    std::size_t solved() const { return solved_; }
    /// Puts the fetching of a part of the response into the stream, from the padding's first value on.
    void fetch(launch::OwnedStream& stream, std::size_t first, std::span<T> to) const {
        stream.download(to, now_ + first);
    }

  private:
    const GpuVariant<T>& solver_;
    Matrix<T> matrix_;
    T *now_, *next_, *scratch_;
    std::size_t prepared_ = 0;  ///< order that scratch_ is ready for
    std::size_t solved_ = 0;
};

/// How the synchronous driver cuts a rod, so that all that it keeps on the device are `device_values` values.
/// Throws like pieces_for.
template <class T>
Pieces synchronous_pieces(const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                          std::size_t device_values);
/// The same for the overlapped driver; more pieces than must be where they would be so few that filling and
/// draining the pipeline would show.
template <class T>
Pieces overlapped_pieces(const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                         std::size_t device_values);

/// Values that they keep on the device for these pieces: at most the device_values that the pieces are for.
template <class T>
std::size_t synchronous_values(const GpuVariant<T>& solver, const Pieces& pieces);
template <class T>
std::size_t overlapped_values(const GpuVariant<T>& solver, const Pieces& pieces);

/// As the paper has it: send, compute, fetch the whole response, add it to the (zeroed) next field, one
/// after the other. `memory` on the device is all that it uses there; drivers that take turns may share it.
template <class T>
std::unique_ptr<OutOfCore<T>> synchronous_driver(launch::Device& device, const GpuVariant<T>& solver,
                                                 const Matrix<T>& matrix, const Pieces& pieces, T* memory,
                                                 int threads);

/// The same with one layer in host memory, as the paper says: a piece's response replaces its values, which
/// are on the device by then. What reaches beyond waits in a buffer until the next piece is sent. Its sums
/// are those of the synchronous driver, bit for bit; so are its pieces and their values on the device.
template <class T>
std::unique_ptr<OutOfCore<T>> one_layer_driver(launch::Device& device, const GpuVariant<T>& solver,
                                               const Matrix<T>& matrix, const Pieces& pieces, T* memory,
                                               int threads);

/// Three pieces at a time: one is sent while another is computed and a third one fetched. Each is computed in
/// a stream of its own: the first blocks of one kernel fill the multiprocessors that the last ones of another
/// leave. Of a response only the part that meets the piece before it is added by the host; the rest is
/// fetched to its place.
template <class T>
std::unique_ptr<OutOfCore<T>> overlapped_driver(launch::Device& device, const GpuVariant<T>& solver,
                                                const Matrix<T>& matrix, const Pieces& pieces, T* memory,
                                                int threads);

}  // namespace gridmark::pyramid

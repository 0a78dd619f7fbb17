#include "kernels/pyramid/out_of_core.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace gridmark::pyramid {
namespace {

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

/// to = from, by OpenMP threads.
template <class T>
void copy(std::span<const T> from, std::span<T> to, int threads) {
    const auto count = static_cast<std::ptrdiff_t>(from.size());
#pragma omp parallel for num_threads(threads) schedule(static) if (count > worth_threads)
    for (std::ptrdiff_t i = 0; i < count; ++i)
        to[i] = from[i];
}

/// What both synchronous drivers share: a piece's way over the device and back.
template <class T>
class OneByOne : public OutOfCore<T> {
  public:
    OneByOne(launch::Device& device, const GpuVariant<T>& solver, const Matrix<T>& matrix,
             const Pieces& pieces, T* memory, int threads)
        : pieces_(pieces),
          threads_(threads),
          stream_(device),
          done_(device),
          piece_(solver, matrix, pieces.longest(), memory),
          response_(device, pieces.longest()) {}

    void compute(int h) override {
        piece_.forget();
        for (std::size_t k = 0; k < pieces_.count(); ++k) {
            piece_.advance(stream_, pieces_[k], h);
            wait();
        }
    }

    Traffic traffic() const override { return {stream_.moved(), piece_.solved()}; }
    std::size_t host_values() const override { return response_.span().size(); }

  protected:
    /// The response of h steps to a piece of u, padding included; it stands until the next one.
    std::span<const T> response(const Piece& piece, std::span<const T> u, int h) {
        piece_.send(stream_, piece, u);
        wait();
        piece_.advance(stream_, piece, h);
        wait();
        const auto fetched = response_.span().first(piece.padded());
        piece_.fetch(stream_, 0, fetched);
        wait();
        return fetched;
    }

    Pieces pieces_;
    int threads_;
    launch::OwnedStream stream_;
    launch::Event done_;
    PaddedPiece<T> piece_;

  private:
    void wait() {
        done_.set(stream_.stream());
        done_.wait();
    }

    launch::Pinned<T> response_;
};

template <class T>
class Synchronous final : public OneByOne<T> {
  public:
    using OneByOne<T>::OneByOne;

    void pass(std::span<const T> u, std::span<T> next, int h) override {
        this->piece_.forget();
        clear(next, this->threads_);
        for (std::size_t k = 0; k < this->pieces_.count(); ++k) {
            const Piece piece = this->pieces_[k];
            const auto found = this->response(piece, u, h);
            add<T>(found, next.subspan(piece.begin - piece.low, piece.padded()), this->threads_);
        }
    }
};

template <class T>
class OneLayer final : public OneByOne<T> {
  public:
    OneLayer(launch::Device& device, const GpuVariant<T>& solver, const Matrix<T>& matrix,
             const Pieces& pieces, T* memory, int threads)
        : OneByOne<T>(device, solver, matrix, pieces, memory, threads), beyond_(pieces.padding) {}

    void pass(std::span<const T>, std::span<T> u, int h) override {
        this->piece_.forget();
        for (std::size_t k = 0; k < this->pieces_.count(); ++k) {
            const Piece piece = this->pieces_[k];
            const auto found = this->response(piece, u, h);
            add<T>(found.first(piece.low), u.subspan(piece.begin - piece.low, piece.low), this->threads_);
            const auto own = u.subspan(piece.begin, piece.values());
            copy<T>(found.subspan(piece.low, piece.values()), own, this->threads_);
            // Further than the piece itself the one before does not reach: pieces are as long as their
            // padding.
            const std::size_t reached = this->pieces_.reached_before(k);
            add<T>(std::span<const T>(beyond_).first(reached), own.first(reached), this->threads_);
            copy<T>(found.last(piece.high), beyond_, this->threads_);
        }
    }

    std::size_t host_values() const override { return OneByOne<T>::host_values() + beyond_.size(); }

  private:
    std::vector<T> beyond_;  ///< what the last piece's response reached behind it
};

constexpr std::size_t stages = 3;
/// The first upload and the last download overlap with nothing; of so many they are few.
constexpr std::size_t enough_pieces = 24;

std::size_t stages_for(const Pieces& pieces) {
    return std::min(stages, pieces.count());
}

/// A staging buffer, and how far the piece in it is.
template <class T>
struct Stage {
    PaddedPiece<T> piece;
    launch::OwnedStream compute;
    launch::Pinned<T> overlap;  ///< the part of its response that meets the piece before it
    launch::Passage passage;

    Stage(launch::Device& device, const GpuVariant<T>& solver, const Matrix<T>& matrix, const Pieces& pieces,
          T* memory)
        : piece(solver, matrix, pieces.longest(), memory),
          compute(device),
          overlap(device, 2 * pieces.padding),
          passage(device) {}
};

template <class T>
class Overlapped final : public OutOfCore<T> {
  public:
    Overlapped(launch::Device& device, const GpuVariant<T>& solver, const Matrix<T>& matrix,
               const Pieces& pieces, T* memory, int threads)
        : pieces_(pieces), threads_(threads), up_(device), down_(device) {
        for (std::size_t k = 0; k < stages_for(pieces); ++k)
            stages_.push_back(
                std::make_unique<Stage<T>>(device, solver, matrix, pieces,
                                           memory + k * PaddedPiece<T>::values(solver, pieces.longest())));
    }

    void pass(std::span<const T> u, std::span<T> next, int h) override {
        forget();
        const std::size_t count = pieces_.count();
        for (std::size_t k = 0; k < count; ++k) {
            if (k >= stages) finish(k - stages, next);
            start(k, u, next, h);
        }
        for (std::size_t k = count - stages_.size(); k < count; ++k)
            finish(k, next);
    }

    void compute(int h) override {
        forget();
        for (std::size_t k = 0; k < pieces_.count(); ++k)
            stages_[k % stages]->piece.advance(stages_[k % stages]->compute, pieces_[k], h);
        for (const auto& stage : stages_) {
            stage->passage.computed.set(stage->compute.stream());
            stage->passage.computed.wait();
        }
    }

    Traffic traffic() const override {
        Traffic sum{{up_.moved().up, down_.moved().down}};
        for (const auto& stage : stages_)
            sum.solved += stage->piece.solved();
        return sum;
    }
    std::size_t host_values() const override { return stages_.size() * 2 * pieces_.padding; }

  private:
    void forget() {
        for (const auto& stage : stages_)
            stage->piece.forget();
    }

    /// The part of piece k's response that meets the one before it: from the padding's first value to the
    /// last that the other one reached.
    std::size_t overlap_of(std::size_t k) const { return pieces_[k].low + pieces_.reached_before(k); }

    void start(std::size_t k, std::span<const T> u, std::span<T> next, int h) {
        Stage<T>& stage = *stages_[k % stages];
        const Piece piece = pieces_[k];
        const std::size_t overlap = overlap_of(k), first = piece.begin - piece.low;
        stage.passage.put(
            up_.stream(), stage.compute.stream(), down_.stream(), [&] { stage.piece.send(up_, piece, u); },
            [&] { stage.piece.advance(stage.compute, piece, h); },
            [&] {
                stage.piece.fetch(down_, 0, stage.overlap.span().first(overlap));
                stage.piece.fetch(down_, overlap, next.subspan(first + overlap, piece.padded() - overlap));
            });
    }

    /// Waits for piece k and adds what meets the piece before it, whose own values are there by then:
    /// downloads come in order. After that its buffer is free.
    void finish(std::size_t k, std::span<T> next) {
        Stage<T>& stage = *stages_[k % stages];
        stage.passage.fetched.wait();
        const Piece piece = pieces_[k];
        const std::size_t overlap = overlap_of(k);
        add<T>(stage.overlap.span().first(overlap), next.subspan(piece.begin - piece.low, overlap), threads_);
    }

    Pieces pieces_;
    int threads_;
    launch::OwnedStream up_, down_;
    std::vector<std::unique_ptr<Stage<T>>> stages_;
};

}  // namespace

template <class T>
Pieces synchronous_pieces(const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                          std::size_t device_values) {
    return pieces_for(n, padding, device_values,
                      [&](std::size_t m) { return PaddedPiece<T>::values(solver, m); });
}

template <class T>
std::size_t synchronous_values(const GpuVariant<T>& solver, const Pieces& pieces) {
    return PaddedPiece<T>::values(solver, pieces.longest());
}

template <class T>
std::unique_ptr<OutOfCore<T>> synchronous_driver(launch::Device& device, const GpuVariant<T>& solver,
                                                 const Matrix<T>& matrix, const Pieces& pieces, T* memory,
                                                 int threads) {
    return std::make_unique<Synchronous<T>>(device, solver, matrix, pieces, memory, threads);
}

template <class T>
std::unique_ptr<OutOfCore<T>> one_layer_driver(launch::Device& device, const GpuVariant<T>& solver,
                                               const Matrix<T>& matrix, const Pieces& pieces, T* memory,
                                               int threads) {
    return std::make_unique<OneLayer<T>>(device, solver, matrix, pieces, memory, threads);
}

template <class T>
Pieces overlapped_pieces(const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                         std::size_t device_values) {
    if (PaddedPiece<T>::values(solver, n) <= device_values) return {n, n, 0};
    Pieces pieces = pieces_for(n, padding, device_values,
                               [&](std::size_t m) { return stages * PaddedPiece<T>::values(solver, m); });
    const std::size_t short_enough = (n + enough_pieces - 1) / enough_pieces;
    pieces.length = std::min(pieces.length, std::max(short_enough, padding));
    return pieces;
}

template <class T>
std::size_t overlapped_values(const GpuVariant<T>& solver, const Pieces& pieces) {
    return stages_for(pieces) * PaddedPiece<T>::values(solver, pieces.longest());
}

template <class T>
std::unique_ptr<OutOfCore<T>> overlapped_driver(launch::Device& device, const GpuVariant<T>& solver,
                                                const Matrix<T>& matrix, const Pieces& pieces, T* memory,
                                                int threads) {
    return std::make_unique<Overlapped<T>>(device, solver, matrix, pieces, memory, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                          \
    template Pieces synchronous_pieces(const GpuVariant<T>&, std::size_t, std::size_t, std::size_t);     \
    template std::size_t synchronous_values(const GpuVariant<T>&, const Pieces&);                        \
    template std::unique_ptr<OutOfCore<T>> synchronous_driver(launch::Device&, const GpuVariant<T>&,     \
                                                              const Matrix<T>&, const Pieces&, T*, int); \
    template std::unique_ptr<OutOfCore<T>> one_layer_driver(launch::Device&, const GpuVariant<T>&,       \
                                                            const Matrix<T>&, const Pieces&, T*, int);   \
    template Pieces overlapped_pieces(const GpuVariant<T>&, std::size_t, std::size_t, std::size_t);      \
    template std::size_t overlapped_values(const GpuVariant<T>&, const Pieces&);                         \
    template std::unique_ptr<OutOfCore<T>> overlapped_driver(launch::Device&, const GpuVariant<T>&,      \
                                                             const Matrix<T>&, const Pieces&, T*, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::pyramid

#include <algorithm>

#include "kernels/pyramid/out_of_core.hpp"
#include "kernels/pyramid/padded_piece.hpp"

namespace gridmark::pyramid {
namespace {

template <class T>
class Synchronous final : public OutOfCore<T> {
  public:
    Synchronous(launch::Device& device, const GpuVariant<T>& solver, double s, const Pieces& pieces,
                T* memory, int threads)
        : pieces_(pieces),
          threads_(threads),
          queue_(device),
          done_(device),
          piece_(solver, s, pieces.longest(), memory),
          response_(device, pieces.longest()) {}

    void pass(std::span<const T> u, std::span<T> next, int h) override {
        piece_.forget();
        clear(next, threads_);
        for (std::size_t k = 0; k < pieces_.count(); ++k) {
            const Piece piece = pieces_[k];
            piece_.send(queue_, piece, u);
            wait();
            piece_.advance(queue_, piece, h);
            wait();
            const auto response = response_.span().first(piece.padded());
            piece_.fetch(queue_, 0, response);
            wait();
            add<T>(response, next.subspan(piece.begin - piece.low, piece.padded()), threads_);
        }
    }

    void compute(int h) override {
        piece_.forget();
        for (std::size_t k = 0; k < pieces_.count(); ++k) {
            piece_.advance(queue_, pieces_[k], h);
            wait();
        }
    }

  private:
    void wait() {
        done_.set(queue_.stream());
        done_.wait();
    }

    Pieces pieces_;
    int threads_;
    launch::OwnedStream queue_;
    launch::Event done_;
    PaddedPiece<T> piece_;
    launch::Pinned<T> response_;
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
                                                 double s, const Pieces& pieces, T* memory, int threads) {
    return std::make_unique<Synchronous<T>>(device, solver, s, pieces, memory, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                                              \
    template Pieces synchronous_pieces(const GpuVariant<T>&, std::size_t, std::size_t, std::size_t);         \
    template std::size_t synchronous_values(const GpuVariant<T>&, const Pieces&);                            \
    template std::unique_ptr<OutOfCore<T>> synchronous_driver(launch::Device&, const GpuVariant<T>&, double, \
                                                              const Pieces&, T*, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::pyramid

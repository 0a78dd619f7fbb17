#include "kernels/jacobi/ranks.hpp"

#include <algorithm>

#include "kernels/jacobi/cpu.hpp"

namespace gridmark::jacobi {
namespace {

/// Points of a box from which threads pay; frames have fewer.
constexpr std::size_t worth_threads = 1 << 14;

template <class T>
class JacobiPart final : public ranks::TwoBuffers<T> {
    using ranks::TwoBuffers<T>::device_, ranks::TwoBuffers<T>::now_, ranks::TwoBuffers<T>::next_;

  public:
    JacobiPart(launch::Device* device, const Problem& problem, const ranks::Box& stored, std::uint64_t seed,
               int threads)
        : ranks::TwoBuffers<T>(device, stored, sweep_reach()),
          problem_(problem),
          seed_(seed),
          threads_(threads),
          coefficients_(coefficients<T>(problem)),
          omega_(device, stored) {}

    void start() override {
        const auto psi = [this](int i, int j, int) {
            return static_cast<T>(initial_psi_at(problem_, seed_, i, j));
        };
        now_.fill(psi, threads_);
        next_.fill(psi, threads_);  // a sweep leaves the fixed points out
        omega_.fill(
            [this](int i, int j, int) {
                return static_cast<T>(random_omega_at(seed_, i + static_cast<std::size_t>(j) * problem_.nx));
            },
            threads_);
    }

    void update(int, const ranks::Box& box) override {
        const BoxSweep<T> sweep{problem_, coefficients_, now_.field(), omega_.field(), next_.field(), box};
        if (device_ == nullptr)
            sweep_rows(sweep);
        else
            GRIDMARK_SELECT(device_->stream(), sweep_box<T>)(device_->stream(), sweep);
    }

  private:
    void sweep_rows(const BoxSweep<T>& s) const {
        const Problem& p = problem_;
        const int last = p.nx - 1, left = s.psi.stored.low[0], begin = std::max(s.box.low[0], 1),
                  end = std::min(s.box.high[0], last);
#pragma omp parallel for schedule(static) num_threads(threads_) if (s.box.points() > worth_threads)
        for (int j = std::max(s.box.low[1], 1); j < std::min(s.box.high[1], p.ny - 1); ++j) {
            const auto segment = [&](int from, int to) {
                segment_(coefficients_.a, coefficients_.b, coefficients_.c, s.psi.at(left, j, 0),
                         s.omega.at(left, j, 0), s.next.at(left, j, 0), s.psi.stride[1],
                         std::max(from, begin) - left, std::min(to, end) - left);
            };
            const bool body = j >= p.body.y1 && j <= p.body.y2 && p.body.x1 <= p.body.x2;
            segment(begin, body ? p.body.x1 : end);
            if (body) segment(p.body.x2 + 1, end);
            if (s.box.high[0] == p.nx && kind(p, last, j) == Kind::outflow)
                *s.next.at(last, j, 0) = *s.psi.at(last - 1, j, 0);
        }
    }

    Problem problem_;
    std::uint64_t seed_;
    int threads_;
    Coefficients<T> coefficients_;
    Segment<T> segment_ = widest_segment<T>();
    ranks::Array<T> omega_;
};

}  // namespace

ranks::Box grid_box(const Problem& problem) {
    return {{0, 0, 0}, {problem.nx, problem.ny, 1}};
}

ranks::Reach sweep_reach() {
    return {{1, 1, 0}, {1, 1, 0}};
}

template <class T>
std::unique_ptr<ranks::Part<T>> cpu_part(const Problem& problem, const ranks::Box& stored, std::uint64_t seed,
                                         int threads) {
    return std::make_unique<JacobiPart<T>>(nullptr, problem, stored, seed, threads);
}

template <class T>
std::unique_ptr<ranks::Part<T>> gpu_part(launch::Device& device, const Problem& problem,
                                         const ranks::Box& stored, std::uint64_t seed) {
    return std::make_unique<JacobiPart<T>>(&device, problem, stored, seed, 1);
}

#define GRIDMARK_INSTANTIATE(T)                                                                           \
    template std::unique_ptr<ranks::Part<T>> cpu_part(const Problem&, const ranks::Box&, std::uint64_t,   \
                                                      int);                                               \
    template std::unique_ptr<ranks::Part<T>> gpu_part(launch::Device&, const Problem&, const ranks::Box&, \
                                                      std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::jacobi

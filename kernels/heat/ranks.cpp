#include "kernels/heat/ranks.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/heat/cpu_row.hpp"
#include "kernels/heat/layout.hpp"
#include "kernels/precision.hpp"

namespace gridmark::heat {
namespace {

/// The interior and the fixed layers around it.
ranks::Box with_fixed_layers(const Problem& problem) {
    return ranks::grown(grid_box(problem), {{halo, halo, halo}, {halo, halo, halo}});
}

bool contains(const ranks::Box& box, int x, int y, int z) {
    return x >= box.low[0] && x < box.high[0] && y >= box.low[1] && y < box.high[1] && z >= box.low[2] &&
           z < box.high[2];
}

template <class T>
class HeatPart final : public ranks::TwoBuffers<T> {
    using ranks::TwoBuffers<T>::device_, ranks::TwoBuffers<T>::now_, ranks::TwoBuffers<T>::next_;

  public:
    HeatPart(launch::Device* device, const Problem& problem, const ranks::Box& stored, StartFunction<T> start,
             int threads)
        : ranks::TwoBuffers<T>(device, stored, star_reach()),
          problem_(problem),
          start_(std::move(start)),
          threads_(threads),
          beta_(device, ranks::common(stored, grid_box(problem))) {}

    void start() override {
        const ranks::Box interior = grid_box(problem_);
        const T outside = static_cast<T>(problem_.boundary);
        now_.fill([&](int x, int y,
                      int z) { return contains(interior, x, y, z) ? start_(x, y, z).temperature : outside; },
                  threads_);
        // Of these only the fixed layers are read before a step has written them.
        next_.fill([&](int, int, int) { return outside; }, threads_);
        beta_.fill([&](int x, int y, int z) { return start_(x, y, z).beta; }, threads_);
    }

    void update(int, const ranks::Box& box) override {
        const BoxStep<T> step{coefficients<T>(problem_), now_.field(), beta_.field(), next_.field(), box};
        if (device_ == nullptr)
            step_rows(step);
        else
            GRIDMARK_SELECT(device_->stream(), step_box<T>)(device_->stream(), step);
    }

  private:
    void step_rows(const BoxStep<T>& s) const {
        const int x = s.box.low[0], row = static_cast<int>(s.now.stride[1]),
                  plane = static_cast<int>(s.now.stride[2]);
#pragma omp parallel for collapse(2) schedule(static) num_threads(threads_)
        for (int z = s.box.low[2]; z < s.box.high[2]; ++z)
            for (int y = s.box.low[1]; y < s.box.high[1]; ++y)
                row_(s.coefficients, s.now.at(x, y, z), s.beta.at(x, y, z), s.next.at(x, y, z), row, plane,
                     s.box.size(0), false);
    }

    Problem problem_;
    StartFunction<T> start_;
    int threads_;
    void (*row_)(const Coefficients<T>&, const T*, const T*, T*, int, int, int,
                 bool) = for_precision<T>(for_widest_isa(GRIDMARK_VERSIONS(row_float)),
                                          for_widest_isa(GRIDMARK_VERSIONS(row_double)));
    ranks::Array<T> beta_;
};

}  // namespace

ranks::Box grid_box(const Problem& problem) {
    return {{0, 0, 0}, {problem.nx, problem.ny, problem.nz}};
}

ranks::Reach star_reach() {
    return {{halo, halo, halo}, {halo, halo, halo}};
}

ranks::Box stored_box(const Problem& problem, const ranks::Box& own, int steps_per_exchange) {
    ranks::Box box = own;
    for (int k = 0; k < steps_per_exchange; ++k)
        box = ranks::grown(box, star_reach());
    return ranks::common(box, with_fixed_layers(problem));
}

template <class T>
std::unique_ptr<ranks::Part<T>> cpu_part(const Problem& problem, const ranks::Box& stored,
                                         StartFunction<T> start, int threads) {
    // The rows' functions look two planes ahead with an int.
    if (static_cast<long long>(stored.size(0)) * stored.size(1) > std::numeric_limits<int>::max() / halo)
        throw std::invalid_argument("a rank's plane of " + std::to_string(stored.size(0)) + " x " +
                                    std::to_string(stored.size(1)) +
                                    " points is too large for the CPU: below 2^30 points fit");
    return std::make_unique<HeatPart<T>>(nullptr, problem, stored, std::move(start), threads);
}

template <class T>
std::unique_ptr<ranks::Part<T>> gpu_part(launch::Device& device, const Problem& problem,
                                         const ranks::Box& stored, StartFunction<T> start) {
    return std::make_unique<HeatPart<T>>(&device, problem, stored, std::move(start), 1);
}

#define GRIDMARK_INSTANTIATE(T)                                                                            \
    template std::unique_ptr<ranks::Part<T>> cpu_part(const Problem&, const ranks::Box&, StartFunction<T>, \
                                                      int);                                                \
    template std::unique_ptr<ranks::Part<T>> gpu_part(launch::Device&, const Problem&, const ranks::Box&,  \
                                                      StartFunction<T>);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat

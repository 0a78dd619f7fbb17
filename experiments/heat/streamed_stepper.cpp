#include <algorithm>
#include <utility>

#include "experiments/heat/streamed.hpp"

namespace gridmark::heat {
namespace {

template <class T>
class Passes final : public StreamedStepper<T> {
  public:
    Passes(launch::Device& device, const Problem& problem, const GpuVariant<T>& kernel, const Slabs& slabs,
           std::span<const T> beta)
        : problem_(problem),
          kernel_(kernel),
          layout_(kernel.layout(problem)),
          height_(slabs.height),
          memory_(device, device_values<T>(problem, slabs)),
          first_(device, layout_.size()),
          // A skewed pass writes where it has read.
          second_(device, slabs.schedule == Schedule::pyramid ? layout_.size() : 0),
          beta_(device, beta.size()),
          now_(first_.span()),
          next_(second_.span().empty() ? now_ : second_.span()),
          streamed_(device, kernel, problem, slabs, beta_.span(), memory_.data()) {
        const auto count = static_cast<std::ptrdiff_t>(beta.size());
        const std::span<T> to = beta_.span();
#pragma omp parallel for schedule(static)
        for (std::ptrdiff_t i = 0; i < count; ++i)
            to[i] = beta[i];
    }

    void start(std::span<const T> t0, std::span<const T> target) override {
        store(problem_, layout_, target, next_.data());
        store(problem_, layout_, t0, now_.data());
        select();
    }
    void steps(int count) override {
        for (; count > 0; count -= height_, std::swap(now_, next_))
            streamed_.pass(now_, next_, std::min(count, height_));
    }
    void read(std::span<T> interior) override {
        load<T>(problem_, layout_, now_.data(), interior);
    }
    void select() override {
        kernel_.prepare(kernel_.carveout, BetaPath::load);
    }
    std::optional<launch::KernelInfo> kernel_info() const override {
        return kernel_.info(BetaPath::load);
    }
    launch::Moved moved() const override {
        return streamed_.moved();
    }

  private:
    Problem problem_;
    const GpuVariant<T>& kernel_;
    Layout layout_;
    int height_;
    launch::Buffer<T> memory_;
    launch::Pinned<T> first_, second_, beta_;
    std::span<T> now_, next_;
    Streamed<T> streamed_;
};

}  // namespace

template <class T>
Slabs slabs_of(const Problem& problem, const StreamedVersion& version, int height, int depth) {
    const auto& kernel = *find_gpu_variant<T>(launch::Executor::host, version.kernel);
    return {version.schedule, problem.nz, depth, height, kernel.steps_per_launch.most};
}

template <class T>
Slabs slabs_for(const Problem& problem, const StreamedVersion& version, int height, std::size_t values) {
    const Slabs least = slabs_of<T>(problem, version, height, 1);
    return slabs_for<T>(problem, version.schedule, height, least.steps_per_launch, values);
}

template <class T>
std::unique_ptr<StreamedStepper<T>> streamed_stepper(launch::Device& device, const Problem& problem,
                                                     const StreamedVersion& version, const Slabs& slabs,
                                                     std::span<const T> beta) {
    return std::make_unique<Passes<T>>(device, problem,
                                       *find_gpu_variant<T>(device.executor(), version.kernel), slabs, beta);
}

#define GRIDMARK_INSTANTIATE(T)                                                            \
    template Slabs slabs_of<T>(const Problem&, const StreamedVersion&, int, int);          \
    template Slabs slabs_for<T>(const Problem&, const StreamedVersion&, int, std::size_t); \
    template std::unique_ptr<StreamedStepper<T>> streamed_stepper(                         \
        launch::Device&, const Problem&, const StreamedVersion&, const Slabs&, std::span<const T>);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat

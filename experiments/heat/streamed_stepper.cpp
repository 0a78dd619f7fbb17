#include <algorithm>
#include <utility>

#include "experiments/heat/streamed.hpp"

namespace gridmark::heat {
namespace {

template <class T>
class Passes final : public StreamedStepper<T> {
  public:
    /// A skewed pass writes where it has read, any other into the second field.
    Passes(launch::Device& device, const Problem& problem, const GpuVariant<T>& kernel, const Slabs& slabs,
           KeptFields<T> fields)
        : problem_(problem),
          kernel_(kernel),
          layout_(kernel.layout(problem)),
          height_(slabs.height),
          memory_(device, device_values<T>(problem, slabs)),
          fields_(std::move(fields)),
          now_(fields_->first->span().first(layout_.size())),
          next_(slabs.schedule == Schedule::pyramid ? fields_->second->span().first(layout_.size()) : now_),
          streamed_(device, kernel, problem, slabs, fields_->beta->span().first(problem.points()),
                    memory_.data()) {}

    void start(std::span<const T> t0, std::span<const T> target) override {
        store(problem_, layout_, target, next_.data());
        store(problem_, layout_, t0, now_.data());
        select();
    }
    void steps(int count) override {
        for (; count > 0; count -= height_, std::swap(now_, next_))
            streamed_.pass(now_, next_, std::min(count, height_));
    }
    void read(std::span<T> interior) override { load<T>(problem_, layout_, now_.data(), interior); }
    void select() override { kernel_.prepare(kernel_.carveout, BetaPath::load); }
    std::optional<launch::KernelInfo> kernel_info() const override { return kernel_.info(BetaPath::load); }
    launch::Moved moved() const override { return streamed_.moved(); }

  private:
    Problem problem_;
    const GpuVariant<T>& kernel_;
    Layout layout_;
    int height_;
    launch::Buffer<T> memory_;
    KeptFields<T> fields_;
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

namespace {

/// Memory for so many values at least.
template <class T>
void pin(launch::Device& device, std::unique_ptr<launch::Pinned<T>>& memory, std::size_t count) {
    if (memory != nullptr && memory->span().size() >= count) return;
    memory.reset();  // before the new one takes as much
    memory = std::make_unique<launch::Pinned<T>>(device, count);
}

}  // namespace

template <class T>
std::unique_ptr<StreamedStepper<T>> streamed_stepper(launch::Device& device, const Problem& problem,
                                                     const StreamedVersion& version, const Slabs& slabs,
                                                     std::span<const T> beta, KeptFields<T>* kept) {
    const auto& kernel = *find_gpu_variant<T>(device.executor(), version.kernel);
    KeptFields<T> fields = kept != nullptr && *kept != nullptr && kept->use_count() == 1
                               ? *kept
                               : std::make_shared<PinnedFields<T>>();
    const std::size_t count = kernel.layout(problem).size();
    pin(device, fields->first, count);
    if (slabs.schedule == Schedule::pyramid) pin(device, fields->second, count);
    if (fields->beta == nullptr || fields->beta_from != beta.data() ||
        fields->beta->span().size() != beta.size()) {
        fields->beta_from = nullptr;
        pin(device, fields->beta, beta.size());
        const std::span<T> to = fields->beta->span();
        const auto values = static_cast<std::ptrdiff_t>(beta.size());
#pragma omp parallel for schedule(static)
        for (std::ptrdiff_t i = 0; i < values; ++i)
            to[i] = beta[i];
        fields->beta_from = beta.data();
    }
    if (kept != nullptr) *kept = fields;
    return std::make_unique<Passes<T>>(device, problem, kernel, slabs, std::move(fields));
}

#define GRIDMARK_INSTANTIATE(T)                                                                         \
    template Slabs slabs_of<T>(const Problem&, const StreamedVersion&, int, int);                       \
    template Slabs slabs_for<T>(const Problem&, const StreamedVersion&, int, std::size_t);              \
    template std::unique_ptr<StreamedStepper<T>> streamed_stepper(launch::Device&, const Problem&,      \
                                                                  const StreamedVersion&, const Slabs&, \
                                                                  std::span<const T>, KeptFields<T>*);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat

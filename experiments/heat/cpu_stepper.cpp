#include <algorithm>
#include <map>

#include "experiments/heat/stepper.hpp"

namespace gridmark::heat {
namespace {

/// The versions with vectors.
const std::map<std::string, Isa> isas{
    {"cpu_sse", Isa::sse}, {"cpu_avx2", Isa::avx2}, {"cpu_avx512", Isa::avx512}};

template <class T>
class CpuStepper final : public Stepper<T> {
  public:
    CpuStepper(const Problem& problem, const std::string& variant, const Cut& cut, int threads, const T* beta)
        : problem_(problem),
          variant_(variant),
          layout_(variant == "cpu_naive" ? tight_layout(problem) : aligned_layout(problem, sizeof(T))),
          cut_(cut),
          threads_(threads),
          beta_(beta),
          memory_(threads) {}

    void start(std::span<const T> t0, std::span<const T> target) override {
        now_ = store(problem_, layout_, t0);
        next_ = store(problem_, layout_, target);
    }

    void steps(int count) override {
        while (count > 0) {
            count -= step(count);
            std::swap(now_, next_);
        }
    }

    int steps_per_launch() const override { return std::max(1, steps_of_march(variant_, sizeof(T))); }

    void read(std::span<T> interior) override { load(problem_, layout_, now_.data(), interior); }

  private:
    /// Does one or several, `most` at most; returns how many.
    int step(int most) {
        if (variant_ == "cpu_naive") {
            cpu_naive(problem_, now_.data(), beta_, next_.data(), threads_);
        } else if (const auto* const blocking = std::get_if<Blocking>(&cut_)) {
            if (variant_ == "cpu_blocked")
                cpu_blocked(problem_, now_.data(), beta_, next_.data(), *blocking, threads_);
            else
                cpu_vector(isas.at(variant_), problem_, now_.data(), beta_, next_.data(), *blocking,
                           threads_);
        } else {
            Wavefront wavefront = std::get<Wavefront>(cut_);
            wavefront.steps = std::min(wavefront.steps, most);
            cpu_wavefront(for_widest_isa(Isa::sse, Isa::avx2, Isa::avx512), problem_, now_.data(), beta_,
                          next_.data(), wavefront, memory_);
            return wavefront.steps;
        }
        return 1;
    }

    Problem problem_;
    std::string variant_;
    Layout layout_;
    Cut cut_;
    int threads_;
    const T* beta_;
    Storage<T> now_, next_;
    std::vector<Storage<T>> memory_;  // of the marches, a thread each
};

}  // namespace

bool is_cpu_version(const std::string& variant) {
    return variant.starts_with("cpu_");
}

int steps_of_march(const std::string& variant, std::size_t value_bytes) {
    if (variant == "cpu_march") return 1;
    if (variant == "cpu_wavefront") return value_bytes > 4 ? 2 : 3;  // twice the bytes, half the room
    return 0;
}

std::string missing_isa(const std::string& variant) {
    const auto isa = isas.find(variant);
    if (isa == isas.end() || has_isa(isa->second)) return {};
    return isa->second == Isa::avx512 ? "this CPU has no AVX-512 (F and VL)"
                                      : "this CPU has no AVX2 with FMA";
}

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, const Cut& cut,
                                        int threads, const T* beta) {
    return std::make_unique<CpuStepper<T>>(problem, variant, cut, threads, beta);
}

template std::unique_ptr<Stepper<float>> cpu_stepper(const Problem&, const std::string&, const Cut&, int,
                                                     const float*);
template std::unique_ptr<Stepper<double>> cpu_stepper(const Problem&, const std::string&, const Cut&, int,
                                                      const double*);

}  // namespace gridmark::heat

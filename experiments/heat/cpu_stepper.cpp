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
    CpuStepper(const Problem& problem, const std::string& variant, const Blocking& blocking, int threads,
               const T* beta)
        : problem_(problem),
          variant_(variant),
          layout_(variant == "cpu_naive" ? tight_layout(problem) : aligned_layout(problem, sizeof(T))),
          blocking_(blocking),
          threads_(threads),
          beta_(beta) {}

    void start(std::span<const T> t0, std::span<const T> target) override {
        now_ = store(problem_, layout_, t0);
        next_ = store(problem_, layout_, target);
    }

    void steps(int count) override {
        for (int n = 0; n < count; ++n) {
            step();
            std::swap(now_, next_);
        }
    }

    void read(std::span<T> interior) override { load(problem_, layout_, now_.data(), interior); }

  private:
    void step() {
        if (variant_ == "cpu_naive")
            cpu_naive(problem_, now_.data(), beta_, next_.data(), threads_);
        else if (variant_ == "cpu_blocked")
            cpu_blocked(problem_, now_.data(), beta_, next_.data(), blocking_, threads_);
        else
            cpu_vector(isas.at(variant_), problem_, now_.data(), beta_, next_.data(), blocking_, threads_);
    }

    Problem problem_;
    std::string variant_;
    Layout layout_;
    Blocking blocking_;
    int threads_;
    const T* beta_;
    Storage<T> now_, next_;
};

}  // namespace

bool is_cpu_version(const std::string& variant) {
    return variant.starts_with("cpu_");
}

bool is_blocked(const std::string& variant) {
    return is_cpu_version(variant) && variant != "cpu_naive";
}

std::string missing_isa(const std::string& variant) {
    const auto isa = isas.find(variant);
    if (isa == isas.end() || has_isa(isa->second)) return {};
    return isa->second == Isa::avx512 ? "this CPU has no AVX-512 (F and VL)"
                                      : "this CPU has no AVX2 with FMA";
}

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant,
                                        const Blocking& blocking, int threads, const T* beta) {
    return std::make_unique<CpuStepper<T>>(problem, variant, blocking, threads, beta);
}

template std::unique_ptr<Stepper<float>> cpu_stepper(const Problem&, const std::string&, const Blocking&, int,
                                                     const float*);
template std::unique_ptr<Stepper<double>> cpu_stepper(const Problem&, const std::string&, const Blocking&,
                                                      int, const double*);

}  // namespace gridmark::heat

#include <cmath>
#include <vector>

#include "experiments/faulty/fault.hpp"
#include "experiments/faulty/moments.hpp"
#include "experiments/faulty/works.hpp"

namespace gridmark::faulty {
namespace {

class CpuWork final : public harness::Work {
  public:
    explicit CpuWork(std::string place) : place_(std::move(place)) { fault_here(place_, "prepare"); }

    harness::Verification verify() override {
        fault_here(place_, "verify");
        negate();
        double sum = armed(place_, "verify", "wrong") ? 1 : 0;
        if (armed(place_, "verify", "nan")) sum = std::nan("");
        for (const double value : values_)
            sum += value + 1;
        return {"what is known", std::abs(sum), 0, 1};
    }
    void iterate(int count) override {
        fault_here(place_, moments_.of(count));
        for (int k = 0; k < count; ++k)
            negate();
    }

  private:
    void negate() {
        for (double& value : values_)
            value = -value;
    }

    std::string place_;
    Moments moments_;
    std::vector<double> values_ = std::vector<double>(1000, 1.0);
};

}  // namespace

std::unique_ptr<harness::Work> cpu_work(const std::string& place) {
    return std::make_unique<CpuWork>(place);
}

}  // namespace gridmark::faulty

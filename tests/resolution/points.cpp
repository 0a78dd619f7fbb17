// The one experiment of gridmark_resolution: some points of each study, timed as the study times them.
//
// An iteration is a batch of 33 of the study's own, or of 34 in the place of 33: a slow-down of 3.03 % that
// is really there, of any kernel, small or large. GPU points take GRIDMARK_RESOLUTION_STEPS (33 if it is not
// set; 1: the study's own rows). CPU points stand in one run three times: 66, 66 again and 68.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "harness/experiment.hpp"

namespace gridmark {
namespace resolution {

/// The experiments of the real program; CMake makes the function.
const std::vector<harness::Experiment>& studies();

}  // namespace resolution

namespace {

using harness::Group;
using harness::Plan;
using harness::Point;
using harness::Series;
using harness::Work;

constexpr int batch = 33;
/// Of CPU points: even numbers, so that each sample begins with the buffer of the one before it.
constexpr int cpu_batch = 66;

/// So many iterations of another work as one.
class Batch final : public Work {
  public:
    Batch(std::unique_ptr<Work> one, int size) : one_(std::move(one)), size_(size) {}
    harness::Verification verify() override { return one_->verify(); }
    void iterate(int count) override { one_->iterate(count * size_); }
    void select() override { one_->select(); }
    std::optional<launch::KernelInfo> kernel_info() const override { return one_->kernel_info(); }

  private:
    std::unique_ptr<Work> one_;
    int size_;
};

Point batched(Point point, const std::string& name, Series series, int size) {
    point.name = "resolution/" + name;
    point.series = {series};
    point.bytes *= size;
    point.flops *= size;
    point.launches *= size;
    point.iterations = 0;
    point.samples = 0;
    point.prepare = [prepare = point.prepare, size]() -> std::unique_ptr<Work> {
        return std::make_unique<Batch>(prepare(), size);
    };
    return point;
}

/// Points of a plan with such a series, at most so large; `count` of them, spread over the plan's order by
/// the golden ratio: at equal distances plans that take two variants in turns would give one of them only.
std::vector<std::pair<Point, Series>> spread(const Plan& plan, Series::Clock clock, double most_bytes,
                                             std::size_t count) {
    std::vector<std::pair<Point, Series>> all;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            for (const Series& series : point.series)
                if (series.clock == clock && !series.cold && point.bytes < most_bytes)
                    all.emplace_back(point, series);
    std::vector<std::pair<Point, Series>> some;
    count = std::min(count, all.size());
    std::set<std::size_t> taken;
    for (double at = 0; taken.size() < count; at += 0.6180339887498949)
        taken.insert(static_cast<std::size_t>((at - std::floor(at)) * static_cast<double>(all.size())));
    for (const std::size_t i : taken)
        some.push_back(all[i]);
    return some;
}

Plan plan(const harness::PlanContext& context) {
    const char* const steps = std::getenv("GRIDMARK_RESOLUTION_STEPS");
    const int size = steps == nullptr ? batch : std::max(1, std::atoi(steps));
    Plan result;
    for (const harness::Experiment& study : resolution::studies()) {
        const Plan own = harness::planned_here(study, context);
        for (const auto& [point, series] : spread(own, Series::Clock::kernel, 1e9, 8))
            result.groups.push_back(
                {"gpu/" + point.name, {batched(point, "gpu/" + point.name, series, size)}});
        for (const auto& [point, series] : spread(own, Series::Clock::wall, 5e6, 3)) {
            const std::string name = "cpu/" + point.name;
            result.groups.push_back({name,
                                     {batched(point, name + "/first", series, cpu_batch),
                                      batched(point, name + "/again", series, cpu_batch),
                                      batched(point, name + "/slower", series, cpu_batch + 2)}});
        }
    }
    return result;
}

harness::Solution solve(const harness::SolveRequest&) {
    return {};
}

}  // namespace

namespace harness {

const std::map<std::string, Experiment>& experiments() {
    static const std::map<std::string, Experiment> all{
        {"resolution", {R"({"claims": []})", {}, plan, solve}}};
    return all;
}

}  // namespace harness
}  // namespace gridmark

// At which ceilings a claim would turn.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/forecast/forecast.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/rows.hpp"
#include "harness/verdicts/pairs.hpp"

namespace gridmark::harness {
namespace {

/// The model of one row at any ceilings.
class RowModel {
  public:
    RowModel(const std::map<std::string, TimedRow>& planned, const Row& row) {
        const auto found = planned.find(row.name);
        if (found == planned.end() || !row.is_time()) return;
        point_ = found->second.point;
        series_ = found->second.series;
        if (row.kernel) resident_ = row.kernel->blocks_per_multiprocessor;
    }

    std::optional<Prediction> at(const MachineLimits& machine) const {
        if (point_ == nullptr) return std::nullopt;
        return predict(*point_, series_, machine, resident_);
    }

  private:
    const Point* point_ = nullptr;
    Series series_{Series::Clock::wall};
    std::optional<int> resident_;
};

std::map<std::string, TimedRow> planned_rows(const Plan& plan) {
    std::map<std::string, TimedRow> rows;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            for (const Series& series : point.series) {
                const std::string name = row_name(point, series);
                rows.emplace(name, TimedRow{name, &group, &point, series});
            }
    return rows;
}

bool nearer_to_one(double a, double b) {
    return std::abs(std::log(a)) < std::abs(std::log(b));
}

/// The ceiling that turns this pair most easily; none where the model says nothing of one of its rows.
std::optional<Flip> flip_of(const RowModel& above, const RowModel& below, const MachineLimits& machine,
                            double measured) {
    const auto up = above.at(machine), down = below.at(machine);
    if (!up || !down) return std::nullopt;
    std::set<std::string> ceilings;
    for (const Prediction* prediction : {&*up, &*down})
        for (const Term& term : prediction->terms)
            ceilings.insert(term.ceiling);
    Flip flip{{}, {}, measured};
    for (const std::string& ceiling : ceilings) {
        const auto ratio = [&](double factor) {
            MachineLimits other = machine;
            other.ceilings[ceiling] *= factor;
            return above.at(other)->time / below.at(other)->time / (up->time / down->time);
        };
        const auto factor = turning_factor(measured, ratio);
        if (factor && (flip.ceiling.empty() || nearer_to_one(*factor, flip.factor)))
            flip.ceiling = ceiling, flip.factor = *factor;
    }
    return flip;
}

}  // namespace

std::optional<double> turning_factor(double measured, const std::function<double(double)>& ratio) {
    constexpr double step = 1.05, most = 100;
    const bool is_above = measured > 1;
    for (double factor = step; factor <= most; factor *= step)
        for (const double tried : {factor, 1 / factor})
            if ((measured * ratio(tried) > 1) != is_above) return tried;
    return std::nullopt;
}

std::vector<Flip> flips_of(const std::string& experiment, const ResultFile& file) {
    const Plan plan = naming_plan(experiment, file);
    const auto planned = planned_rows(plan);
    const MachineLimits machine = limits_of(file.context);
    std::vector<Flip> flips;
    const nlohmann::json study = study_of(experiments().at(experiment));
    for (const nlohmann::json& claim : study["claims"]) {
        if (!claim.contains("pairs")) continue;
        const auto pairs = pairs_of(claim["pairs"], file.rows);
        if (!pairs) continue;
        std::optional<Flip> easiest;
        for (const RowPair& pair : *pairs.value) {
            auto flip = flip_of(RowModel(planned, pair.numerator), RowModel(planned, pair.denominator),
                                machine, ratio_of(pair, claim["pairs"]).value);
            if (!flip) continue;
            flip->claim = claim["id"].get<std::string>();
            flip->pair = pair.label;
            const bool turns_more_easily =
                !flip->ceiling.empty() &&
                (!easiest || easiest->ceiling.empty() || nearer_to_one(flip->factor, easiest->factor));
            if (!easiest || turns_more_easily) easiest = std::move(flip);
        }
        if (easiest) flips.push_back(std::move(*easiest));
    }
    return flips;
}

}  // namespace gridmark::harness

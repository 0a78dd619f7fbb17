#include "harness/forecast/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/run/registry.hpp"
#include "harness/run/rows.hpp"

namespace gridmark::harness {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

ModelError error_of(const std::string& experiment, const std::string& clock,
                    const std::vector<const PredictedRow*>& rows) {
    ModelError error{experiment, clock, rows.size()};
    std::vector<double> factors, slower;
    for (const PredictedRow* row : rows) {
        const double ratio = row->ratio();
        factors.push_back(std::max(ratio, 1 / ratio));
        slower.push_back(1 / ratio);
        error.within_fifth += std::abs(ratio - 1) <= 0.2;
    }
    std::ranges::sort(factors);
    std::ranges::sort(slower);
    error.median = quantile(factors, 0.5);
    error.ninth = quantile(factors, 0.9);
    error.low = quantile(slower, 0.05);
    error.high = quantile(slower, 0.95);
    return error;
}

}  // namespace

std::vector<PredictedRow> predicted_rows(const std::string& experiment, const ResultFile& file,
                                         const MachineLimits& machine, bool own) {
    const Plan plan = naming_plan(experiment, file);
    struct Planned {
        const Point* point;
        Series series;
    };
    std::map<std::string, Planned> planned;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            for (const Series& series : point.series)
                planned.emplace(row_name(point, series), Planned{&point, series});
    std::vector<PredictedRow> rows;
    for (const Row& row : file.rows) {
        if (!row.measured() || !row.is_time()) continue;
        const auto found = planned.find(row.name);
        if (found == planned.end()) continue;
        std::optional<int> resident;
        if (row.kernel && row.kernel->blocks_per_multiprocessor > 0 && own)
            resident = row.kernel->blocks_per_multiprocessor;
        auto prediction = predict(*found->second.point, found->second.series, machine, resident);
        if (!prediction) continue;
        PredictedRow predicted{experiment, row.name, row.variant, to_string(found->second.series.clock),
                               std::move(*prediction)};
        if (own) predicted.measured = row.median;
        rows.push_back(std::move(predicted));
    }
    return rows;
}

std::vector<ModelError> errors_of(const std::vector<PredictedRow>& rows) {
    std::map<std::pair<std::string, std::string>, std::vector<const PredictedRow*>> groups;
    for (const PredictedRow& row : rows) {
        if (!row.measured) continue;
        groups[{row.experiment, row.clock}].push_back(&row);
        groups[{"", row.clock}].push_back(&row);
    }
    std::vector<ModelError> errors;
    for (const auto& [key, group] : groups)
        errors.push_back(error_of(key.first, key.second, group));
    return errors;
}

void set_intervals(std::vector<PredictedRow>& rows, const std::vector<ModelError>& errors) {
    constexpr std::size_t enough = 8;
    for (PredictedRow& row : rows) {
        const ModelError* best = nullptr;
        for (const ModelError& error : errors) {
            if (error.clock != row.clock) continue;
            if (error.experiment == row.experiment && error.rows >= enough) best = &error;
            if (error.experiment.empty() && best == nullptr) best = &error;
        }
        if (best != nullptr)
            row.interval = Interval{row.prediction.time * best->low, row.prediction.time * best->high};
    }
}

}  // namespace gridmark::harness

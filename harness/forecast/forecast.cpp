#include "harness/forecast/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/run/limit.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/rows.hpp"
#include "harness/usage_error.hpp"

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
    const Plan plan = threaded_plan(experiment, file);
    const auto planned = timed_rows_by_name(plan);
    std::vector<PredictedRow> rows;
    for (const Row& row : file.rows) {
        if (!row.measured() || !row.is_time() || !row.made_by.empty()) continue;
        const auto found = planned.find(row.name);
        if (found == planned.end()) continue;
        std::optional<int> resident;
        if (row.kernel && row.kernel->blocks_per_multiprocessor > 0 && own)
            resident = row.kernel->blocks_per_multiprocessor;
        auto prediction = predict(*found->second.point, found->second.series, machine, resident);
        if (!prediction) continue;
        const auto& [name, group, point, series] = found->second;
        PredictedRow predicted{experiment, row.name, row.variant, to_string(series.clock),
                               std::move(*prediction)};
        predicted.limit = limit_of(*point, series, machine);
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

namespace {

nlohmann::json context_of(const std::string& experiment, const SheetLimits& made, const nlohmann::json& sheet,
                          const nlohmann::json& base) {
    nlohmann::json ceilings = nlohmann::json::array();
    for (const nlohmann::json& known : base["ceilings"]) {
        const auto name = known["name"].get<std::string>();
        if (const auto value = made.limits.ceiling(name))
            ceilings.push_back({{"name", name},
                                {"value", *value},
                                {"unit", known["unit"]},
                                {"reason", nullptr},
                                {"how", made.how.at(name)}});
    }
    nlohmann::json context{{"experiment", experiment},
                           {"machine", made.limits.name},
                           {"preset", forecast_preset},
                           {"complete", true},
                           {"build", nlohmann::json::object()},
                           {"cpu", made.kind == "cpu" ? sheet["cpu"] : nlohmann::json::object()},
                           {"gpu", made.kind == "gpu" ? sheet["gpu"] : nlohmann::json()},
                           {"ceilings", std::move(ceilings)},
                           {"reasons", nlohmann::json::object()}};
    if (made.kind == "gpu") context["gpu"]["name"] = made.limits.name;
    if (sheet.contains("year")) context["year"] = sheet["year"];
    return context;
}

/// What is run, as a row of the base says, without anything that was measured of it.
Row unmeasured(const Row& row) {
    Row blank{.name = row.name,
              .experiment = row.experiment,
              .variant = row.variant,
              .parameters = row.parameters,
              .clock = row.clock};
    blank.bytes = row.bytes;
    blank.flops = row.flops;
    return blank;
}

}  // namespace

ResultFile forecast_file(const std::string& experiment, const std::vector<PredictedRow>& rows,
                         const SheetLimits& made, const nlohmann::json& sheet, const ResultFile& base) {
    ResultFile file{context_of(experiment, made, sheet, base.context), {}};
    std::map<std::string, const PredictedRow*> predicted;
    for (const PredictedRow& row : rows)
        if (row.experiment == experiment) predicted.emplace(row.name, &row);
    const std::string by =
        fmt::format("by the data sheet and the rows of {}", base.context.value("machine", "another machine"));
    for (const Row& known : base.rows) {
        if (!known.is_time() || (known.clock == "wall") != (made.kind == "cpu")) continue;
        Row row = unmeasured(known);
        const auto found = predicted.find(row.name);
        row.status = found == predicted.end() ? Status::skipped : Status::forecast;
        row.reason = found == predicted.end() ? "the model says nothing of it" : by;
        if (found != predicted.end()) {
            const PredictedRow& told = *found->second;
            const Term& binding = told.prediction.binding();
            row.median = told.prediction.time;
            row.interval = told.interval;
            row.limit = told.limit;
            row.binding = Binding{binding.ceiling, binding.microseconds, told.prediction.time, row.unit};
            row.set_shares();
        }
        file.rows.push_back(std::move(row));
    }
    return file;
}

}  // namespace gridmark::harness

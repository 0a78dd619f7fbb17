#include "harness/forecast/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "harness/cli/commands.hpp"
#include "harness/os/streams.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

struct ForecastOptions {
    std::string machine, base = "results/nvidia-h100", reference_sheet = "h100-sxm5", experiment, out;
    bool json = false, list = false, flips = false;
};

/// What is printed: rows, what the model was off by where it could be told, and what the machine lacks.
struct Document {
    std::string machine, kind;  ///< "measured": a result set; else of a data sheet
    std::vector<PredictedRow> rows;
    std::vector<ModelError> errors;
    std::vector<std::string> assumed;
};

std::vector<PredictedRow> rows_of(const ResultSet& set, const MachineLimits* other) {
    std::vector<PredictedRow> rows;
    for (const auto& [id, file] : set.files)
        std::ranges::move(
            predicted_rows(id, file, other ? *other : limits_of(file.context), other == nullptr),
            std::back_inserter(rows));
    return rows;
}

/// A set's rows against the model by its own ceilings.
Document judged(const ResultSet& set) {
    Document document{set.machine, "measured", rows_of(set, nullptr), {}, {}};
    document.errors = errors_of(document.rows);
    return document;
}

/// Writes a file for each study, in place of earlier forecasts alone.
void write_forecasts(const std::string& folder, const Document& document, const SheetLimits& made,
                     const json& sheet, const ResultSet& base) {
    const std::filesystem::path directory(folder);
    const auto path_of = [&](const std::string& id) { return directory / (id + ".json"); };
    for (const auto& [id, file] : base.files)
        if (std::filesystem::exists(path_of(id)) &&
            read_result_file(path_of(id)).context["preset"] != forecast_preset)
            throw UsageError(fmt::format("{}: holds measurements: forecasts need a folder of their own",
                                         path_of(id).string()));
    std::filesystem::create_directories(directory);
    for (const auto& [id, file] : base.files) {
        const auto is_of_it = [&study = id](const PredictedRow& row) { return row.experiment == study; };
        if (std::ranges::none_of(document.rows, is_of_it)) continue;
        write_result_file(path_of(id), forecast_file(id, document.rows, made, sheet, file));
    }
}

/// The base's rows on a machine that a sheet describes, with intervals by the model's errors on the base.
Document forecast(const ForecastOptions& options) {
    const json sheet = read_sheet(options.machine);
    const ResultSet base = load_result_set(options.base);
    const MachineLimits reference = limits_of(base.files.begin()->second.context);
    const SheetLimits made = limits_of_sheet(sheet, reference, read_sheet(options.reference_sheet));
    Document document{made.limits.name, made.kind, rows_of(base, &made.limits),
                      errors_of(rows_of(base, nullptr)), made.assumed};
    std::erase_if(document.rows, [&](const PredictedRow& row) {
        return (row.clock == "wall") != (made.kind == "cpu") ||
               (!options.experiment.empty() && options.experiment != row.experiment);
    });
    set_intervals(document.rows, document.errors);
    if (!options.out.empty()) write_forecasts(options.out, document, made, sheet, base);
    return document;
}

json json_of(const PredictedRow& row) {
    json terms = json::array();
    for (const Term& term : row.prediction.terms)
        terms.push_back({{"ceiling", term.ceiling}, {"us", term.microseconds}, {"chain", term.is_chain}});
    json object = {
        {"experiment", row.experiment}, {"name", row.name},     {"variant", row.variant},
        {"clock", row.clock},           {"status", "forecast"}, {"forecast_us", row.prediction.time},
        {"interval_us", json()},        {"terms", terms},       {"missing", row.prediction.missing},
        {"measured_us", json()}};
    if (row.measured) object["measured_us"] = *row.measured;
    if (row.interval) object["interval_us"] = {row.interval->low, row.interval->high};
    return object;
}

json json_of(const ModelError& error) {
    return {{"experiment", error.experiment},
            {"clock", error.clock},
            {"rows", error.rows},
            {"half_within_times", error.median},
            {"nine_of_ten_within_times", error.ninth},
            {"within_20_percent", error.within_fifth}};
}

std::string name_of(const Term& term) {
    return term.is_chain ? "chain of " + term.ceiling : term.ceiling;
}

void print(const PredictedRow& row) {
    const std::string_view name(row.name);
    print_out("  {:<66} {:>10.4g}", name.substr(name.find('/') + 1), row.prediction.time);
    if (row.measured)
        print_out(" {:>10.4g} {:>+5.0f} %", *row.measured, 100 * (row.ratio() - 1));
    else if (row.interval)
        print_out(" {:>10.4g} {:>10.4g}", row.interval->low, row.interval->high);
    print_out("  {}\n", name_of(row.prediction.binding()));
}

void print(const Document& document) {
    const bool measured = document.kind == "measured";
    if (measured)
        print_out("{}: the model by the set's own ceilings, beside what was measured\n", document.machine);
    else
        print_out("{}: forecast from its data sheet, never a measurement\n", document.machine);
    for (const std::string& line : document.assumed)
        print_out("  assumed: {}\n", line);
    std::string experiment;
    for (const PredictedRow& row : document.rows) {
        if (row.experiment != experiment)
            print_out("{}\n  {:<66} {:>10} {:>10} {:>{}}  binds\n", experiment = row.experiment, "row",
                      "model, us", measured ? "measured" : "from", measured ? "off" : "to",
                      measured ? 7 : 10);
        print(row);
    }
    print_out("{}\n", measured ? "How far the model is off:"
                               : "How far the model is off where these rows were measured, which makes the "
                                 "intervals:");
    for (const ModelError& error : document.errors)
        print_out(
            "  {:<16} {:<7} {:>4} rows: half within {:.2f} times, nine of ten within {:.2f}; {} % "
            "within 20 %\n",
            error.experiment.empty() ? "all" : error.experiment, error.clock, error.rows, error.median,
            error.ninth, 100 * error.within_fifth / error.rows);
}

void list_sheets() {
    for (const auto& [id, sheet] : delivered_sheets().items())
        print_out("{:<16} {} ({})\n", id, sheet["machine"].get<std::string>(), sheet["year"].dump());
}

/// What would turn the claims of a set.
void print_flips(const ForecastOptions& options) {
    const ResultSet set = load_result_set(options.machine);
    json all = json::array();
    for (const auto& [id, file] : set.files) {
        if (!options.experiment.empty() && options.experiment != id) continue;
        for (const Flip& flip : flips_of(id, file)) {
            all.push_back(json_of(flip));
            all.back()["experiment"] = id;
            if (!options.json)
                print_out("{:<12} {:>8.3g}  turns: {}\n", flip.claim, flip.ratio, words_of(flip));
        }
    }
    if (options.json) print_out("{}\n", json{{"machine", set.machine}, {"flips", all}}.dump(1));
}

void run_forecast(const ForecastOptions& options) {
    if (options.list) return list_sheets();
    if (options.machine.empty()) throw UsageError("MACHINE is required (--list names the delivered sheets)");
    if (options.flips) return print_flips(options);
    const bool is_set = std::filesystem::is_directory(options.machine);
    if (is_set && !options.out.empty())
        throw UsageError("--out: takes forecasts of a data sheet; what was measured has its folder");
    Document document = is_set ? judged(load_result_set(options.machine)) : forecast(options);
    if (!options.experiment.empty())
        std::erase_if(document.rows,
                      [&](const PredictedRow& row) { return row.experiment != options.experiment; });
    if (document.rows.empty())
        throw UsageError(fmt::format("{}: no row that the model can say anything of", options.machine));
    if (!options.json) return print(document);
    json rows = json::array(), errors = json::array();
    for (const PredictedRow& row : document.rows)
        rows.push_back(json_of(row));
    for (const ModelError& error : document.errors)
        errors.push_back(json_of(error));
    print_out("{}\n", json{{"machine", document.machine},
                           {"kind", document.kind},
                           {"assumed", document.assumed},
                           {"rows", rows},
                           {"errors", errors}}
                          .dump(1));
}

}  // namespace

void add_forecast(CLI::App& app, int&) {
    auto options = std::make_shared<ForecastOptions>();
    auto* command = app.add_subcommand(
        "forecast",
        "what every row will take on a machine, by a model of its ceilings; of a folder of results, how far "
        "the model is off");
    command->add_option("MACHINE", options->machine,
                        "folder of results, file with a data sheet, or the id of a delivered one");
    command->add_option("EXPERIMENT", options->experiment, "this study alone");
    command->add_option("--base", options->base, "folder of results that says which rows there are")
        ->capture_default_str();
    command->add_option("--base-sheet", options->reference_sheet, "data sheet of the base's machine")
        ->capture_default_str();
    command->add_option("--out", options->out,
                        "folder for the forecast of a data sheet as result files, which graphs draw hatched");
    command->add_flag("--json", options->json, "as JSON");
    command->add_flag("--flips", options->flips,
                      "of a folder of results: at how many times which ceiling the model turns each claim");
    command->add_flag("--list", options->list, "the delivered data sheets");
    command->callback([options] { run_forecast(*options); });
}

}  // namespace gridmark::harness

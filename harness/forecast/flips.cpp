// At which ceilings a claim would turn.
#include <fmt/format.h>

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
        if (found == planned.end() || !row.is_time() || !row.made_by.empty()) return;
        point_ = found->second.point;
        series_ = found->second.series;
        if (row.kernel) resident_ = row.kernel->blocks_per_multiprocessor;
    }

    std::optional<Prediction> at(const MachineLimits& machine) const {
        if (point_ == nullptr) return std::nullopt;
        return predict(*point_, series_, machine, resident_);
    }

    bool on_gpu() const { return point_ != nullptr && series_.clock != Series::Clock::wall; }

  private:
    const Point* point_ = nullptr;
    Series series_{Series::Clock::wall};
    std::optional<int> resident_;
};

bool nearer_to_one(double a, double b) {
    return std::abs(std::log(a)) < std::abs(std::log(b));
}

/// Whether the model knows all of a row and is within a fifth of its time.
bool is_right(const std::optional<Prediction>& said, const Row& row) {
    return said && said->missing.empty() && row.median && std::abs(said->time / *row.median - 1) <= 0.2;
}

/// The ceiling that turns this pair most easily; none where the model is not right of both its rows, or
/// orders them otherwise than measured.
std::optional<Flip> flip_of(const RowModel& above, const RowModel& below, const RowPair& pair,
                            const MachineLimits& machine, double measured) {
    const auto up = above.at(machine), down = below.at(machine);
    if (!is_right(up, pair.numerator) || !is_right(down, pair.denominator)) return std::nullopt;
    if ((up->time > down->time) != (*pair.numerator.median > *pair.denominator.median)) return std::nullopt;
    // The model sees no difference between such rows, so that it cannot say what makes one.
    if (std::abs(up->time / down->time - 1) < 1e-6) return std::nullopt;
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

/// A GPU that nobody measured here.
struct Card {
    int year;
    MachineLimits limits;
};

/// The delivered GPUs but the machine's own, oldest first; none where it has no sheet.
std::vector<Card> other_cards(const nlohmann::json& context, const MachineLimits& machine) {
    const nlohmann::json gpu = context.value("gpu", nlohmann::json()),
                         name = gpu.is_object() ? gpu.value("name", nlohmann::json()) : gpu;
    const nlohmann::json* own = nullptr;
    for (const nlohmann::json& sheet : delivered_sheets())
        if (sheet["kind"] == "gpu" && sheet["machine"] == name) own = &sheet;
    std::vector<Card> cards;
    for (const nlohmann::json& sheet : delivered_sheets())
        if (own != nullptr && &sheet != own && sheet["kind"] == "gpu")
            cards.push_back({sheet["year"].get<int>(), limits_of_sheet(sheet, machine, *own).limits});
    std::ranges::stable_sort(cards, {}, &Card::year);
    return cards;
}

/// What each card is forecast to make of a pair that was measured here; none where all make the same of it,
/// because the model sees no difference between its rows.
std::vector<CardRatio> ratios_on(const std::vector<Card>& cards, const RowModel& above, const RowModel& below,
                                 const MachineLimits& machine, double measured) {
    const double here = above.at(machine)->time / below.at(machine)->time;
    std::vector<CardRatio> ratios;
    for (const Card& card : cards) {
        const auto up = above.at(card.limits), down = below.at(card.limits);
        if (up && down)
            ratios.push_back({card.limits.name, card.year, measured * up->time / down->time / here});
    }
    const auto is_as_here = [&](const CardRatio& card) { return std::abs(card.ratio / measured - 1) < 1e-6; };
    if (std::ranges::all_of(ratios, is_as_here)) ratios.clear();
    return ratios;
}

}  // namespace

std::string words_of(const Flip& flip) {
    const std::string how = flip.ceiling.empty()
                                ? "no ceiling within a hundredfold"
                                : fmt::format("with {:.3g} times {}", flip.factor, flip.ceiling);
    return fmt::format("{} ({})", how, flip.pair);
}

nlohmann::json json_of(const Flip& flip) {
    nlohmann::json cards = nlohmann::json::array();
    for (const CardRatio& card : flip.cards)
        cards.push_back({{"machine", card.machine}, {"year", card.year}, {"ratio", card.ratio}});
    return {{"claim", flip.claim},     {"pair", flip.pair},     {"ratio", flip.ratio},
            {"ceiling", flip.ceiling}, {"factor", flip.factor}, {"words", words_of(flip)},
            {"cards", cards}};
}

std::optional<double> turning_factor(double measured, const std::function<double(double)>& ratio) {
    constexpr double step = 1.05, most = 100;
    const bool is_above = measured > 1;
    for (double factor = step; factor <= most; factor *= step)
        for (const double tried : {factor, 1 / factor})
            if ((measured * ratio(tried) > 1) != is_above) return tried;
    return std::nullopt;
}

std::vector<Flip> flips_of(const std::string& experiment, const ResultFile& file) {
    const MachineLimits machine = limits_of(file.context);
    // Sets from before barriers were measured: no row's model is whole, and planning takes a second.
    if (!machine.ceiling("gpu_issue_arithmetic") && !machine.ceiling("cpu_barrier_all_threads")) return {};
    const Plan plan = threaded_plan(experiment, file);
    const auto planned = timed_rows_by_name(plan);
    const std::vector<Card> cards = other_cards(file.context, machine);
    std::vector<Flip> flips;
    const nlohmann::json study = study_of(experiments().at(experiment));
    for (const nlohmann::json& claim : study["claims"]) {
        if (!claim.contains("pairs")) continue;
        const auto pairs = pairs_of(claim["pairs"], file.rows);
        if (!pairs) continue;
        std::optional<Flip> easiest;
        for (const RowPair& pair : *pairs.value) {
            const RowModel above(planned, pair.numerator), below(planned, pair.denominator);
            auto flip = flip_of(above, below, pair, machine, ratio_of(pair, claim["pairs"]).value);
            if (!flip) continue;
            flip->claim = claim["id"].get<std::string>();
            flip->pair = pair.label;
            if (above.on_gpu() && below.on_gpu())
                flip->cards = ratios_on(cards, above, below, machine, flip->ratio);
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

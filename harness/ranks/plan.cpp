#include "harness/ranks/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "harness/ranks/rank_work.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using ranks::Omit;

/// The axes that all studies have beside their own.
const std::set<std::string> axes_of_ranks{"scaling", "steps_per_exchange", "cut", "threads"};

std::set<std::string> all_keys(const RankedStudy& study) {
    std::set<std::string> keys = axes_of_ranks;
    keys.insert(study.keys.begin(), study.keys.end());
    return keys;
}

/// A row's part of a step, by what it omits.
const char* part_without(Omit omit) {
    return omit == Omit::exchange ? "computing" : omit == Omit::computing ? "exchange" : "step";
}

/// One setting of all axes for one number of ranks.
struct Choice {
    std::map<std::string, std::string> set;  ///< the study's
    std::string scaling;
    int ranks, steps_per_exchange, threads;
    RankGrid grid;
    ranks::Triple parts;
};

std::vector<Axis> axes_for(const RankedStudy& study, const PlanContext& context) {
    std::vector<Axis> axes = context.axes.axes;
    const auto has = [&](const std::string& key) {
        return std::ranges::find(axes, key, &Axis::key) != axes.end();
    };
    if (std::ranges::none_of(axes, [&](const Axis& axis) { return study.keys.contains(axis.key); })) {
        const std::vector<Axis> sizes = study.axes(context.preset).axes;
        axes.insert(axes.begin(), sizes.begin(), sizes.end());
    }
    if (!has("scaling")) axes.push_back({"scaling", {"strong", "weak"}});
    if (!has("steps_per_exchange")) axes.push_back({"steps_per_exchange", {"1", "4"}});
    return axes;
}

Choice choice_of(const RankedStudy& study, const PlanContext& context,
                 const std::map<std::string, std::string>& values, int ranks) {
    const Settings settings(values, all_keys(study), "--axis");
    Choice choice;
    for (const auto& [key, value] : values)
        if (study.keys.contains(key)) choice.set[key] = value;
    choice.ranks = ranks;
    choice.scaling = settings.word("scaling", "strong", {"strong", "weak"});
    choice.steps_per_exchange = static_cast<int>(settings.integer("steps_per_exchange", 1, 1, 1000));
    const int most = *std::ranges::max_element(context.ranks.counts);
    choice.threads =
        static_cast<int>(settings.integer("threads", std::max(1, context.threads / most), 1, 4096));
    choice.grid =
        study.grid(Settings(choice.set, study.keys, "--axis"), choice.scaling == "weak" ? ranks : 1);
    choice.parts = parts_of(choice.grid, settings.text("cut", "auto"), ranks);
    return choice;
}

Point point_of(const std::string& study, const std::string& variant, const Choice& c, Omit omit) {
    Point point;
    point.name = fmt::format("{}/{}/{}/{}/{}_ranks", study, variant, c.grid.word, c.scaling, c.ranks);
    point.variant = variant;
    point.parameters = c.grid.parameters;
    point.add(cut_word(c.grid, c.parts),
              {{"ranks", std::int64_t{c.ranks}}, {"scaling", c.scaling}, {"cut", cut_word(c.grid, c.parts)}});
    point.add(fmt::format("exchange_every_{}", c.steps_per_exchange),
              {{"steps_per_exchange", std::int64_t{c.steps_per_exchange}}});
    point.on_gpu = variant == ranks_gpu;
    if (!point.on_gpu)
        point.add(fmt::format("{}_threads_each", c.threads), {{"threads", std::int64_t{c.threads}}});
    point.parameters["part"] = part_without(omit);
    if (omit != Omit::nothing) point.name += std::string("/") + part_without(omit);
    point.ranks = c.ranks;
    if (omit != Omit::computing) {
        point.bytes = point.working_set = c.grid.bytes;
        point.flops = c.grid.flops;
    }
    if (omit != Omit::exchange) point.transfers.exchange = traffic_of(c.grid, c.parts, c.steps_per_exchange);
    // Of a rank: others may have nodes of their own.
    (point.on_gpu ? point.memory.gpu : point.memory.host) = c.grid.memory / c.ranks;
    point.series = {point.on_gpu ? Series{Series::Clock::step, Series::Launch::own}
                                 : Series{Series::Clock::wall}};
    return point;
}

/// The row of a point's only series.
std::string only_row(const Point& point) {
    return point.name + (point.on_gpu ? "/step/own" : "/wall");
}

Derived derived_of(const Point& point, const std::string& quantity, const std::string& unit,
                   std::vector<std::string> from, std::function<double(const std::vector<double>&)> value) {
    Derived derived;
    derived.name = point.name + "/" + quantity;
    derived.variant = point.variant;
    derived.parameters = point.parameters;
    derived.on_gpu = point.on_gpu;
    derived.quantity = quantity;
    derived.unit = unit;
    derived.from = std::move(from);
    derived.value = std::move(value);
    derived.by_process = true;
    return derived;
}

/// Of the exchange what a step does not hide behind computing, and what it does.
void add_exchange(Plan& plan, const Point& whole, const Point& alone, const Point& without) {
    const std::vector<std::string> rows{only_row(whole), only_row(without), only_row(alone)};
    plan.derived.push_back(derived_of(whole, "exchange_visible", "us", rows,
                                      [](const auto& m) { return std::max(0.0, m[0] - m[1]); }));
    plan.derived.push_back(derived_of(whole, "exchange_hidden", "us", rows, [](const auto& m) {
        return std::max(0.0, m[2] - std::max(0.0, m[0] - m[1]));
    }));
}

/// 100 where so many ranks take as many times less time, or in weak scaling the same.
void add_efficiency(Plan& plan, const Point& base, const Point& point) {
    const double by = value_of<std::string>(point.parameters, "scaling", "") == "strong"
                          ? static_cast<double>(point.ranks) / base.ranks
                          : 1;
    plan.derived.push_back(derived_of(point, "efficiency", "%", {only_row(base), only_row(point)},
                                      [by](const auto& m) { return 100 * m[0] / (m[1] * by); }));
}

}  // namespace

void check_ranks(const Experiment& experiment, const PlanContext& context) {
    const std::string study = study_of(experiment)["id"];
    if (experiment.ranked == nullptr)
        throw UsageError(fmt::format("--ranks: {} is not cut among ranks", study));
    launch_command(context.ranks.launcher, 1);
    const std::set<std::string> keys = all_keys(*experiment.ranked);
    for (const Axis& axis : context.axes.axes)
        if (!keys.contains(axis.key))
            throw UsageError(fmt::format("--axis {}: no such axis of ranks; {} has {}", axis.key, study,
                                         fmt::join(keys, ", ")));
    for (const std::string& name : context.axes.variants)
        if (name != ranks_cpu && name != ranks_gpu)
            throw UsageError(fmt::format("--variant {}: ranks run {} and {}", name, ranks_cpu, ranks_gpu));
}

Plan ranks_plan(const Experiment& experiment, const PlanContext& context) {
    check_ranks(experiment, context);
    const RankedStudy& ranked = *experiment.ranked;
    const std::string study = study_of(experiment)["id"];
    const std::vector<Axis> axes = axes_for(ranked, context);
    std::size_t combinations = 1;
    for (const Axis& axis : axes)
        combinations *= axis.values.size();
    if (combinations > most_combinations) throw UsageError("--axis: too many combinations of values");
    Plan plan;
    std::map<std::string, Point> bases;  // of what the numbers of ranks have in common
    for (const int count : context.ranks.counts) {
        std::map<std::string, std::pair<std::size_t, std::shared_ptr<SharedRankJob>>> groups;
        for (std::size_t k = 0; k < combinations; ++k) {
            const auto values = combination(axes, k);
            std::optional<Choice> choice;
            try {
                choice = choice_of(ranked, context, values, count);
            } catch (const std::invalid_argument& error) {
                throw UsageError(fmt::format("--ranks {}: {}", count, error.what()));
            }
            const Choice& c = *choice;
            const std::string name = fmt::format("{}/{}/{}_ranks", c.grid.word, c.scaling, count);
            if (!groups.contains(name)) {
                groups[name] = {plan.groups.size(), std::make_shared<SharedRankJob>(context.ranks, count)};
                plan.groups.push_back({name, {}});
            }
            const auto& [group, job] = groups[name];
            for (const std::string variant : {ranks_cpu, ranks_gpu}) {
                if (!context.axes.variants.empty() &&
                    std::ranges::find(context.axes.variants, variant) == context.axes.variants.end())
                    continue;
                std::vector<Point> points;
                for (const Omit omit : {Omit::nothing, Omit::exchange, Omit::computing}) {
                    if (count == 1 && omit != Omit::nothing) continue;
                    Point point = point_of(study, variant, c, omit);
                    const RankSetUp set_up{.study = study,
                                           .on = variant == ranks_gpu ? "gpu" : "cpu",
                                           .set = c.set,
                                           .times = c.scaling == "weak" ? c.ranks : 1,
                                           .threads = c.threads,
                                           .seed = context.seed,
                                           .steps_per_exchange = c.steps_per_exchange,
                                           .parts = c.parts};
                    point.prepare = [job = job, set_up, omit] { return rank_work(job, set_up, omit); };
                    points.push_back(std::move(point));
                }
                const std::string kind = fmt::format("{} {} {} {} {}", variant, fmt::join(c.set, " "),
                                                     c.scaling, c.steps_per_exchange, c.threads);
                const auto [base, is_base] = bases.try_emplace(kind, points[0]);
                if (!is_base) add_efficiency(plan, base->second, points[0]);
                if (count > 1) add_exchange(plan, points[0], points[2], points[1]);
                for (Point& point : points)
                    plan.groups[group].points.push_back(std::move(point));
            }
        }
    }
    return plan;
}

ranks::Triple parts_of(const RankGrid& grid, const std::string& cut, int ranks) {
    if (cut == "auto") return ranks::parts_for(grid.box, ranks);
    ranks::Triple parts{1, 1, 1};
    std::size_t at = 0;
    long long product = 1;
    for (int k = 0; k < grid.axes(); ++k) {
        const std::size_t end = std::min(cut.find('x', at), cut.size());
        const std::string word = at <= cut.size() ? cut.substr(at, end - at) : "";
        if (word.empty() || word.size() > 4 || word.find_first_not_of("0123456789") != std::string::npos)
            throw UsageError(fmt::format("cut={}: not auto, and not {} numbers such as {}", cut, grid.axes(),
                                         grid.axes() == 2 ? "2x1" : "2x1x4"));
        parts[grid.order[k]] = std::stoi(word);
        product *= parts[grid.order[k]];
        at = end + 1;
    }
    if (at <= cut.size()) throw UsageError(fmt::format("cut={}: more numbers than axes", cut));
    if (product != ranks)
        throw UsageError(fmt::format("cut={}: makes {} parts for {} ranks", cut, product, ranks));
    (void)ranks::Cut(grid.box, parts);  // has the grid so many points?
    return parts;
}

std::string cut_word(const RankGrid& grid, const ranks::Triple& parts) {
    std::string word;
    for (int k = 0; k < grid.axes(); ++k)
        word += fmt::format("{}{}", k == 0 ? "" : "x", parts[grid.order[k]]);
    return word;
}

std::vector<int> looked_at(const ranks::Triple& parts) {
    constexpr int many = 64;
    std::set<int> places[ranks::axes];
    for (int axis = 0; axis < ranks::axes; ++axis)
        if (parts[0] * parts[1] * parts[2] <= many)
            for (int k = 0; k < parts[axis]; ++k)
                places[axis].insert(k);
        else
            places[axis] = {0, parts[axis] / 2, parts[axis] - 1};
    std::vector<int> found;
    for (const int z : places[2])
        for (const int y : places[1])
            for (const int x : places[0])
                found.push_back(x + parts[0] * (y + parts[1] * z));
    return found;
}

RankTraffic traffic_of(const RankGrid& grid, const ranks::Triple& parts, int steps_per_exchange) {
    const ranks::Cut cut(grid.box, parts);
    ranks::Reach step;
    for (const RankStage& stage : grid.stages)
        step += stage.reach;
    RankTraffic most;
    for (const int rank : looked_at(parts)) {
        RankTraffic traffic;
        const auto add = [&](const ranks::Reach& reach, int fields, ranks::Ghosts ghosts) {
            for (const ranks::Piece& piece : ranks::sent(cut, rank, reach, ghosts)) {
                traffic.bytes += static_cast<double>(piece.box.points() * fields * grid.value_bytes);
                traffic.messages += 1;
            }
        };
        if (steps_per_exchange == 1) {
            for (const RankStage& stage : grid.stages)
                add(stage.reach, stage.fields, ranks::Ghosts::across_faces);
        } else {
            ranks::Reach all;
            for (int k = 0; k < steps_per_exchange; ++k)
                all += step;
            add(all, grid.state_fields, ranks::Ghosts::all_around);
        }
        most.bytes = std::max(most.bytes, traffic.bytes / steps_per_exchange);
        most.messages = std::max(most.messages, traffic.messages / steps_per_exchange);
    }
    return most;
}

}  // namespace gridmark::harness

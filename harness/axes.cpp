#include "harness/axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>

#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

std::vector<std::string> parts_of(const std::string& text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/// A whole number of a range; `word` is the whole of what was typed.
std::int64_t whole(const std::string& text, const std::string& word) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw UsageError(fmt::format(
            "--axis {}: a range is FIRST:LAST:*FACTOR or FIRST:LAST:+STEP, of whole numbers", word));
    return value;
}

/// The values of FIRST:LAST:*FACTOR or FIRST:LAST:+STEP.
std::vector<std::string> range(const std::string& text, const std::string& word) {
    const auto parts = parts_of(text, ':');
    if (parts.size() != 3 || parts[2].size() < 2 || (parts[2][0] != '*' && parts[2][0] != '+'))
        throw UsageError(fmt::format(
            "--axis {}: a range is FIRST:LAST:*FACTOR or FIRST:LAST:+STEP, of whole numbers", word));
    const std::int64_t first = whole(parts[0], word), last = whole(parts[1], word),
                       by = whole(parts[2].substr(1), word);
    const bool multiplies = parts[2][0] == '*';
    if (last < first) throw UsageError(fmt::format("--axis {}: {} lies above {}", word, first, last));
    if (multiplies ? by < 2 || first < 1 : by < 1)
        throw UsageError(fmt::format("--axis {}: never comes from {} to {}", word, first, last));
    // Of a factor there are 63 values at most.
    const double count =
        multiplies ? 1
                   : (static_cast<double>(last) - static_cast<double>(first)) / static_cast<double>(by) + 1;
    if (count > static_cast<double>(most_combinations))
        throw UsageError(fmt::format("--axis {}: makes {:.0f} values; at most {} rows are run at a time",
                                     word, std::floor(count), most_combinations));
    std::vector<std::string> values;
    for (std::int64_t value = first;;) {
        values.push_back(std::to_string(value));
        // Before it overflows.
        const std::uint64_t left = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(value);
        if (multiplies ? value > last / by : left < static_cast<std::uint64_t>(by)) return values;
        value = multiplies ? value * by : value + by;
    }
}

Axis parse_axis(const std::string& word) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
        throw UsageError(
            fmt::format("--axis {}: not of the form KEY=VALUE,VALUE or KEY=FIRST:LAST:*2", word));
    Axis axis{word.substr(0, equals), {}};
    for (const std::string& part : parts_of(word.substr(equals + 1), ',')) {
        if (part.empty()) throw UsageError(fmt::format("--axis {}: has an empty value", word));
        if (part.find(':') == std::string::npos)
            axis.values.push_back(part);
        else
            std::ranges::copy(range(part, word), std::back_inserter(axis.values));
    }
    std::set<std::string> seen;
    for (const std::string& value : axis.values)
        if (!seen.insert(value).second) throw UsageError(fmt::format("--axis {}: has {} twice", word, value));
    return axis;
}

std::vector<const Variant*> chosen(const Experiment& experiment, const std::vector<std::string>& names) {
    std::vector<const Variant*> variants;
    for (const Variant& variant : experiment.variants)
        if (names.empty() || std::ranges::find(names, variant.name) != names.end())
            variants.push_back(&variant);
    return variants;
}

/// The place of a variant that cannot do it: a row of its clock that says why.
Point refused(const std::string& study, const Variant& variant, const AxisValues& values,
              const std::string& why) {
    Point point;
    point.name = fmt::format("{}/{}", study, variant.name);
    point.variant = variant.name;
    for (const auto& [key, value] : values)
        point.add(fmt::format("{}={}", key, value), {{key, value}});
    point.on_gpu = variant.kind == Variant::Kind::cuda;
    point.series = {{point.on_gpu ? Series::Clock::kernel : Series::Clock::wall}};
    point.unavailable = why;
    return point;
}

/// Puts points into groups of what is measured in turns: as many as fit the memory together.
class Groups {
  public:
    Groups(Plan& plan, const PlanContext& context) : plan_(plan), context_(context) {}

    void add(const std::string& name, Point point) {
        const double host = used_.host + point.memory.host, gpu = used_.gpu + point.memory.gpu;
        const bool fits = host <= static_cast<double>(context_.host_memory) &&
                          gpu <= static_cast<double>(context_.gpu_memory);
        if (name != name_ || !fits) {
            part_ = name == name_ ? part_ + 1 : 1;
            plan_.groups.push_back({part_ == 1 ? name : fmt::format("{}/part_{}", name, part_), {}});
            used_ = {};
        }
        name_ = name;
        used_.host += point.memory.host;
        used_.gpu += point.memory.gpu;
        plan_.groups.back().points.push_back(std::move(point));
    }

  private:
    Plan& plan_;
    const PlanContext& context_;
    std::string name_;
    int part_ = 0;
    Memory used_;
};

}  // namespace

AxisValues combination(const std::vector<Axis>& axes, std::size_t index) {
    AxisValues values;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        values[axis->key] = axis->values[index % axis->values.size()];
        index /= axis->values.size();
    }
    return values;
}

double combinations_of(const std::vector<Axis>& axes) {
    double count = 1;
    for (const Axis& axis : axes)
        count *= static_cast<double>(axis.values.size());
    return count;
}

std::string Axes::text() const {
    std::vector<std::string> words;
    for (const Axis& axis : axes)
        words.push_back(fmt::format("{}={}", axis.key, fmt::join(axis.values, ",")));
    if (!variants.empty()) words.push_back(fmt::format("{}", fmt::join(variants, ",")));
    return fmt::format("{}", fmt::join(words, " "));
}

Axes parse_axes(const std::vector<std::string>& axes, const std::vector<std::string>& variants) {
    Axes parsed;
    std::set<std::string> keys, names;
    for (const std::string& word : axes) {
        parsed.axes.push_back(parse_axis(word));
        if (!keys.insert(parsed.axes.back().key).second)
            throw UsageError(fmt::format("--axis {}: {} is named twice", word, parsed.axes.back().key));
    }
    for (const std::string& word : variants)
        for (const std::string& name : parts_of(word, ',')) {
            if (!names.insert(name).second)
                throw UsageError(fmt::format("--variant {}: {} is named twice", word, name));
            parsed.variants.push_back(name);
        }
    return parsed;
}

Axes axes_of(const Row& row, const Experiment& experiment) {
    Axes axes{{}, {row.variant}};
    for (const auto& [key, value] : row.parameters)
        if (experiment.axes.contains(key)) axes.axes.push_back({key, {to_text(value)}});
    return axes;
}

void check_axes(const Experiment& experiment, const Axes& axes) {
    const std::string study = study_of(experiment)["id"];
    if (experiment.points == nullptr) throw UsageError(fmt::format("--axis: {} offers no axes", study));
    for (const Axis& axis : axes.axes)
        if (!experiment.axes.contains(axis.key))
            throw UsageError(fmt::format("--axis {}: no such axis; {} has {}", axis.key, study,
                                         fmt::join(experiment.axes, ", ")));
    for (const std::string& name : axes.variants)
        if (std::ranges::find(experiment.variants, name, &Variant::name) == experiment.variants.end()) {
            std::vector<std::string> names;
            for (const Variant& variant : experiment.variants)
                names.push_back(variant.name);
            throw UsageError(fmt::format("--variant {}: {} has {}", name, study, fmt::join(names, ", ")));
        }
    const double count =
        combinations_of(axes.axes) * static_cast<double>(chosen(experiment, axes.variants).size());
    if (count > static_cast<double>(most_combinations))
        throw UsageError(
            fmt::format("--axis: makes {:.0f} combinations of values and variants; at most {} "
                        "are run at a time",
                        count, most_combinations));
}

std::vector<Point> points_at(const Experiment& experiment, const PlanContext& context, const Variant& variant,
                             const AxisValues& values) {
    auto points = experiment.points(context, variant.name, Settings(values, experiment.axes, "--axis"));
    for (Point& point : points)
        if (point.unavailable.empty()) point.unavailable = variant.unavailable;
    return points;
}

Plan axes_plan(const Experiment& experiment, const PlanContext& context) {
    check_axes(experiment, context.axes);
    const std::string study = study_of(experiment)["id"];
    const auto variants = chosen(experiment, context.axes.variants);
    const auto count = static_cast<std::size_t>(combinations_of(context.axes.axes));
    Plan plan;
    Groups groups(plan, context);
    std::set<std::string> known;
    for (const auto kind : {Variant::Kind::cpu, Variant::Kind::cuda})
        for (std::size_t index = 0; index < count; ++index) {
            const auto values = combination(context.axes.axes, index);
            std::string name = kind == Variant::Kind::cpu ? "axes/cpu" : "axes/gpu";
            for (const Axis& axis : context.axes.axes)
                name += fmt::format("/{}={}", axis.key, values.at(axis.key));
            for (const Variant* variant : variants) {
                if (variant->kind != kind) continue;
                std::vector<Point> points;
                try {
                    points = points_at(experiment, context, *variant, values);
                } catch (const std::invalid_argument& error) {
                    points = {refused(study, *variant, values, error.what())};
                }
                for (Point& point : points) {
                    if (known.insert(point.name).second) groups.add(name, std::move(point));
                }
            }
        }
    return plan;
}

nlohmann::json to_json(const Axes& axes) {
    nlohmann::json list = nlohmann::json::array();
    for (const Axis& axis : axes.axes)
        list.push_back({{"key", axis.key}, {"values", axis.values}});
    return {{"axes", list}, {"variants", axes.variants}};
}

Axes axes_from_json(const nlohmann::json& document) {
    Axes axes;
    for (const auto& axis : document.at("axes"))
        axes.axes.push_back({axis.at("key"), axis.at("values").get<std::vector<std::string>>()});
    axes.variants = document.at("variants").get<std::vector<std::string>>();
    return axes;
}

}  // namespace gridmark::harness

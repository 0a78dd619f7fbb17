#include "harness/products.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

namespace gridmark::harness {
namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// The combinations of the axes' values, each with `values` besides.
std::vector<AxisValues> combinations(const std::vector<Axis>& axes, const AxisValues& values) {
    std::vector<AxisValues> all;
    const auto count = static_cast<std::size_t>(combinations_of(axes));
    for (std::size_t index = 0; index < count; ++index) {
        all.push_back(values);
        for (const auto& [keys, chosen] : combination(axes, index)) {
            const auto key = words_of(keys), value = words_of(chosen);
            for (std::size_t i = 0; i < key.size(); ++i)
                all.back()[key[i]] = value.at(i);
        }
    }
    return all;
}

/// What a version can do at these values.
std::vector<Point> possible_points(const Experiment& experiment, const PlanContext& context,
                                   const Variant& variant, AxisValues values) {
    values.erase("variant");
    try {
        return points_at(experiment, context, variant, values);
    } catch (const std::invalid_argument&) {
        return {};
    }
}

std::string named(const std::string& pattern, const AxisValues& values) {
    fmt::dynamic_format_arg_store<fmt::format_context> arguments;
    for (const auto& [key, value] : values)
        arguments.push_back(fmt::arg(key.c_str(), value));
    return fmt::vformat(pattern, arguments);
}

/// What these points hold of their own, but for some.
Memory own_of(const std::vector<Point>& points, const std::set<std::string>& without) {
    Memory own;
    for (const Point& point : points)
        if (!without.contains(point.name))
            own = {own.host + point.own_memory.host, own.gpu + point.own_memory.gpu};
    return own;
}

Group group_of(const Experiment& experiment, const PlanContext& context, const GroupOf& described,
               const AxisValues& values) {
    Group group{named(described.name, values), {}};
    std::set<std::string> known, yielding;
    for (const Members& members : described.members)
        for (const Variant& variant : experiment.variants) {
            const auto only = values.find("variant");
            if (!fits(variant, members.versions) || (only != values.end() && only->second != variant.name))
                continue;
            for (const AxisValues& chosen : combinations(members.axes, values)) {
                if (members.keeps != nullptr && !members.keeps(variant.name, chosen)) continue;
                for (Point& point : possible_points(experiment, context, variant, chosen)) {
                    if (!known.insert(point.name).second) continue;
                    if (members.yields) yielding.insert(point.name);
                    if (!members.series.empty()) point.series = members.series;
                    if (members.series_of != nullptr) point.series = members.series_of(point);
                    group.points.push_back(std::move(point));
                }
            }
        }
    if (group.points.empty()) return group;
    const Memory all = own_of(group.points, {}), others = own_of(group.points, yielding);
    for (Point& point : group.points) {
        const Memory& own = yielding.contains(point.name) ? all : others;
        point.memory.host += own.host - point.own_memory.host;
        // One on the CPU runs without a GPU.
        if (point.on_gpu) point.memory.gpu += own.gpu - point.own_memory.gpu;
    }
    if (described.add_peers != nullptr) described.add_peers(group, context, values);
    return group;
}

}  // namespace

Axis versions_axis(const Experiment& experiment, const nlohmann::json& versions) {
    Axis axis{"variant", {}};
    for (const Variant& variant : experiment.variants)
        if (fits(variant, versions)) axis.values.push_back(variant.name);
    return axis;
}

void add_products(Plan& plan, const Experiment& experiment, const PlanContext& context,
                  const std::vector<Product>& products) {
    for (const Product& product : products) {
        if (context.preset < product.from || context.preset > product.until) continue;
        for (const AxisValues& chosen : combinations(product.each, {}))
            for (const GroupOf& group : product.groups) {
                if (context.preset < group.from || (group.peers_alone && context.peers.program.empty()))
                    continue;
                AxisValues all = group.values;
                all.insert(chosen.begin(), chosen.end());
                if (Group made = group_of(experiment, context, group, all); !made.points.empty())
                    plan.groups.push_back(std::move(made));
            }
    }
}

}  // namespace gridmark::harness

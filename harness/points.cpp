#include "harness/points.hpp"

#include <fmt/format.h>

#include "harness/usage_error.hpp"

namespace gridmark::harness {

GridSize grid_size_of(const Settings& settings, int side, int longest) {
    const auto sides = [&](const char* key, int otherwise) {
        return static_cast<int>(settings.integer(key, otherwise, 1, longest));
    };
    if (settings.has("n")) settings.refuse({"nx", "ny", "nz"}, "n");
    const int n = sides("n", side);
    return {sides("nx", n), sides("ny", n), sides("nz", n)};
}

double axis_budget(const PlanContext& context, const Settings& settings, double otherwise) {
    const double usual =
        context.device_memory > 0 ? static_cast<double>(context.device_memory) / 0x1p20 : otherwise;
    const double budget = settings.number("budget_mib", usual);
    if (!(budget > 0 && budget <= 0x1p24))
        throw UsageError("--axis budget_mib: must lie above 0 and at most at 2^24");
    return budget;
}

Part part_of(const Settings& settings) {
    const std::string word = settings.word("part", "whole", {"whole", "transfers", "kernels"});
    return word == "whole" ? Part::whole : word == "transfers" ? Part::transfers : Part::kernels;
}

void keep_part(Point& point, Part part) {
    if (part == Part::whole) return;
    const std::string word = part == Part::transfers ? "transfers" : "kernels";
    point.add(word, {{"part", word}});
    if (part == Part::kernels) {
        point.transfers = {.buffers = point.transfers.buffers};
        return;
    }
    point.demands = {};
    point.launches = 0;
    point.bytes = point.transfers.uploaded + point.transfers.downloaded;
    point.flops = 0;
}

Team team_of(const PlanContext& context, int threads) {
    return {threads == context.threads ? "all" : threads == 1 ? "one" : "some", threads};
}

Team team_of(const PlanContext& context, const Settings& settings) {
    const std::string word = settings.text("threads", "all");
    if (word == "all") return {word, context.threads};
    if (word == "one") return {word, 1};
    return team_of(context, static_cast<int>(settings.integer("threads", context.threads, 1, 4096)));
}

std::string too_many_threads(const PlanContext& context, int threads) {
    if (threads <= context.threads) return {};
    return fmt::format("needs {} threads, and {} may be used here", threads, context.threads);
}

void add_team(Point& point, const PlanContext& context, const Team& team) {
    const std::string word = team.name == "some" ? std::to_string(team.threads) : team.name;
    point.add(team.name == "one" ? "one_thread" : fmt::format("{}_threads", word),
              {{"team", team.name}, {"threads", team.threads}});
    if (point.unavailable.empty()) point.unavailable = too_many_threads(context, team.threads);
}

}  // namespace gridmark::harness

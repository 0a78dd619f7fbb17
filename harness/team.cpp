#include "harness/team.hpp"

#include <fmt/format.h>

namespace gridmark::harness {

Team team_of(const PlanContext& context, const Settings& settings) {
    const int threads = static_cast<int>(settings.integer("threads", context.threads, 1, 4096));
    return {threads == context.threads ? "all" : threads == 1 ? "one" : "some", threads};
}

void add_team(Point& point, const PlanContext& context, const Team& team) {
    const std::string word = team.name == "some" ? std::to_string(team.threads) : team.name;
    point.add(team.name == "one" ? "one_thread" : fmt::format("{}_threads", word),
              {{"team", team.name}, {"threads", team.threads}});
    if (team.threads > context.threads && point.unavailable.empty())
        point.unavailable =
            fmt::format("needs {} threads, and {} may be used here", team.threads, context.threads);
}

}  // namespace gridmark::harness

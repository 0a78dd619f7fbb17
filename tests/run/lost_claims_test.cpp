// Which claims stay open on a machine that lacks something, by a plan and claims of the test's own.

#include "harness/run/lost_claims.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Ids = std::vector<std::string>;

Plan plan() {
    Point host{{.name = "e/cpu", .variant = "cpu"}}, gpu{{.name = "e/gpu", .variant = "gpu", .on_gpu = true}};
    host.series = {{Series::Clock::wall}};
    gpu.series = {{Series::Clock::kernel}, {Series::Clock::step, Series::Launch::stream}};
    Plan plan;
    plan.groups.push_back({"all", {host, gpu}});
    plan.profiled.push_back({{.name = "e/hits", .variant = "gpu", .on_gpu = true},
                             {{.quantity = "hit_rate", .unit = "%", .counter = "hits"}}});
    plan.computed.push_back({{.name = "e/error", .variant = "gpu", .on_gpu = true}, "error", "1"});
    plan.timelines.push_back({{.name = "e/passes", .variant = "gpu", .on_gpu = true}});
    plan.differences.push_back(
        {{.name = "e/rest", .variant = "gpu"}, "rest", "e/gpu/step/stream", "e/gpu/kernel/hot"});
    plan.derived.push_back({{.name = "e/model", .variant = "gpu"}, "model", "1", {"e/cpu/wall", "e/rest"}});
    return plan;
}

json claim(const char* id, const json& select) {
    return {{"id", id},
            {"kind", "absolute"},
            {"of", {{"select", select}}},
            {"published", {{"value", 1}}},
            {"tolerance", 0.1}};
}

const json study = {{"id", "e"},
                    {"claims",
                     {claim("cpu", {{"variant", "cpu"}}), claim("kernel", {{"clock", "kernel"}}),
                      claim("step", {{"clock", "step"}}), claim("hits", {{"quantity", "hit_rate"}}),
                      claim("rest", {{"quantity", "rest"}}), claim("model", {{"quantity", "model"}}),
                      claim("error", {{"quantity", "error"}}), claim("busy", {{"quantity", "busy"}}),
                      claim("nowhere", {{"variant", "none"}})}}};

TEST(LostClaims, AreThoseWhoseRowsNeedWhatIsLacking) {
    EXPECT_EQ(lost_claims(study, plan(), {}), Ids{});
    EXPECT_EQ(lost_claims(study, plan(), {Need::gpu}),
              (Ids{"kernel", "step", "hits", "rest", "model", "error", "busy"}));
    EXPECT_EQ(lost_claims(study, plan(), {Need::kernel_clock}), (Ids{"kernel", "rest", "model", "busy"}));
    EXPECT_EQ(lost_claims(study, plan(), {Need::profiler}), Ids{"hits"});
    EXPECT_EQ(lost_claims(study, plan(), {Need::profiler, Need::kernel_clock}),
              (Ids{"kernel", "hits", "rest", "model", "busy"}));
}

}  // namespace
}  // namespace gridmark::harness

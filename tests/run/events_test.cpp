// Which reports of a child are taken.

#include "harness/run/job.hpp"

#include <gtest/gtest.h>

#include "harness/usage_error.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

TEST(CheckEvent, TakesWhatChildrenSay) {
    const json row = tests::timed_row("jacobi/a/kernel/hot", tests::samples_from(1, 0.1));
    for (const json& event :
         {json{{"event", "context"}, {"context", {{"reasons", {{"gpu", "none"}}}}}},
          json{{"event", "ceilings"}, {"ceilings", json::array()}},
          json{{"event", "plan"}, {"rows", {"a", "b"}}, {"matching", json::array()}},
          json{{"event", "begin"}, {"rows", {"a"}}}, json{{"event", "rows"}, {"rows", {row}}},
          json{{"event", "end"}, {"clocks", json::object()}, {"reasons", json::object()}}})
        EXPECT_NO_THROW(check_event(event)) << event;
}

TEST(CheckEvent, RefusesAnyOtherShape) {
    for (const json& event : {json(), json(7), json::array(), json::object(), json{{"event", 7}},
                              json{{"event", "row"}}, json{{"event", "plan"}, {"rows", {"a"}}},
                              json{{"event", "plan"}, {"rows", {1}}, {"matching", json::array()}},
                              json{{"event", "begin"}, {"rows", "a"}}, json{{"event", "rows"}, {"rows", 7}},
                              json{{"event", "context"}, {"context", json::object()}},
                              json{{"event", "ceilings"}, {"ceilings", json::object()}},
                              json{{"event", "end"}, {"clocks", {}}, {"reasons", {{"a", 1}}}}})
        EXPECT_THROW(check_event(event), std::exception) << event;
}

// A number that is not finite is null on its way.
TEST(CheckEvent, RefusesARowThatNoFileMayHold) {
    for (const char* key : {"median", "name", "samples"}) {
        json row = tests::timed_row("jacobi/a/kernel/hot", tests::samples_from(1, 0.1));
        row[key] = nullptr;
        EXPECT_THROW(check_event({{"event", "rows"}, {"rows", {row}}}), UsageError) << key;
    }
}

}  // namespace
}  // namespace gridmark::harness

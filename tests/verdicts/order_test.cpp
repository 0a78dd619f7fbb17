// Which of two sets is the older one: by date, then by time of day, and never by a guess.

#include <gtest/gtest.h>

#include "harness/compare/compare.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/documents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// A set that began then; null says nothing.
ResultSet set_begun(const std::string& folder, const json& date, const json& time) {
    json d = tests::document(json::array({tests::timed_row("a", {1, 1, 1, 1, 1, 1, 1, 1, 1})}));
    d["context"]["date"] = date;
    if (!time.is_null()) d["context"]["time"] = time;
    return {folder, folder, true, {{"jacobi", d.get<ResultFile>()}}};
}

TEST(Order, OfOneDayTheTimeDecides) {
    const std::vector<ResultSet> sets{
        set_begun("noon", "2026-03-01", "12:00:00"), set_begun("evening", "2026-03-01", "20:30:00"),
        set_begun("before", "2026-02-28", "23:00:00"), set_begun("morning", "2026-03-01", "08:00:01")};
    EXPECT_NO_THROW(check_order(sets));
    std::vector<std::string> order;
    const json document = compare_history(sets);
    for (const json& side : document["sets"])
        order.push_back(side["directory"]);
    EXPECT_EQ(order, (std::vector<std::string>{"before", "morning", "noon", "evening"}));
}

TEST(Order, IsNotGuessed) {
    const ResultSet old = set_begun("old", "2026-01-01", nullptr),
                    timed = set_begun("timed", "2026-03-01", "12:00:00"),
                    bare = set_begun("bare", "2026-03-01", nullptr),
                    nothing = set_begun("nothing", nullptr, nullptr);
    EXPECT_NO_THROW(check_order({old, bare}));
    EXPECT_NO_THROW(check_order({timed, old}));
    for (const auto& sets : std::vector<std::vector<ResultSet>>{
             {bare, bare}, {timed, old, bare}, {timed, timed}, {nothing, timed}, {nothing, nothing}})
        EXPECT_THROW(check_order(sets), UsageError) << sets[0].machine;
    const auto message = tests::message_of<UsageError>([&] { check_order({bare, timed}); });
    EXPECT_NE(message.find("bare"), std::string::npos) << message;
    EXPECT_NE(message.find("timed"), std::string::npos) << message;
}

}  // namespace
}  // namespace gridmark::harness

#include "harness/run/store.hpp"

#include <gtest/gtest.h>

#include "harness/results/result_file.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/documents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::samples_from;

const Standards two_processes{Preset::paper, 2, true};

json context_with(const std::string& key, const std::string& date = "2026-01-01") {
    json context = tests::context();
    context.update({{"resume_key", key}, {"complete", false}, {"date", date}});
    return context;
}

json measured_row(const std::string& name) {
    return tests::timed_row(name, samples_from(1, 0.1));
}

class StoreTest : public testing::Test {
  protected:
    Store open(const std::string& key = "key", bool fresh = false) const {
        return {path, context_with(key), two_processes, fresh};
    }
    /// Rows a (one launch), b (skipped), c (failed) of d, saved.
    void interrupted_run() const {
        Store store = open();
        store.set_order({"a", "b", "c", "d"});
        store.add(measured_row("a"));
        store.add(tests::row_without_time("b", "skipped", "no GPU"));
        store.add(tests::row_without_time("c", "failed", "crash"));
        store.save(false);
    }
    tests::TemporaryFolder folder;
    std::filesystem::path path = folder / "jacobi.json";
};

TEST_F(StoreTest, WritesNothingBeforeItIsToldTo) {
    open();
    EXPECT_TRUE(folder.names().empty());
}

TEST_F(StoreTest, WritesRowsInTheirOrder) {
    Store store = open();
    store.set_order({"z", "a", "m"});
    for (const char* name : {"a", "m", "z"})
        store.add(measured_row(name));
    store.save(true);
    const json d = read_result_file(path);
    ASSERT_EQ(d["rows"].size(), 3U);
    EXPECT_EQ(d["rows"][0]["name"], "z");
    EXPECT_EQ(d["rows"][2]["name"], "m");
    EXPECT_EQ(d["context"]["complete"], true);
    EXPECT_EQ(d["context"]["processes"], 1);
    EXPECT_EQ(folder.names(), std::set<std::string>{"jacobi.json"});
}

TEST_F(StoreTest, FinishesARowAsItIsAdded) {
    Store store = open();
    const json& first = store.add(measured_row("a"));
    EXPECT_EQ(first["status"], "estimate");
    EXPECT_EQ(first["reason"], "1 of 2 processes");
    EXPECT_FALSE(store.done("a"));
    const json& second = store.add(measured_row("a"));
    EXPECT_EQ(second["status"], "ok");
    EXPECT_EQ(second["samples"].size(), 18U);
    EXPECT_TRUE(store.done("a"));
    EXPECT_EQ(store.count(Status::ok), 1U);
    EXPECT_EQ(store.count(Status::estimate), 0U);
}

TEST_F(StoreTest, ContinuesAFileWithTheSameKey) {
    interrupted_run();
    Store store = open();
    ASSERT_NE(store.find("a"), nullptr);
    EXPECT_EQ(store.find("a")->samples.size(), 9U);
    EXPECT_EQ(store.finished(), (std::map<std::string, int>{{"a", 1}, {"b", -1}}));
    EXPECT_EQ(store.add(measured_row("a")).process_samples, (std::vector<std::size_t>{9, 9}));
    EXPECT_EQ(folder.names(), std::set<std::string>{"jacobi.json"});
}

TEST_F(StoreTest, TriesAgainWhatFailed) {
    interrupted_run();
    Store store = open();
    EXPECT_EQ(store.find("c"), nullptr);
    EXPECT_FALSE(store.done("c"));
    EXPECT_EQ(store.add(measured_row("c")).status, Status::estimate) << "an old failure does not stick";
}

TEST_F(StoreTest, DoesNotTryAgainWhatWasSkipped) {
    interrupted_run();
    EXPECT_TRUE(open().done("b"));
    EXPECT_FALSE(open().done("d"));
}

// A process that dies (or Ctrl-C) before it has named its rows: the file must keep what it held.
TEST_F(StoreTest, KeepsOldRowsWhenSavedBeforeAnyPlan) {
    interrupted_run();
    Store store = open();
    EXPECT_FALSE(store.complete());
    store.save(false);
    const json d = read_result_file(path);
    ASSERT_EQ(d["rows"].size(), 2U);
    EXPECT_EQ(d["rows"][0]["name"], "a");
    EXPECT_EQ(d["rows"][1]["name"], "b");
}

TEST_F(StoreTest, SetsAFileOfAnotherKeyAside) {
    interrupted_run();
    const json before = read_result_file(path);
    Store store = open("other key");
    EXPECT_EQ(store.find("a"), nullptr);
    EXPECT_EQ(folder.names(), std::set<std::string>{"jacobi.old-1.json"});
    EXPECT_EQ(json(read_result_file(folder / "jacobi.old-1.json")), before);
    store.save(false);
    open("third key");
    EXPECT_EQ(folder.names(), (std::set<std::string>{"jacobi.old-1.json", "jacobi.old-2.json"}));
}

TEST_F(StoreTest, SetsAsideWhatWasMeasuredByCeilingsOfASharedGpu) {
    json context = context_with("key");
    const auto shared = [&](const json& others) {
        context["company"] = {{"gpu", others}};
        return context;
    };
    const json others{"another process is on the GPU"};
    Store(path, shared(others), two_processes, false).save(false);
    Store(path, shared(others), two_processes, false).save(false);
    EXPECT_EQ(folder.names(), std::set<std::string>{"jacobi.json"}) << "it still is";
    Store(path, shared(json::array()), two_processes, false).save(false);
    EXPECT_EQ(folder.names().size(), 2U);
    Store(path, shared(others), two_processes, false).save(false);
    EXPECT_EQ(folder.names().size(), 2U) << "the first context stays";
    EXPECT_EQ(read_result_file(path).context["company"]["gpu"], json::array());
}

TEST_F(StoreTest, KeepsTheClocksOfEveryGroup) {
    Store store = open();
    store.add_group_clocks("g", {{"sm_mhz", 1900}, {"limited_by", json::array()}});
    store.save(false);
    store.add_group_clocks("g", {{"sm_mhz", 1800}, {"limited_by", {"power cap"}}});
    store.add_group_clocks("h", {{"sm_mhz", 1700}});
    store.set_clocks({{"before", nullptr}}, json::object());
    store.save(false);
    const json clocks = read_result_file(path).context["clocks"];
    EXPECT_EQ(clocks["groups"]["g"], json({{"sm_mhz", 1800}, {"limited_by", {"power cap"}}}));
    EXPECT_EQ(clocks["groups"]["h"]["sm_mhz"], 1700);
    EXPECT_TRUE(clocks["before"].is_null());
}

TEST_F(StoreTest, SaysOnceAFileWhyEventsCouldNotBeCounted) {
    const auto counted = [](const char* name, json counters) {
        json row = measured_row(name);
        row["counters"] = std::move(counters);
        return row;
    };
    json older = tests::document(
        json::array({counted("a", {{"cycles", nullptr}, {"reasons", {{"cycles", "no unit"}}}})}));
    older["context"] = context_with("key");
    write_result_file(path, older);
    Store store = open();
    store.set_order({"a", "b", "c"});
    store.add(counted("b", {{"l1_misses", 7}, {"reasons", {{"cycles", "no unit"}, {"flops", "busy"}}}}));
    store.add(counted("c", {{"cycles", 5}, {"reasons", {{"flops", "disabled"}}}}));
    store.save(false);
    const json saved = read_result_file(path);
    EXPECT_EQ(saved["context"]["uncounted"], (json{{"cycles", "no unit"}, {"flops", "busy"}}));
    EXPECT_EQ(saved["rows"][0]["counters"], json::object());
    EXPECT_EQ(saved["rows"][1]["counters"], (json{{"l1_misses", 7}}));
    EXPECT_EQ(saved["rows"][2]["counters"], (json{{"cycles", 5}, {"reasons", {{"flops", "disabled"}}}}))
        << "another reason than the file's";
}

TEST_F(StoreTest, SetsAsideAFileWithoutAKey) {
    write_result_file(path, tests::document(json::array()));
    open();
    EXPECT_EQ(folder.names(), std::set<std::string>{"jacobi.old-1.json"});
}

TEST_F(StoreTest, FreshStartsOverAndKeepsTheOldFileAside) {
    interrupted_run();
    Store store = open("key", true);
    EXPECT_EQ(store.find("a"), nullptr);
    EXPECT_EQ(folder.names(), std::set<std::string>{"jacobi.old-1.json"});
}

TEST_F(StoreTest, RefusesABrokenFileUnlessFresh) {
    tests::write_text(path, "{ half of");
    const auto message = tests::message_of<UsageError>([&] { open(); });
    EXPECT_TRUE(message.starts_with(path.string() + ": ")) << message;
    EXPECT_TRUE(message.ends_with("; --fresh sets it aside")) << message;
    EXPECT_EQ(tests::read_text(path), "{ half of");
    open("key", true);
    EXPECT_EQ(folder.names(), std::set<std::string>{"jacobi.old-1.json"});
}

TEST_F(StoreTest, KeepsTheContextOfTheFirstRun) {
    interrupted_run();
    Store store(path, context_with("key", "2026-02-02"), two_processes, false);
    store.set_order({"a"});
    store.save(false);
    EXPECT_EQ(read_result_file(path).context["date"], "2026-01-01");
}

TEST_F(StoreTest, IsCompleteWhenEveryRowOfItsOrderIsDone) {
    Store store = open();
    EXPECT_FALSE(store.complete()) << "no order yet";
    store.set_order({"a", "b", "c"});
    store.add(tests::row_without_time("b", "skipped", "no GPU"));
    store.add(tests::row_without_time("c", "failed", "crash"));
    EXPECT_FALSE(store.complete());
    store.add(measured_row("a"));
    EXPECT_FALSE(store.complete()) << "one of two launches";
    store.add(measured_row("a"));
    EXPECT_TRUE(store.complete());
    store.save(true);
    EXPECT_EQ(read_result_file(path).context["processes"], 2);
    Store again = open();
    EXPECT_FALSE(again.complete()) << "what it continues may lack rows of the new plan";
    again.set_order({});
    EXPECT_FALSE(again.complete());
}

TEST_F(StoreTest, MeasuresAnewWhatOthersDisturbed) {
    const auto disturbed_row = [](const std::string& name, bool allowed) {
        Row row = measured_row(name);
        row.disturb({{"another process"}, allowed});
        return row;
    };
    {
        Store store = open();
        store.set_order({"alone", "disturbed", "allowed", "unstable"});
        for (int process = 0; process < 2; ++process) {
            store.add(measured_row("alone"));
            store.add(tests::timed_row("unstable", samples_from(process == 0 ? 1 : 9, 0.01)));
            store.add(disturbed_row("disturbed", false));
            store.add(disturbed_row("allowed", true));
        }
        EXPECT_TRUE(store.done("disturbed")) << "not within the run that saw them";
        store.save(true);
    }
    Store resumed = open();
    EXPECT_TRUE(resumed.done("alone"));
    EXPECT_TRUE(resumed.done("allowed"));
    EXPECT_EQ(resumed.find("disturbed"), nullptr);
    ASSERT_TRUE(resumed.done("unstable")) << "whoever measures until numbers please has chosen them";
    EXPECT_FALSE(resumed.find("unstable")->fit());
}

TEST_F(StoreTest, AProfiledRowNeedsOneLaunchOnly) {
    Store store = open();
    store.add(tests::timed_row("hits", samples_from(70, 0.1),
                               {{"quantity", "l1_hit_rate"}, {"unit", "%"}, {"clock", nullptr}}));
    EXPECT_TRUE(store.done("hits"));
    EXPECT_EQ(store.finished().at("hits"), -1);
}

TEST_F(StoreTest, AComputedRowNeedsNoMore) {
    Store store = open();
    Row row = tests::timed_row("error", {0.25}, {{"quantity", "error"}, {"unit", "1"}, {"clock", nullptr}});
    set_exact_value(row, 0.25);
    EXPECT_EQ(store.add(row).status, Status::ok);
    EXPECT_TRUE(store.done("error"));
    EXPECT_EQ(store.finished().at("error"), -1);
}

// It is put in place anew by every run.
TEST_F(StoreTest, ADerivedRowIsKeptAndReplaced) {
    const auto derived = [](double value) {
        return tests::published_row("fit", value, {{"quantity", "slope"}, {"clock", nullptr}});
    };
    Store first = open();
    first.set_order({"fit"});
    first.replace(derived(2));
    EXPECT_TRUE(first.complete());
    first.save(true);
    Store second = open();
    ASSERT_NE(second.find("fit"), nullptr);
    EXPECT_EQ(second.find("fit")->median, 2);
    EXPECT_EQ(second.finished().at("fit"), -1);
    second.replace(derived(3));
    EXPECT_EQ(second.find("fit")->median, 3);
}

TEST_F(StoreTest, NotesClocksAndReasons) {
    Store store = open();
    store.set_clocks({{"before", nullptr}}, {{"clocks.before", "no GPU"}});
    store.save(false);
    const json context = read_result_file(path).context;
    EXPECT_TRUE(context["clocks"]["before"].is_null());
    EXPECT_EQ(context["reasons"]["clocks.before"], "no GPU");
}

TEST_F(StoreTest, NotesTheProcessFromWhichMostWasStolen) {
    Store store = open();
    EXPECT_EQ(store.cpu_stolen(), 0);
    for (const json& share : {json(0.01), json(0.3), json(0.02), json()})
        store.set_clocks({{"before", nullptr}, {"cpu_stolen", share}}, json::object());
    EXPECT_EQ(store.cpu_stolen(), 0.3);
    store.save(false);
    EXPECT_EQ(read_result_file(path).context["clocks"]["cpu_stolen"], 0.3);
}

TEST_F(StoreTest, SaysWhenItCannotWrite) {
    Store store(folder / "missing" / "jacobi.json", context_with("key"), two_processes, false);
    EXPECT_THROW(store.save(false), std::system_error);
}

}  // namespace
}  // namespace gridmark::harness

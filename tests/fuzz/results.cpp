// Any bytes as a result file: refused in one line, or good for all that the program does with one.

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "harness/compare/compare.hpp"
#include "harness/compare/table_ratios.hpp"
#include "harness/results/contribution.hpp"
#include "harness/results/json_file.hpp"
#include "harness/results/result_file.hpp"
#include "harness/run/store.hpp"
#include "harness/usage_error.hpp"
#include "harness/verdicts/verdict.hpp"
#include "tests/fuzz/target.hpp"

namespace gridmark::fuzz {
namespace {

using nlohmann::json;

const std::map<std::string, json>& studies() {
    static const auto all = [] {
        std::map<std::string, json> studies;
        for (const auto& entry : std::filesystem::directory_iterator(GRIDMARK_SOURCE_DIR "/experiments"))
            if (std::ifstream file(entry.path() / "study.json"); file)
                studies[entry.path().filename()] = json::parse(file);
        return studies;
    }();
    return all;
}

/// What is printed as JSON must not hold what JSON cannot.
void expect_finite(const json& value) {
    if (value.is_number_float()) expect(std::isfinite(value.get<double>()), "a number that JSON has not");
    if (value.is_structured())
        for (const json& part : value)
            expect_finite(part);
}

void compare(const harness::ResultSet& set) {
    static const harness::ResultSet published{
        "base",
        "base",
        true,
        {{"jacobi",
          harness::read_result_file(GRIDMARK_SOURCE_DIR "/results/published/gtx-570/jacobi.json")}}};
    for (const auto& [base, fresh] : {std::pair{&set, &set}, {&published, &set}, {&set, &published}}) {
        for (const json& comparison : {harness::compare_sets(*base, *fresh, {*fresh}),
                                       harness::compare_history({*base, *fresh, set, set, *fresh})}) {
            expect_finite(comparison);
            comparison.dump();
        }
    }
}

/// Every study's claims and tables, whatever the file says that it is of.
void judge(const std::vector<harness::Row>& rows) {
    for (const auto& [id, study] : studies()) {
        for (const json& claim : study["claims"]) {
            const harness::Decision d = harness::decide(claim, rows);
            if (d.value) expect(std::isfinite(*d.value), "a claim's value is no number");
            if (d.interval)
                expect(std::isfinite(d.interval->low) && std::isfinite(d.interval->high),
                       "a claim's interval holds no number");
        }
        for (const json& table : study["tables"])
            if (table.contains("ratio")) expect_finite(harness::table_ratios(table, rows));
    }
}

/// A run goes on with the file, and what it then writes can be read.
void resume(const json& document) {
    const auto path = scratch_folder() / "resumed.json";
    std::ofstream(path) << document.dump();
    json context = document["context"];
    context["resume_key"] = context.value("resume_key", "");
    harness::Store store(path, context, {harness::Preset::quick, 1, true}, false);
    store.finished();
    store.complete();
    for (const harness::Row& row : document.get<harness::ResultFile>().rows)
        if (const harness::Row* found = store.find(row.name))
            expect(json(*found) == json(row), "a row was changed by resuming");
    store.save(false);
    harness::read_result_file(path);
}

}  // namespace
}  // namespace gridmark::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gridmark;
    nlohmann::json document;
    try {
        document = harness::parse_json({reinterpret_cast<const char*>(data), size}, "bytes.json");
        harness::check_result(document, "bytes.json");
    } catch (const harness::UsageError& error) {
        fuzz::expect(std::string(error.what()).starts_with("bytes.json: "),
                     "a refusal without the file's name");
        return 0;
    }
    const auto file = document.get<harness::ResultFile>();
    const harness::ResultSet set{"folder", "machine", true, {{file.context["experiment"], file}}};
    fuzz::compare(set);
    fuzz::judge(file.rows);
    harness::shortcomings(set, {"jacobi", "heat"}, {"a-host-name"});
    fuzz::resume(document);
    return 0;
}

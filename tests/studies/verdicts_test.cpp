// Every claim of every study can go every way: rows are made up that must give each verdict that a claim's
// kind allows, and it is given. A claim that no rows can refute is no claim.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "harness/results/spread.hpp"
#include "harness/verdicts/pairs.hpp"
#include "harness/verdicts/verdict.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests {
namespace {

using harness::Interval;
using harness::matches;
using harness::Row;
using harness::Verdict;
using Rows = std::vector<Row>;

/// Nine samples of each of three processes, whose interval is about this one.
void set(Row& row, Interval values) {
    row.status = harness::Status::ok;
    row.samples.clear();
    // Three processes, the outer ones as far from the middle as makes the interval that wide.
    const double middle = std::sqrt(values.low * values.high), unit = 0.01,
                 reach = harness::reach_of_a_process(std::vector<double>{std::exp(-unit), 1, std::exp(unit)},
                                                     harness::confidence),
                 step = unit * std::log(values.high / middle) / reach;
    for (const int process : {-1, 0, 1})
        row.samples.insert(row.samples.end(), 9, middle * std::exp(process * step));
    row.by_host = 0;  // what is up to the host varies more
    row.process_samples = {9, 9, 9};
    row.median = middle;
}

/// The claim's rows by turns from `values`: the rows that it takes, in their order, of this side.
void set_all(Rows& rows, const std::vector<json>& selectors, const json& pairs,
             const std::vector<Interval>& values) {
    std::map<std::string, Interval> by_label;
    for (Row& row : rows) {
        if (!std::all_of(selectors.begin(), selectors.end(), [&](const json& s) { return matches(s, row); }))
            continue;
        const auto [at, is_new] =
            by_label.try_emplace(pairs.contains("by") ? harness::label_of(row, pairs["by"]) : row.name,
                                 values[by_label.size() % values.size()]);
        const double factor = pairs.contains("per") ? row.flops.value() : 1;
        set(row, {at->second.low * factor, at->second.high * factor});
    }
}

/// What a study plans, before anything is measured.
Rows unmeasured(Rows rows) {
    for (Row& row : rows) {
        row.status = harness::Status::skipped;
        row.reason = "no GPU";
    }
    return rows;
}

class Claims : public testing::TestWithParam<std::string> {
  protected:
    const harness::Experiment& experiment = harness::experiments().at(GetParam());
    const json study = harness::study_of(experiment);
    const Rows blank = unmeasured(rows_of(GetParam(), planned(experiment, harness::Preset::full)));

    static Interval around(double value, double width = 1e-4) {
        return {value * (1 - width), value * (1 + width)};
    }

    /// The claim's verdict where the ratios of its pairs are by turns these.
    Verdict of_ratios(const json& claim, const std::vector<Interval>& ratios) const {
        const json& pairs = claim["pairs"];
        Rows rows = blank;
        set_all(rows, {pairs["select"], pairs["denominator"]}, pairs, {around(1, 1e-6)});
        set_all(rows, {pairs["select"], pairs["numerator"]}, pairs, ratios);
        return decided(claim, rows);
    }
    /// What the paper has of each of the claim's pairs, in the order of their rows, and within `width` of so
    /// many times that.
    std::vector<Interval> of_each_pair(const json& claim, double times, double width) const {
        std::vector<Interval> published;
        std::set<std::string> seen;
        for (const Row& row : select_rows(blank, {claim["pairs"]["select"], claim["pairs"]["numerator"]}))
            if (const std::string label = harness::label_of(row, claim["pairs"]["by"]);
                seen.insert(label).second)
                published.push_back(around(times * claim["published"]["pairs"][label].get<double>(), width));
        return published;
    }
    /// The values of its rows are by turns these, in each way to count.
    Verdict of_values(const json& claim, const std::vector<Interval>& values) const {
        Rows rows = blank;
        for (const json& way : claim["of"].value("ways", json::array({json::object()})))
            set_all(rows, {claim["of"]["select"], way}, json::object(), values);
        return decided(claim, rows);
    }
    /// The rows of one way to count have this value, those of the others `otherwise`.
    Verdict of_way(const json& claim, const json& way, Interval value, Interval otherwise) const {
        Rows rows = blank;
        set_all(rows, {claim["of"]["select"]}, json::object(), {otherwise});
        set_all(rows, {claim["of"]["select"], way}, json::object(), {value});
        return decided(claim, rows);
    }
    /// The expected one of an optimum has this value, or where it is the most, the inverse; all others 1.
    Verdict of_least(const json& claim, Interval expected) const {
        const json& optimum = claim["optimum"];
        if (optimum.value("most", false)) expected = {1 / expected.high, 1 / expected.low};
        Rows rows = blank;
        for (const json& choice : optimum["among"]) {
            set_all(rows, {optimum["select"], choice}, json::object(), {around(1)});
            set_all(rows, {optimum["select"], choice, optimum["expect"]}, json::object(), {expected});
        }
        return decided(claim, rows);
    }
    static Verdict decided(const json& claim, const Rows& rows) {
        const harness::Decision d = harness::decide(claim, rows);
        last_because() = d.because;
        return d.verdict;
    }
    static std::string& last_because() {
        static std::string because;
        return because;
    }
    /// Whether its ratios can differ from pair to pair.
    static bool by_turns(const json& claim) {
        return !claim["pairs"].value("across", false) && !claim["pairs"].value("best", false);
    }
    std::size_t pairs_in(const json& claim) const {
        Rows rows = blank;
        for (Row& row : rows)
            set(row, around(row.flops.value_or(0) > 0 && claim["pairs"].contains("per") ? *row.flops : 1));
        const auto pairs = harness::pairs_of(claim["pairs"], rows);
        EXPECT_TRUE(pairs) << pairs.reason;
        return pairs ? pairs.value->size() : 0;
    }
};

void expect(Verdict found, Verdict wanted, const std::string& because) {
    EXPECT_EQ(to_string(found), to_string(wanted)) << because;
}

TEST_P(Claims, CanGoEveryWay) {
    int forced = 0;
    const auto check = [&](Verdict found, Verdict wanted) {
        expect(found, wanted, last_because());
        ++forced;
    };
    for (const json& claim : study["claims"]) {
        SCOPED_TRACE(claim["id"]);
        const std::string kind = claim["kind"];
        const double tolerance = claim["tolerance"];
        check(decided(claim, blank), Verdict::not_run);
        if (kind == "ordering") {
            const std::size_t pairs = pairs_in(claim);
            const double size = claim["pairs"].value("at_least", 1.0);
            check(of_ratios(claim, {around(2 * size)}), Verdict::reproduced);
            if (size > 1) {
                check(of_ratios(claim, {around((1 + size) / 2)}), Verdict::trend_only);
                check(of_ratios(claim, {around(size, 0.02)}), Verdict::inconclusive);
            }
            check(of_ratios(claim, {around(0.5)}), Verdict::not_reproduced);
            check(of_ratios(claim, {{0.5, 2}}), Verdict::inconclusive);
            if (claim.value("or_equal", false)) check(of_ratios(claim, {around(1)}), Verdict::reproduced);
            if (pairs >= 3 && by_turns(claim))
                check(of_ratios(claim, {around(2), around(2), around(0.5)}), Verdict::trend_only);
        } else if (kind == "range") {
            const double low = claim["published"]["low"], high = claim["published"]["high"];
            const double middle = (low + high) / 2, end = high * (1 + tolerance);
            const bool by_pair = claim["published"].contains("pairs");
            const auto near_published = [&](double times, double width) {
                return by_pair ? of_each_pair(claim, times, width)
                               : std::vector{around((times > 1 ? high : middle) * times, width)};
            };
            check(of_ratios(claim, near_published(1, 1e-4)), Verdict::reproduced);
            if (by_pair) check(of_ratios(claim, {around(middle)}), Verdict::trend_only);
            check(of_ratios(claim, {around(high > 1 ? 2 * end : low / 2)}), Verdict::trend_only);
            check(of_ratios(claim, {around(1 / middle)}), Verdict::not_reproduced);
            check(of_ratios(claim, near_published(1 + tolerance, 0.02)), Verdict::inconclusive);
            check(of_ratios(claim, {{0.8, 1.25}}), Verdict::inconclusive);
            if (pairs_in(claim) >= 2 && by_turns(claim))
                check(of_ratios(claim, {around(middle), around(2 * end)}), Verdict::trend_only);
        } else if (kind == "ratio") {
            const double published = claim["published"]["value"];
            const double end = published > 1 ? published * (1 + tolerance) : published * (1 - tolerance);
            if (published == 1) {  // as fast: no side, and no trend
                check(of_ratios(claim, {around(1)}), Verdict::reproduced);
                check(of_ratios(claim, {around(end / 2)}), Verdict::not_reproduced);
                check(of_ratios(claim, {around(2)}), Verdict::not_reproduced);
                check(of_ratios(claim, {around(end, 0.02)}), Verdict::inconclusive);
                continue;
            }
            check(of_ratios(claim, {around(published, 1e-3)}), Verdict::reproduced);
            check(of_ratios(claim, {around(published > 1 ? 2 * end : end / 2)}), Verdict::trend_only);
            check(of_ratios(claim, {around(1 / published)}), Verdict::not_reproduced);
            check(of_ratios(claim, {around(end, 0.02)}), Verdict::inconclusive);
            check(of_ratios(claim, {{0.8, 1.25}}), Verdict::inconclusive);
        } else if (kind == "absolute") {
            const double published = claim["published"]["value"];
            check(of_values(claim, {around(published)}), Verdict::reproduced);
            check(of_values(claim, {around(2 * published)}), Verdict::not_reproduced);
            check(of_values(claim, {around(published * (1 + tolerance), 0.02)}), Verdict::inconclusive);
            if (select_rows(blank, {claim["of"]["select"]}).size() > 2)
                check(of_values(claim, {around(published), around(published), around(2 * published)}),
                      Verdict::trend_only);
            for (const json& way : claim["of"].value("ways", json::array()))
                check(of_way(claim, way, around(2 * published), around(published)), Verdict::inconclusive);
        } else {
            ASSERT_EQ(kind, "optimum");
            check(of_least(claim, around(0.5)), Verdict::reproduced);
            check(of_least(claim, around(2)), Verdict::not_reproduced);
            check(of_least(claim, {0.7, 1.5}), Verdict::inconclusive);
        }
    }
    RecordProperty("verdicts_forced", forced);
    std::cout << GetParam() << ": " << study["claims"].size() << " claims, " << forced
              << " verdicts forced\n";
}

INSTANTIATE_TEST_SUITE_P(Of, Claims, testing::ValuesIn(ids()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gridmark::studies_tests

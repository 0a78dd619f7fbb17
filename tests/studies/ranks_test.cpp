// Every study that is cut among ranks: what it declares of its messages is what they send, its ranks pass
// their check, and their answer is the same however they are cut. Threads of this process play the ranks.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "harness/experiment.hpp"
#include "harness/ranks/ranked_field.hpp"
#include "kernels/jacobi/ranks.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

/// Sides that nothing divides, large enough that a rank is checked at windows alone.
const std::map<std::string, std::map<std::string, std::string>> sizes{
    {"jacobi", {{"nx", "211"}, {"ny", "173"}}},
    {"heat", {{"nx", "41"}, {"ny", "33"}, {"nz", "37"}}},
    {"maxwell", {{"nx", "35"}, {"ny", "31"}, {"nz", "33"}}}};

/// A cut, and where the ranks compute.
struct Case {
    std::string cut;
    int ranks, steps_per_exchange;
    bool on_host = false;
};

/// Runs the ranks of a study; `body` gets each one's field.
template <class Body>
void run_ranks(const RankedStudy& study, const Settings& settings, const Case& c, const Body& body) {
    const ranks::Triple parts = parts_of(study.grid(settings, 1), c.cut, c.ranks);
    ranks::run_in_process(c.ranks, ranks::Arrival::by_chance, 3, [&](ranks::Transport& transport) {
        const auto device = c.on_host ? launch::host_device() : nullptr;
        const auto field = study.make({.transport = transport,
                                       .device = device.get(),
                                       .settings = settings,
                                       .threads = 1,
                                       .seed = 5,
                                       .steps_per_exchange = c.steps_per_exchange,
                                       .parts = parts},
                                      1);
        body(transport, *field, parts);
    });
}

class RankedStudies : public testing::TestWithParam<std::string> {
  protected:
    const RankedStudy& study_ = *experiments().at(GetParam()).ranked;
    Settings settings_{sizes.at(GetParam()), study_.keys};
    const std::string deep_ = GetParam() == "jacobi" ? "3x2" : "3x1x2";
    const Case cases_[4] = {{"auto", 4, 1}, {deep_, 6, 3}, {"auto", 5, 2, true}, {"auto", 1, 1}};
};

TEST_P(RankedStudies, SendWhatTheyDeclareAndPassTheirCheck) {
    for (const Case& c : cases_)
        run_ranks(study_, settings_, c, [&](ranks::Transport& transport, Ranked& field, const auto& parts) {
            const RankTraffic declared = traffic_of(study_.grid(settings_, 1), parts, c.steps_per_exchange),
                              sent = field.traffic();
            EXPECT_DOUBLE_EQ(transport.most(sent.bytes), declared.bytes) << c.cut << " " << c.ranks;
            EXPECT_DOUBLE_EQ(transport.most(sent.messages), declared.messages) << c.cut << " " << c.ranks;
            const Verification v = field.verify();
            EXPECT_TRUE(v.passed()) << v.error << " of " << v.tolerance << ", " << c.cut << " " << c.ranks;
            EXPECT_TRUE(v.can_fail());
            EXPECT_EQ(transport.most(v.error), v.error);
        });
}

TEST_P(RankedStudies, WriteTheSameFileHoweverTheyAreCut) {
    const tests::TemporaryFolder folder;
    std::string whole;
    for (const Case& c : {cases_[3], cases_[0], cases_[1]}) {
        const std::string file = (folder / "field").string();
        std::ofstream(file).close();
        run_ranks(study_, settings_, c, [&](ranks::Transport&, Ranked& field, const auto&) {
            field.start();
            field.steps(5, ranks::Omit::nothing);
            field.write(file);
        });
        std::ifstream in(file, std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(in), {}};
        if (whole.empty()) whole = content;
        EXPECT_EQ(content.size() % study_.grid(settings_, 1).box.points(), 0U);
        EXPECT_TRUE(content == whole && !content.empty()) << c.cut << " " << c.ranks;
    }
}

INSTANTIATE_TEST_SUITE_P(All, RankedStudies, testing::Values("jacobi", "heat", "maxwell"));

TEST(RankedField, FailsAtAllRanksWhereOneIsWrongAtOnePoint) {
    const jacobi::Problem p = jacobi::channel(211, 173);
    const ranks::Cut cut(jacobi::grid_box(p), {1, 2, 1});
    for (const bool wrong : {false, true})
        ranks::run_in_process(2, ranks::Arrival::early, 3, [&](ranks::Transport& transport) {
            const ranks::Box own = cut.own(transport.rank());
            // Not stepped at all: the start is what must be there.
            RankedCase<double> fields{
                .part = jacobi::cpu_part<double>(
                    p, ranks::Stepping<double>::stored_box(cut, transport.rank(), jacobi::sweep_reach(), 1),
                    5, 1),
                .steps = 0,
                .tolerance = 0,
                .reference = [&](const ranks::Box& window) {
                    std::vector<double> values;
                    for (int j = window.low[1]; j < window.high[1]; ++j)
                        for (int i = window.low[0]; i < window.high[0]; ++i)
                            values.push_back(jacobi::initial_psi_at(p, 5, i, j));
                    const bool is_last_corner = window.high == own.high && transport.rank() == 1;
                    if (wrong && is_last_corner) values.back() += 1e-3;
                    return std::vector<std::vector<double>>{values};
                }};
            RankedField<double> field({.transport = transport,
                                       .device = nullptr,
                                       .settings = Settings({}, {}),
                                       .threads = 1,
                                       .seed = 5,
                                       .steps_per_exchange = 1,
                                       .parts = {}},
                                      cut, std::move(fields));
            EXPECT_EQ(field.verify().passed(), !wrong);
        });
}

}  // namespace
}  // namespace gridmark::harness

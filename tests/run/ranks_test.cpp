// What `run --ranks` plans, and what the model says of more ranks.

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "harness/ranks/job.hpp"
#include "harness/ranks/model.hpp"
#include "harness/ranks/plan.hpp"
#include "harness/ranks/rank_work.hpp"
#include "harness/run/rows.hpp"
#include "harness/usage_error.hpp"
#include "kernels/launch/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

constexpr char text[] = R"({"id": "toy"})";

/// A plane of n x 6 points; x is axis 1 of its box.
RankGrid grid(const Settings& settings, int times) {
    const int n = static_cast<int>(settings.integer("n", 8, 1, 1000));
    return {.box = {{0, 0, 0}, {6, n * times, 1}},
            .order = {1, 0, 2},
            .word = std::to_string(n * times),
            .parameters = {{"n", std::int64_t{n} * times}},
            .bytes = 100.0 * n * times,
            .flops = 10.0 * n * times,
            .memory = 48.0 * n * times,
            .stages = {{{{1, 2, 0}, {1, 1, 0}}, 3}},
            .state_fields = 4,
            .value_bytes = 8};
}
Axes sizes(Preset) {
    return {{{"n", {"8"}}}, {}};
}
const RankedStudy ranked{sizes, {"n"}, grid, nullptr};

Experiment toy() {
    Experiment experiment{};
    experiment.study = text;
    experiment.ranked = &ranked;
    return experiment;
}

PlanContext context(std::vector<int> counts, const std::vector<std::string>& axes = {}) {
    return {.preset = Preset::quick,
            .threads = 4,
            .seed = 1,
            .gpu = nullptr,
            .no_gpu = "no GPU here",
            .gpu_memory = 0,
            .host_memory = 1 << 30,
            .set = {},
            .axes = parse_axes(axes, {}),
            .ranks = {std::move(counts)}};
}

std::string refused(const PlanContext& c) {
    return tests::message_of<UsageError>([&] { ranks_plan(toy(), c); });
}

TEST(RanksPlan, HasTheStepItsComputingAndItsExchangeForEveryNumberOfRanks) {
    const Plan plan = ranks_plan(toy(), context({1, 2}, {"scaling=strong", "steps_per_exchange=3"}));
    std::map<std::string, const Point*> points;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            points[point.name] = &point;
    ASSERT_EQ(points.size(), 2U + 6U);
    const std::string two = "toy/ranks_cpu/8/strong/2_ranks/2x1/exchange_every_3/2_threads_each";
    ASSERT_TRUE(points.contains(two));
    const Point &whole = *points[two], &alone = *points[two + "/exchange"],
                &without = *points[two + "/computing"];
    EXPECT_EQ(whole.ranks, 2);
    EXPECT_EQ(whole.bytes, 800);
    EXPECT_EQ(alone.bytes, 0);
    EXPECT_EQ(without.transfers.exchange.bytes, 0);
    // Deep halos: 3 * 2 rows up or 3 rows down of 6 columns, all four fields, once in three steps.
    EXPECT_DOUBLE_EQ(whole.transfers.exchange.bytes,
                     4.0 * 6 * 4 * 8 / 3);  // the neighbour has four rows, not six
    EXPECT_DOUBLE_EQ(traffic_of(grid(Settings({}, {"n"}), 1), {1, 2, 1}, 3).messages, 1.0 / 3);
    EXPECT_EQ(alone.transfers.exchange.bytes, whole.transfers.exchange.bytes);
    EXPECT_TRUE(points.at("toy/ranks_gpu/8/strong/2_ranks/2x1/exchange_every_3")->on_gpu);
}

TEST(RanksPlan, DerivesEfficiencyAndTheVisiblePartOfTheExchange) {
    const Plan plan = ranks_plan(toy(), context({2, 4}, {"steps_per_exchange=1"}));
    std::map<std::string, double> values;
    for (const Derived& derived : plan.derived)
        if (derived.variant == ranks_cpu)
            values[derived.name] =
                derived.value(std::vector<double>{100, 40, 70}.size() == derived.from.size()
                                  ? std::vector<double>{100, 40, 70}
                                  : std::vector<double>{100, 80});
    const std::string strong = "toy/ranks_cpu/8/strong/4_ranks/2x2/exchange_every_1/1_threads_each/",
                      weak = "toy/ranks_cpu/32/weak/4_ranks/4x1/exchange_every_1/1_threads_each/";
    // A step of 100 us, 40 without its exchange, which takes 70 alone: 60 show, 10 are hidden.
    EXPECT_DOUBLE_EQ(values.at(strong + "exchange_visible"), 60);
    EXPECT_DOUBLE_EQ(values.at(strong + "exchange_hidden"), 10);
    EXPECT_DOUBLE_EQ(values.at(strong + "efficiency"),
                     62.5);  // twice the ranks of the base, 1.25 times as fast
    EXPECT_DOUBLE_EQ(values.at(weak + "efficiency"), 125);
}

TEST(RanksPlan, RefusesWhatCannotBeCut) {
    EXPECT_NE(refused(context({7}, {"n=5"})).find("among 7 ranks"), std::string::npos);
    EXPECT_NE(refused(context({2}, {"cut=1x3"})).find("3 parts for 2 ranks"), std::string::npos);
    EXPECT_NE(refused(context({2}, {"cut=2"})).find("cut=2"), std::string::npos);
    EXPECT_NE(refused(context({2}, {"cut=2x1x1"})).find("more numbers than axes"), std::string::npos);
    EXPECT_NE(refused(context({8}, {"cut=1x8"})).find("6 points cannot be cut into 8"), std::string::npos);
    EXPECT_NE(refused(context({2}, {"steps_per_exchange=0"})).find("steps_per_exchange"), std::string::npos);
    EXPECT_NE(refused(context({2}, {"depth=3"})).find("no such axis of ranks"), std::string::npos);
    Experiment whole = toy();
    whole.ranked = nullptr;
    EXPECT_THROW(ranks_plan(whole, context({2})), UsageError);
}

TEST(RanksPlan, ACutNamesAxesAsTheStudyDoes) {
    const RankGrid g = grid(Settings({}, {"n"}), 1);
    EXPECT_EQ(parts_of(g, "4x2", 8), (ranks::Triple{2, 4, 1}));
    EXPECT_EQ(cut_word(g, {2, 4, 1}), "4x2");
}

TEST(RankJob, ALauncherNamesThePlaceOfTheNumberOnce) {
    EXPECT_EQ(launch_command("srun -n {} --exact", 12), "srun -n 12 --exact");
    EXPECT_THROW(launch_command("srun", 2), UsageError);
    EXPECT_THROW(launch_command("srun -n {} {}", 2), UsageError);
}

TEST(RankJob, TellsOfRanksThatShareAGpu) {
    const auto rank = [](int number, int node, const json& gpu) {
        return json{{"rank", number}, {"node", node}, {"gpu", gpu}};
    };
    EXPECT_EQ(shared_gpus({rank(0, 0, "A"), rank(1, 0, "B"), rank(2, 2, "A"), rank(3, 2, nullptr),
                           rank(4, 2, nullptr)}),
              "");
    EXPECT_EQ(shared_gpus({rank(0, 0, "A"), rank(1, 0, "A")}),
              "ranks 0, 1 share a GPU: their times show no scaling");
}

/// Ranks as a script plays them: two say who they are, then what is timed takes as many seconds as the square
/// of its steps.
class PlayedRanks : public testing::Test {
  protected:
    RankOptions played(const std::string& answers, int ranks = 2) {
        std::string hello = R"({"program": "played", "mpi": "none", "ranks": [)";
        for (int rank = 0; rank < ranks; ++rank)
            hello += std::string(rank == 0 ? "" : ", ") + R"({"rank": )" + std::to_string(rank) + "}";
        std::ofstream(folder_ / "ranks")
            << "echo '" << hello << "]}'\nwhile read -r line; do\n"
            << "steps=$(echo \"$line\" | sed -n 's/.*\"steps\":\\([0-9]*\\).*/\\1/p')\n"
            << "case $line in " << answers << R"( *) echo '{"done": "it"}' ;; esac)"
            << "\ndone\n";
        return {{2}, "sh " + (folder_ / "ranks").string() + " {}", 30, "none"};
    }
    std::unique_ptr<Work> work(const std::string& answers, int steps_per_exchange) {
        RankSetUp set_up;
        set_up.steps_per_exchange = steps_per_exchange;
        return rank_work(std::make_shared<SharedRankJob>(played(answers), 2), set_up, ranks::Omit::nothing);
    }
    std::string lost(const std::string& answers) {
        const auto made = work(answers, 1);
        return tests::message_of<WorkLost>([&] { made->timed(1); });
    }

  private:
    tests::TemporaryFolder folder_;
};

TEST_F(PlayedRanks, AreTimedOverWholeBlocksBetweenTwoExchanges) {
    const std::string squared = R"(*time\"*) echo "{\"seconds\": $((steps * steps))}" ;;)";
    EXPECT_DOUBLE_EQ(*work(squared, 1)->timed(5), 25);
    EXPECT_DOUBLE_EQ(*work(squared, 4)->timed(5), 64.0 * 5 / 8);
    EXPECT_EQ(work(squared, 4)->made_by(), "played, none");
}

TEST_F(PlayedRanks, LoseTheirRowsWithTheReason) {
    EXPECT_EQ(lost(R"(*time\"*) echo '{"error": "rank 1: no room"}' ;;)"), "rank 1: no room");
    EXPECT_EQ(lost("*time\\\"*) exit 3 ;;"), "the ranks are gone: the launcher ended");
    EXPECT_EQ(lost("*time\\\"*) echo 3 ;;"), "what the ranks answered is damaged");
    EXPECT_THROW(work(R"(*up*) echo '{"error": "rank 0: no such size"}' ;;)", 1), RankError);
    EXPECT_THROW(work(R"(*up*) echo '{"unavailable": "rank 0: no GPU"}' ;;)", 1), launch::Unavailable);
}

// The words of Open MPI 4 and 5, as they print them.
TEST_F(PlayedRanks, TellHowARankEnded) {
    const auto said = [&](const std::string& words) {
        return lost("*time\\\"*) echo '" + words + "' >&2; exit 137 ;;");
    };
    const std::string killed = "the ranks are gone: rank 1 was ended by signal 9";
    EXPECT_EQ(said("mpirun noticed that process rank 1 with PID 0 on node n exited on signal 9 (Killed)."),
              killed);
    EXPECT_EQ(said("prterun noticed that process rank 1 with PID 7 on node n exited on\nsignal 9 (Killed)."),
              killed);
    const std::string ended = "the ranks are gone: rank 1 ended with exit code 3";
    EXPECT_EQ(said("  Process name: [[50389,1],1]\n  Exit code:    3"), ended);
    EXPECT_EQ(said("   Process name: [prterun-vm-28969@1,1]\n   Exit code:    3"), ended);
}

TEST_F(PlayedRanks, OfAnotherMpiAreToldApart) {
    const auto why = tests::message_of<RankError>([&] { SharedRankJob(played("", 1), 2).get(); });
    EXPECT_NE(why.find("started programs of 1 rank, not one of 2"), std::string::npos) << why;
}

TEST(RanksModel, AddsWhatAMessageCostsOrHidesItBehindTheInside) {
    const RankGrid g = grid(Settings({}, {"n"}), 1);  // 48 points
    const auto machine = [](double latency, double bandwidth) {
        MachineLimits limits;
        limits.ceilings = {{"rank_latency", latency}, {"rank_bandwidth", bandwidth}};
        return limits;
    };
    const MachineLimits slow = machine(5, 1e-3);  // a byte a microsecond
    // Four rows each; the inside of a rank is its rows less those that the halo reaches.
    const RankStep shown = rank_step(g, {1, 2, 1}, 1, 0.5, slow, ranks_cpu);
    EXPECT_DOUBLE_EQ(shown.computing, 12);
    EXPECT_DOUBLE_EQ(shown.exchange, 5 + 2 * 6 * 3 * 8);
    EXPECT_DOUBLE_EQ(shown.time, 12 + 293);
    EXPECT_EQ(shown.binds, "bandwidth");
    const RankStep hidden = rank_step(g, {1, 2, 1}, 1, 100, machine(5, 1), ranks_gpu);
    EXPECT_DOUBLE_EQ(hidden.time, hidden.computing);
    EXPECT_EQ(hidden.binds, "computing");
    // Deep halos: a rank computes points of its neighbour as well.
    EXPECT_GT(rank_step(g, {1, 2, 1}, 2, 0.5, slow, ranks_cpu).computing, shown.computing);
    EXPECT_LT(rank_step(g, {1, 2, 1}, 2, 0.5, machine(1e6, 1e9), ranks_cpu).exchange, 0.6e6);
}

/// A set as `run --ranks 1,2` leaves it.
ResultFile measured(double one, double two) {
    ResultFile file;
    file.context["ceilings"] = {{{"name", "rank_latency"}, {"value", 1.0}},
                                {{"name", "rank_bandwidth"}, {"value", 1.0}}};
    for (const auto& [ranks, time] : std::map<int, double>{{1, one}, {2, two}}) {
        Row row;
        row.name = "toy/ranks_cpu/8/strong/" + std::to_string(ranks) + "_ranks/auto/exchange_every_1";
        row.variant = ranks_cpu;
        row.parameters = {{"n", std::int64_t{8}},
                          {"ranks", std::int64_t{ranks}},
                          {"scaling", "strong"},
                          {"part", "step"},
                          {"steps_per_exchange", std::int64_t{1}}};
        row.median = time;
        file.rows.push_back(row);
    }
    return file;
}

TEST(RanksModel, StandsBesideWhatWasMeasuredAndGoesOnByTheNetwork) {
    const auto here = scaling_of(measured(48, 30), toy(), std::nullopt, 8);
    ASSERT_EQ(here.size(), 2U);
    EXPECT_EQ(here[0].measured, 48);
    EXPECT_DOUBLE_EQ(here[0].efficiency, 100);
    EXPECT_DOUBLE_EQ(here[1].predicted.time, 24 + 1 + 0.288);
    EXPECT_EQ(here[1].measured, 30);
    const RankNetwork network{"a network", "its data sheet", 2, {100, 1}, {}};
    const auto far = scaling_of(measured(48, 30), toy(), network, 16);
    ASSERT_EQ(far.size(), 5U);
    EXPECT_DOUBLE_EQ(far[1].predicted.time, here[1].predicted.time);  // within a node as measured
    EXPECT_FALSE(far[2].measured);
    EXPECT_GT(far[2].predicted.exchange, 100);
    EXPECT_EQ(far[2].predicted.binds, "latency");
    EXPECT_THROW(scaling_of({.context = json::object(), .rows = {}}, toy(), network, 16), UsageError);
}

TEST(RanksModel, CpuRanksOfANodeShareItsMemory) {
    ResultFile file = measured(48, 30);
    const auto add = [&](const char* name, double value) {
        file.context["ceilings"].push_back({{"name", name}, {"value", value}});
    };
    add("cpu_triad_one_thread", 0.04);
    add("cpu_triad_all_threads", 0.05);
    file.context["cpu"] = {{"threads", 2}, {"caches", {{"l3_total", 799}}}};
    // 400 bytes a rank take 10 of its 24 us; two ranks together get 1.25 times, not twice, what one gets.
    RankStep two = scaling_of(file, toy(), std::nullopt, 8)[1].predicted;
    EXPECT_DOUBLE_EQ(two.computing, 24 + 10 * 0.6);
    // 288 bytes: a us of latency, 1 GB/s, and copied twice, each read and written.
    EXPECT_DOUBLE_EQ(two.exchange, 1 + 0.288 + 0.288 * 4 / 0.04);
    file.context["cpu"]["caches"]["l3_total"] = 800;
    EXPECT_DOUBLE_EQ(scaling_of(file, toy(), std::nullopt, 8)[1].predicted.computing, 24);
}

TEST(RanksModel, GpuRanksPackAndCopyOverTheLink) {
    ResultFile file = measured(48, 30);
    for (Row& row : file.rows)
        row.variant = ranks_gpu;
    for (const auto& [name, value] : std::map<std::string, double>{
             {"link_up_pinned", 0.5}, {"link_down_pinned", 0.25}, {"gpu_launch", 3}})
        file.context["ceilings"].push_back({{"name", name}, {"value", value}});
    EXPECT_DOUBLE_EQ(scaling_of(file, toy(), std::nullopt, 8)[1].predicted.exchange,
                     1 + 2 * 3 + 0.288 + 0.288 / 0.5 + 0.288 / 0.25);
}

TEST(RanksModel, ANetworkIsAFileWithASource) {
    const tests::TemporaryFolder folder;
    const auto path = (folder / "network.json").string();
    const auto read = [&](const char* content) {
        std::ofstream(path) << content;
        return read_network(path);
    };
    const RankNetwork network = read(R"({"name": "N", "source": "S", "ranks_per_node": 8, "latency_us": 2,
        "bandwidth_gb_s": 50, "node_latency_us": 1, "node_bandwidth_gb_s": 300})");
    EXPECT_EQ(network.name + network.source, "NS");
    EXPECT_EQ(network.ranks_per_node, 8);
    EXPECT_EQ(network.between_nodes.latency, 2);
    EXPECT_EQ(network.between_nodes.bandwidth, 50);
    ASSERT_TRUE(network.within_node);
    EXPECT_EQ(network.within_node->latency, 1);
    EXPECT_EQ(network.within_node->bandwidth, 300);
    const std::string between =
        R"({"name": "N", "source": "S", "ranks_per_node": 8, "latency_us": 2, "bandwidth_gb_s": 50)";
    EXPECT_FALSE(read((between + "}").c_str()).within_node) << "nothing is known of messages within a node";
    for (const char* half : {"node_latency_us", "node_bandwidth_gb_s"})
        EXPECT_THROW(read((between + ", \"" + half + "\": 1}").c_str()), UsageError) << "both or neither";
    for (const char* wrong :
         {"[]", "{", R"({"name": "N", "source": "S", "ranks_per_node": 8, "latency_us": 2})",
          R"({"name": "N", "ranks_per_node": 8, "latency_us": 2, "bandwidth_gb_s": 50})",
          R"({"name": "N", "source": "S", "ranks_per_node": 8, "latency_us": 0, "bandwidth_gb_s": 50})"})
        EXPECT_NE(tests::message_of<UsageError>([&] { read(wrong); }).find("network.json"), std::string::npos)
            << wrong;
}

}  // namespace
}  // namespace gridmark::harness

// Rows from what the profiler prints; a stand-in prints it.

#include "harness/run/profile.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "harness/run/rows.hpp"
#include "tests/support/documents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Values = std::vector<double>;

const Metric hit_rate{.quantity = "l1_hit_rate", .unit = "%", .counter = "hits.sum", .whole = "loads.sum"};
const Metric traffic{.quantity = "dram", .unit = "MB", .counter = "dram.sum", .scale = 1e-6};
const Metric unknown_one{.quantity = "other", .unit = "1", .counter = "no_such.sum"};

const std::string ncu_header = "\"ID\",\"Kernel Name\",\"hits.sum\",\"loads.sum\",\"dram.sum\"\n";
const std::string ncu_units = "\"\",\"\",\"sector\",\"sector\",\"byte\"\n";
const std::string two_launches =
    ncu_header + ncu_units +
    "\"0\",\"sweep\",\"30\",\"40\",\"2,000,000\"\n\"1\",\"sweep\",\"10\",\"40\",\"3000000\"\n";

std::string one_launch(const std::string& counts) {
    return ncu_header + ncu_units + "\"0\",\"sweep\"," + counts + "\n";
}

TEST(MetricValues, AreAShareOrAMultiple) {
    EXPECT_EQ(*metric_values(hit_rate, two_launches).value, (Values{75, 25}));
    EXPECT_EQ(*metric_values(traffic, two_launches).value, (Values{2, 3}));
    Metric hits_a_load = hit_rate;
    hits_a_load.scale = 0.01;
    EXPECT_EQ(*metric_values(hits_a_load, two_launches).value, (Values{0.75, 0.25}));
}

TEST(MetricValues, AreWhatACounterLeavesOfAnother) {
    Metric rest = hit_rate;
    rest.rest = true;
    EXPECT_EQ(*metric_values(rest, two_launches).value, (Values{25, 75}));
}

TEST(Metric, SaysHowItIsCounted) {
    EXPECT_EQ(formula_of(hit_rate), "100 hits.sum / loads.sum");
    EXPECT_EQ(formula_of(traffic), "1e-06 dram.sum");
    EXPECT_EQ(formula_of(unknown_one), "no_such.sum");
    Metric rest = hit_rate;
    rest.rest = true;
    EXPECT_EQ(formula_of(rest), "100 - 100 hits.sum / loads.sum");
}

TEST(MetricValues, NameTheCounterThatIsLacking) {
    const auto reason = [](const Metric& metric, const std::string& output) {
        const auto values = metric_values(metric, output);
        EXPECT_FALSE(values);
        return values.reason;
    };
    EXPECT_EQ(reason(unknown_one, two_launches), "ncu gave no values of no_such.sum");
    EXPECT_EQ(reason(hit_rate, one_launch("\"30\",\"n/a\",\"1\"")), "ncu gave no values of loads.sum");
    EXPECT_EQ(reason(traffic, "==ERROR== ERR_NVGPUCTRPERM - no permission\n"),
              "ncu gave no values of dram.sum: ERR_NVGPUCTRPERM - no permission");
    EXPECT_EQ(reason(hit_rate, two_launches + "\"2\",\"sweep\",\"n/a\",\"40\",\"1\"\n"),
              "ncu gave 2 values of hits.sum and 3 of loads.sum");
    EXPECT_EQ(reason(hit_rate, one_launch("\"0\",\"0\",\"1\"")),
              "loads.sum is 0: there is nothing to have a share of");
}

/// Sets a variable of the environment until the object goes.
class Variable {
  public:
    Variable(std::string name, const std::string& value) : name_(std::move(name)) {
        if (const char* const text = std::getenv(name_.c_str())) before_ = text;
        ::setenv(name_.c_str(), value.c_str(), 1);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() {
        if (before_)
            ::setenv(name_.c_str(), before_->c_str(), 1);
        else
            ::unsetenv(name_.c_str());
    }

  private:
    std::string name_;
    std::optional<std::string> before_;
};

/// A stand-in for ncu, in a toolkit that the environment names, that notes its arguments, a line a run.
class Profiler : public ::testing::Test {
  protected:
    void install(const std::string& script) {
        write_text("bin/ncu", "#!/bin/sh\necho \"$@\" >>'" + (folder_ / "runs").string() + "'\n" + script);
        std::filesystem::permissions(folder_ / "bin/ncu", std::filesystem::perms::owner_all);
    }

    void write_text(const std::string& name, const std::string& text) {
        std::filesystem::create_directories((folder_ / name).parent_path());
        tests::write_text(folder_ / name, text);
    }
    std::string noted(const std::string& name) const { return tests::read_text(folder_ / name); }
    std::string runs() const { return noted("runs"); }
    std::size_t run_count() const {
        const std::string text = runs();
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
    std::string path_of(const std::string& name) const { return (folder_ / name).string(); }
    std::string shown(const std::string& name) const { return "cat '" + path_of(name) + "'\n"; }

    static json rows(const std::vector<Metric>& metrics, const std::vector<std::string>& solve = {"jacobi"}) {
        return profile_rows("jacobi",
                            {{.name = "jacobi/a", .variant = "gpu_rows", .parameters = {{"nx", 512}}},
                             metrics,
                             "sweep",
                             solve},
                            3);
    }

  private:
    tests::TemporaryFolder folder_;
    Variable toolkit_{"CUDA_HOME", folder_.path().string()};
};

TEST_F(Profiler, GivesAllRowsInOneRun) {
    write_text("csv", two_launches);
    install(shown("csv"));
    const auto found = rows({hit_rate, traffic, unknown_one});
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0]["name"], "jacobi/a/l1_hit_rate");
    EXPECT_EQ(found[0]["samples"], json({75.0, 25.0}));
    EXPECT_EQ(found[0]["status"], "ok");
    EXPECT_EQ(found[0]["counted_by"], "100 hits.sum / loads.sum");
    EXPECT_EQ(found[1]["name"], "jacobi/a/dram");
    EXPECT_EQ(found[1]["samples"], json({2.0, 3.0}));
    EXPECT_EQ(found[1]["unit"], "MB");
    EXPECT_EQ(found[2]["status"], "skipped") << "alone, and the others stay";
    EXPECT_EQ(found[2]["reason"], "ncu gave no values of no_such.sum");
    EXPECT_EQ(run_count(), 1U) << runs();
}

TEST_F(Profiler, IsAskedForEveryCounterOnceAndLeavesCachesAlone) {
    write_text("csv", two_launches);
    install(shown("csv"));
    Metric misses = hit_rate;
    misses.quantity = "again";
    rows({hit_rate, misses, traffic});
    const std::string asked = runs();
    EXPECT_NE(asked.find("--metrics hits.sum,loads.sum,dram.sum "), std::string::npos) << asked;
    for (const char* option :
         {"--cache-control none", "--clock-control none", "--print-units base", "--csv", "--launch-skip 3",
          "--launch-count 9", "--kernel-name regex:sweep", " solve jacobi --device 3 --out "})
        EXPECT_NE(asked.find(option), std::string::npos) << asked;
}

// ncu counts nothing when it does not know one of the counters.
TEST_F(Profiler, IsAskedForEachMetricAloneWhenItDoesNotKnowOne) {
    write_text("csv", two_launches);
    install("case \"$*\" in\n*no_such*) echo '==ERROR== Failed to find metric no_such.sum' ;;\n*) " +
            shown("csv") + ";;\nesac\n");
    const auto found = rows({unknown_one, hit_rate});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0]["status"], "skipped");
    EXPECT_EQ(found[0]["reason"], "ncu gave no values of no_such.sum: Failed to find metric no_such.sum");
    EXPECT_EQ(found[1]["samples"], json({75.0, 25.0}));
    EXPECT_EQ(run_count(), 3U) << runs();
}

TEST_F(Profiler, IsNotAskedAgainWhenItRefusesAll) {
    install("echo '==ERROR== ERR_NVGPUCTRPERM - no permission'\nexit 1\n");
    for (const json& row : rows({hit_rate, traffic})) {
        EXPECT_EQ(row["status"], "skipped");
        EXPECT_NE(row["reason"].get<std::string>().find("ERR_NVGPUCTRPERM"), std::string::npos);
    }
    EXPECT_EQ(run_count(), 1U) << runs();
}

// It must count on the GPU that was timed, whichever way the caller chose what is visible.
TEST_F(Profiler, SeesTheGpusThatItsCallerSees) {
    write_text("csv", two_launches);
    install("echo \"${CUDA_VISIBLE_DEVICES-unset} ${CUDA_DEVICE_ORDER-unset}\" >>'" + path_of("visible") +
            "'\n" + shown("csv"));
    const Variable order("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    for (const char* visible : {"3", "2,0", "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6",
                                "MIG-3d95d226-4323-51c5-be69-3d7f94e5b0a2"}) {
        const Variable caller("CUDA_VISIBLE_DEVICES", visible);
        rows({hit_rate});
        EXPECT_TRUE(noted("visible").ends_with(std::string(visible) + " PCI_BUS_ID\n")) << noted("visible");
    }
}

TEST_F(Profiler, GetsEveryWordAsItIs) {
    write_text("csv", two_launches);
    install("printf '%s\\n' \"$@\" >'" + path_of("words") + "'\n" + shown("csv"));
    const std::string word = "file=o'brien's $HOME \"a b\".h5";
    rows({hit_rate}, {"jacobi", "--set", word});
    EXPECT_NE(noted("words").find("\n" + word + "\n"), std::string::npos) << noted("words");
}

TEST_F(Profiler, MaySayMoreThanAPageAndThatItCannotStart) {
    write_text("csv", std::string(100'000, '#') + "\n" + two_launches);
    install(shown("csv"));
    EXPECT_EQ(rows({hit_rate})[0]["samples"], json({75.0, 25.0}));
    install("exit 9\n");
    EXPECT_NE(rows({hit_rate})[0]["reason"].get<std::string>().find("exit code 9"), std::string::npos);
}

}  // namespace
}  // namespace gridmark::harness

#include <gtest/gtest.h>

#include "harness/gpu/ncu.hpp"

namespace gridmark::harness {
namespace {

using Values = std::vector<double>;

const std::string metric = "l1tex__t_sector_hit_rate.pct";
const std::string progress =
    "==PROF== Connected to process 4242 (/opt/gridmark/build/gridmark)\n"
    "==PROF== Profiling \"sweep_kernel\" - 0: 0%....50%....100% - 1 pass\n"
    "==PROF== Disconnected from process 4242\n";
const std::string header =
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid "
    "Size\",\"l1tex__t_sector_hit_rate.pct\",\"sm__cycles.sum\"\n";
const std::string units = "\"\",\"\",\"\",\"block\",\"block\",\"%\",\"cycle\"\n";

/// A line of one launch, as ncu writes it: the kernel's name and the sizes hold commas.
std::string launch(const std::string& hit_rate, const std::string& cycles = "1,234,567") {
    return "\"0\",\"4242\",\"void sweep_kernel<float>(T1 *, const T1 *, const T1 *)\",\"(32, 8, 1)\",\"(16, "
           "8, 1)\",\"" +
           hit_rate + "\",\"" + cycles + "\"\n";
}

TEST(NcuCsv, GivesTheMetricOfEveryLaunch) {
    const std::string text =
        progress + header + units + launch("71.25") + launch("70.5") + launch("0") + launch("100");
    EXPECT_EQ(parse_ncu_csv(text, metric), (Values{71.25, 70.5, 0, 100}));
}

TEST(NcuCsv, FindsTheColumnByItsWholeName) {
    const std::string text = header + units + launch("71.25", "4000");
    EXPECT_EQ(parse_ncu_csv(text, "sm__cycles.sum"), Values{4000});
    EXPECT_TRUE(parse_ncu_csv(text, "sm__cycles").empty());
    EXPECT_TRUE(parse_ncu_csv(text, "none").empty());
}

TEST(NcuCsv, ReadsNumbersGroupedByThousands) {
    EXPECT_EQ(parse_ncu_csv(header + units + launch("71.25", "1,234,567"), "sm__cycles.sum"),
              Values{1234567});
    EXPECT_EQ(parse_ncu_csv(header + units + launch("71.25", "1,234.5"), "sm__cycles.sum"), Values{1234.5});
}

TEST(NcuCsv, TakesNothingForANumberThatIsNone) {
    for (const char* text : {"n/a", "", "nan", "-nan", "inf", "12 of 30"})
        EXPECT_EQ(parse_ncu_csv(header + units + launch(text) + launch("70"), metric), Values{70}) << text;
}

TEST(NcuCsv, PassesOverOtherLines) {
    const std::string text = progress + header + units + launch("71") +
                             "==PROF== Disconnected\n\nsolved, 12 iterations\n" + launch("72");
    EXPECT_EQ(parse_ncu_csv(text, metric), (Values{71, 72}));
}

TEST(NcuCsv, HoldsNothingInAnErrorOrATruncatedFile) {
    EXPECT_TRUE(parse_ncu_csv("", metric).empty());
    EXPECT_TRUE(
        parse_ncu_csv("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
                      "Performance Counters, l1tex__t_sector_hit_rate.pct, on the target device 0.\n",
                      metric)
            .empty());
    EXPECT_TRUE(parse_ncu_csv(progress + "==WARNING== No kernels were profiled.\n", metric).empty());
    EXPECT_TRUE(parse_ncu_csv(header + units, metric).empty());
    EXPECT_TRUE(parse_ncu_csv(header + units + launch("71").substr(0, 60), metric).empty());
}

TEST(NcuError, IsTheLastOne) {
    EXPECT_EQ(ncu_error(progress + "==ERROR== first\n==ERROR== the reason\n==PROF== Disconnected\n"),
              "the reason");
    EXPECT_EQ(ncu_error("==ERROR== cut off"), "cut off");
    EXPECT_EQ(ncu_error(progress + header + units + launch("71")), "");
}

TEST(NcuError, TellsCountersThatItDoesNotKnow) {
    EXPECT_TRUE(lacks_a_counter("==ERROR== Failed to find metric regex:^l1tex__hits(\\.sum)?$\n"));
    EXPECT_TRUE(lacks_a_counter(progress + "==ERROR== Failed to access the following 1 metrics: l1tex__hits\n"
                                           "==ERROR== Failed to profile kernel \"sweep_kernel\"\n"));
    EXPECT_FALSE(lacks_a_counter("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n"));
    EXPECT_FALSE(lacks_a_counter(progress + header + units + launch("71")));
}

}  // namespace
}  // namespace gridmark::harness

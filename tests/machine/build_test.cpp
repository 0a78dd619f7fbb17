#include "harness/machine/describe_machine.hpp"

#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <map>
#include <string>

namespace gridmark::harness {
namespace {

TEST(Build, NamesCompilerFlagsAndCommitOrTheReason) {
    nlohmann::json reasons = nlohmann::json::object();
    const auto build = describe_build(reasons);
    EXPECT_FALSE(build.at("compiler").get<std::string>().empty());
    for (const char* key :
         {"commit", "dirty", "flags", "nvcc", "cuda_flags", "cuda_architectures", "build_type"}) {
        EXPECT_EQ(build.at(key).is_null(), reasons.contains(std::string("build.") + key)) << key;
    }
    // A commit has its flag; neither comes without the other.
    EXPECT_EQ(build.at("commit").is_null(), build.at("dirty").is_null());
    if (!build.at("commit").is_null()) {
        EXPECT_EQ(build.at("commit").get<std::string>().size(), 40U);
    }
}

TEST(Build, HasABuildId) {
    const auto id = read_build_id();
    ASSERT_TRUE(id) << id.reason;
    EXPECT_EQ(id.value->size(), 40U);
    EXPECT_EQ(id.value->find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(Software, IsWhatTheSystemNames) {
    nlohmann::json reasons = nlohmann::json::object();
    const auto software = describe_software(reasons);
    utsname name{};
    ASSERT_EQ(::uname(&name), 0);
    EXPECT_EQ(software.at("kernel").get<std::string>(), std::string(name.sysname) + " " + name.release);
    EXPECT_FALSE(software.at("glibc").get<std::string>().empty());
    const auto driver = read_nvml_driver_version();
    EXPECT_EQ(software.at("driver").is_null(), !driver);
    EXPECT_EQ(reasons.value("software.driver", ""), driver.reason);
    for (const char* key : {"os", "driver", "cuda_runtime", "cuda_driver_api", "cupti", "papi"})
        EXPECT_EQ(software.at(key).is_null(), reasons.contains(std::string("software.") + key)) << key;
}

using Variables = std::map<std::string, std::string>;

nlohmann::json scheduler(const Variables& variables, nlohmann::json& reasons) {
    const auto environment = [&](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    };
    return describe_scheduler(environment, reasons);
}

TEST(Scheduler, IsWhatSlurmTellsItsTasks) {
    nlohmann::json reasons = nlohmann::json::object();
    const auto told = scheduler({{"SLURM_JOB_ID", "4711"},
                                 {"SLURM_CLUSTER_NAME", "big"},
                                 {"SLURM_JOB_PARTITION", "gpu"},
                                 {"SLURMD_NODENAME", "n07"},
                                 {"SLURM_PROCID", "2"},
                                 {"SLURM_RESTART_COUNT", "1"},
                                 {"SLURM_STEP_GPUS", "2"},
                                 {"SLURM_JOB_GPUS", "0-3"}},
                                reasons);
    EXPECT_EQ(told, nlohmann::json({{"name", "slurm"},
                                    {"cluster", "big"},
                                    {"partition", "gpu"},
                                    {"node", "n07"},
                                    {"job", "4711"},
                                    {"task", 2},
                                    {"restarts", 1},
                                    {"gpus", "2"}}));
    EXPECT_TRUE(reasons.empty());
}

TEST(Scheduler, IsNullOutsideOfAJob) {
    nlohmann::json reasons = nlohmann::json::object();
    EXPECT_TRUE(scheduler({{"SLURMD_NODENAME", "n07"}}, reasons).is_null());
    EXPECT_TRUE(reasons.empty());
}

TEST(Scheduler, SaysWhatIsMissingOrStrange) {
    nlohmann::json reasons = nlohmann::json::object();
    const auto told = scheduler({{"SLURM_JOB_ID", "1"},
                                 {"SLURMD_NODENAME", "a\x1b[31mb"},
                                 {"SLURM_JOB_PARTITION", std::string(257, 'x')},
                                 {"SLURM_PROCID", "-1"},
                                 {"SLURM_JOB_GPUS", "0-3"}},
                                reasons);
    EXPECT_EQ(told.at("restarts"), 0);
    EXPECT_EQ(told.at("gpus"), "0-3");
    for (const char* key : {"cluster", "partition", "node", "task"})
        EXPECT_TRUE(told.at(key).is_null()) << key;
    EXPECT_EQ(reasons, nlohmann::json({{"scheduler.cluster", "SLURM_CLUSTER_NAME is not set"},
                                       {"scheduler.partition", "SLURM_JOB_PARTITION is no plain word"},
                                       {"scheduler.node", "SLURMD_NODENAME is no plain word"},
                                       {"scheduler.task", "SLURM_PROCID is no number"}}));
}

}  // namespace
}  // namespace gridmark::harness

#include "harness/machine/describe_machine.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gridmark::harness

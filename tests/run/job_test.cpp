#include "harness/run/job.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gridmark::harness {
namespace {

using nlohmann::json;

TEST(Job, ComesThroughThePipeUnchanged) {
    const Job job{.task = "measure",
                  .experiment = "jacobi",
                  .preset = Preset::full,
                  .filter = "gpu_.*\"\\\n",
                  .threads = 8,
                  .device = 2,
                  .device_memory = std::size_t{3} << 40,
                  .seed = 0xFFFFFFFFFFFFFFFFULL,
                  .set = {{"inner", "16x4x8"}, {"a", "b=c"}},
                  .process = 2,
                  .finished = {{"a", 1}, {"b", -1}},
                  .machine = {{"ceilings", json::array({{{"name", "gpu_launch"}, {"value", 4.25}}})}},
                  .peers = {.program = "peers/start", .patience = 2.5}};
    const json sent = to_json(job);
    const Job got = job_from_json(json::parse(sent.dump()));
    EXPECT_EQ(got.task, job.task);
    EXPECT_EQ(got.experiment, job.experiment);
    EXPECT_EQ(got.preset, job.preset);
    EXPECT_EQ(got.filter, job.filter);
    EXPECT_EQ(got.threads, job.threads);
    EXPECT_EQ(got.device, job.device);
    EXPECT_EQ(got.device_memory, job.device_memory);
    EXPECT_EQ(got.seed, job.seed);
    EXPECT_EQ(got.set, job.set);
    EXPECT_EQ(got.process, job.process);
    EXPECT_EQ(got.finished, job.finished);
    EXPECT_EQ(got.machine, job.machine);
    EXPECT_EQ(got.peers.program, job.peers.program);
    EXPECT_EQ(got.peers.patience, job.peers.patience);
    EXPECT_EQ(to_json(got), sent);
}

TEST(Job, DefaultsComeThroughToo) {
    EXPECT_EQ(to_json(job_from_json(to_json(Job{}))), to_json(Job{}));
    EXPECT_TRUE(job_from_json(to_json(Job{})).finished.empty());
}

TEST(Job, LacksNothing) {
    const json whole = to_json(Job{});
    for (const auto& [key, value] : whole.items()) {
        json less = whole;
        less.erase(key);
        EXPECT_THROW(job_from_json(less), std::exception) << key;
    }
}

TEST(Job, LeavesRowsThatLackItsLaunch) {
    Job job;
    job.process = 1;
    job.finished = {{"whole", 3}, {"done", 2}, {"next", 1}, {"final", -1}};
    EXPECT_FALSE(is_left(job, "whole"));
    EXPECT_FALSE(is_left(job, "done"));
    EXPECT_TRUE(is_left(job, "next"));
    EXPECT_FALSE(is_left(job, "final"));
    EXPECT_TRUE(is_left(job, "never measured"));
}

}  // namespace
}  // namespace gridmark::harness

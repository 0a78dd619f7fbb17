#pragma once

#include <map>
#include <memory>
#include <string>

#include "harness/experiment.hpp"
#include "harness/ranks/job.hpp"
#include "kernels/ranks/cut.hpp"
#include "kernels/ranks/stepping.hpp"

namespace gridmark::harness {

/// A job that all works of a group share: it is started when the first of them is made, and ends with the
/// last one.
class SharedRankJob {
  public:
    SharedRankJob(const RankOptions& options, int ranks) : options_(options), ranks_(ranks) {}
    std::shared_ptr<RankJob> get();

  private:
    RankOptions options_;
    int ranks_;
    std::weak_ptr<RankJob> job_;
};

/// What the ranks are told to set up.
struct RankSetUp {
    std::string study, on;  ///< "cpu", "gpu" or "host", the host executor
    std::map<std::string, std::string> set;
    int times = 1, threads = 1;
    std::uint64_t seed = 1;
    int steps_per_exchange = 1;
    ranks::Triple parts = {};
};

/// A field that ranks hold while the object lives.
class RankField {
  public:
    /// Throws RankError, and launch::Unavailable where the ranks cannot have it.
    RankField(std::shared_ptr<RankJob> job, const RankSetUp& set_up);
    RankField(const RankField&) = delete;
    RankField& operator=(const RankField&) = delete;
    ~RankField();
    /// The answer to {"do": what, "id": its number} and further keys.
    nlohmann::json ask(const char* what, nlohmann::json further = nlohmann::json::object());
    const RankJob& job() const { return *job_; }

  private:
    std::shared_ptr<RankJob> job_;
    int id_;
};

/// A step of ranks as a row of a group, or what is left of it.
std::unique_ptr<Work> rank_work(const std::shared_ptr<SharedRankJob>& job, const RankSetUp& set_up,
                                ranks::Omit omit);

}  // namespace gridmark::harness

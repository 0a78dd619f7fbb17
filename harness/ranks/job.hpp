#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/ceilings/ceilings.hpp"
#include "harness/experiment.hpp"
#include "harness/os/process.hpp"
#include "kernels/ranks/stepping.hpp"

namespace gridmark::ranks {

NLOHMANN_JSON_SERIALIZE_ENUM(Omit, {{Omit::nothing, "nothing"},
                                    {Omit::exchange, "exchange"},
                                    {Omit::computing, "computing"}})

}  // namespace gridmark::ranks

/// One start of gridmark-ranks by MPI, and what it is asked.
namespace gridmark::harness {

/// What the job did wrong, or that it is gone.
struct RankError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The program beside this one. Throws UsageError where it was not built.
std::string rank_program();

/// The launcher's words with the number of ranks in place. Throws UsageError unless {} stands in it once.
std::string launch_command(const std::string& command, int ranks);

/// Ranks that wait for requests. They end with the object.
class RankJob {
  public:
    /// Starts them. Throws RankError in one line where that fails: too few slots, another MPI than the
    /// program's, no such launcher.
    RankJob(const RankOptions& options, int ranks);
    RankJob(const RankJob&) = delete;
    RankJob& operator=(const RankJob&) = delete;
    ~RankJob();

    /// Their answer, an object. Throws RankError, and launch::Unavailable where they say so.
    nlohmann::json ask(const nlohmann::json& request);
    int ranks() const { return ranks_; }
    /// "gridmark-ranks, Open MPI v4.1.4".
    std::string made_by() const;
    /// Of each rank: node, CPUs, NUMA nodes, GPU.
    const nlohmann::json& placement() const { return hello_.at("ranks"); }
    /// A number for a field, which no other one of this job has.
    int new_id() { return ++last_id_; }

  private:
    nlohmann::json answer();

    int ranks_, last_id_ = 0;
    double patience_;
    std::string launcher_;
    LineSender requests_;
    Process process_;
    nlohmann::json hello_;
};

/// What messages between the first rank and the last cost: "rank_latency" in us, half a round trip of 8
/// bytes, and "rank_bandwidth" in GB/s, each way, of 8 MiB both ways at once. Throws RankError.
std::vector<Ceiling> measure_rank_messages(RankJob& job);

/// The same GPU under several ranks, in words: "ranks 0, 1 share a GPU: no scaling"; empty if none is.
std::string shared_gpus(const nlohmann::json& placement);

}  // namespace gridmark::harness

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/model/machine_limits.hpp"

namespace gridmark::harness {

/// How long a step would take if one thing alone bound it.
struct Term {
    std::string ceiling;
    double microseconds;
    /// Operations that each need the one before; the ceiling is then the one that they wait for most.
    bool is_chain = false;
};

/// What binds, put together term by term: microseconds by the name of the ceiling, and the ceilings that were
/// asked for and are not known. The machine must outlive it.
class Terms {
  public:
    explicit Terms(const MachineLimits& machine) : machine_(machine) {}

    /// `amount` at a rate. GB/s, GFLOP/s and Ginstructions/s alike: 1e9 a second are 1e3 a microsecond.
    void at_rate(const std::string& ceiling, double amount) {
        if (amount > 0)
            if (const auto rate = known(ceiling)) add(ceiling, amount / (*rate * 1e3));
    }
    /// `count` times a latency in nanoseconds.
    void times_ns(const std::string& ceiling, double count) {
        if (count > 0)
            if (const auto latency = known(ceiling)) add(ceiling, count * *latency * 1e-3);
    }
    void times_us(const std::string& ceiling, double count) {
        if (count > 0)
            if (const auto latency = known(ceiling)) add(ceiling, count * *latency);
    }
    void add(const std::string& ceiling, double microseconds) {
        if (microseconds > 0) terms_[ceiling] += microseconds;
    }
    /// `times` as long, and what is missing in any case.
    void add_all(const Terms& other, double times = 1);

    double total() const;
    /// The name of the largest and its time; an empty name where there is none.
    Term largest() const;
    const std::map<std::string, double>& all() const { return terms_; }
    const std::vector<std::string>& missing() const { return missing_; }

  private:
    std::optional<double> known(const std::string& ceiling);

    const MachineLimits& machine_;
    std::map<std::string, double> terms_;
    std::vector<std::string> missing_;
};

/// What the model says of a point by one clock, in microseconds a step.
struct Prediction {
    double time = 0;
    std::vector<Term> terms = {};  ///< the largest first; the first binds
    /// Names of ceilings that the machine lacks, whose terms are left out.
    std::vector<std::string> missing = {};

    const Term& binding() const { return terms.front(); }
    /// Puts a share of such terms beside the others, and what is missing in any case. The time stays.
    void add(const Terms& more, double share = 1);
};

/// What a point declares of its kernels for a machine, with what is counted of them (counts.hpp); empty where
/// nobody has counted them, and none where the machine's chip does not hold what they keep there.
std::optional<std::vector<launch::Demand>> kernels_of(const Point& point, const MachineLimits& machine,
                                                      std::optional<int> resident = std::nullopt);

/// The time of a step. Blocks that a multiprocessor holds together, or single warps where they load ahead,
/// queue for three stations: the multiprocessor (issue, arithmetic, L1), the L2 and the memory. Each takes as
/// long as the largest of what is asked there, at the rates of the machine's ceilings. Between, a block waits
/// for its chain of dependent operations. An empty kernel's time comes on top. What the point transfers lies
/// around its kernels (transfers.hpp). No constant is fitted to a row. None where the machine lacks every
/// ceiling that could bound it, its chip cannot hold what the point keeps there, or the point declares no
/// kernels (of one that streams data the link alone counts then).
/// `resident`: blocks on a multiprocessor, as a row says; none: as many as threads and shared memory allow.
std::optional<Prediction> predict(const Point& point, const Series& series, const MachineLimits& machine,
                                  std::optional<int> resident = std::nullopt);

}  // namespace gridmark::harness

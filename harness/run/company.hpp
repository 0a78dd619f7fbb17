#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/gpu/gpu_watch.hpp"
#include "harness/results/row.hpp"
#include "harness/run/job.hpp"

/// What others take while rows are measured.
namespace gridmark::harness {

/// One place where others can be seen: the CPUs, a GPU.
struct Witness {
    /// What was taken since the look that it follows, in words; none where nothing was, or nobody can tell.
    using Since = std::function<std::vector<std::string>()>;

    std::function<Since()> look;
    std::function<bool(const Row&)> concerns;  ///< whether what it sees disturbs this row
};

/// Sees who else is on a GPU: of the rows that were measured there. Refers to the watch.
Witness witness_of(GpuWatch& watch);

/// Those of a process that measures.
std::vector<Witness> witnesses_of(const Job& job);

/// Who else is on the GPU before anything is measured, and what cannot be seen of that, in words.
std::vector<std::string> company_lines(const nlohmann::json& company, bool allowed);

/// Watches while a group is measured.
class Company {
  public:
    explicit Company(const std::vector<Witness>& witnesses);
    /// Marks the group's rows with what was taken since; `allowed`: they count all the same.
    void mark(std::vector<Row>& rows, bool allowed);

  private:
    const std::vector<Witness>& witnesses_;
    std::vector<Witness::Since> since_;
};

}  // namespace gridmark::harness

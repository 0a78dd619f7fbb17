#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/result_file.hpp"
#include "harness/results/row.hpp"
#include "harness/run/screen.hpp"

namespace gridmark::harness {

/// An experiment that a run has measured.
struct MeasuredExperiment {
    std::string id;
    nlohmann::json study;   ///< study.json
    ResultFile file;        ///< what was measured
    double cpu_stolen = 0;  ///< share of CPU time that the host took away
};

/// A run that is over.
struct FinishedRun {
    std::vector<MeasuredExperiment> experiments;
    bool filtered = false;  ///< by --filter
    bool own = false;       ///< rows that the user named: sizes of the user's own, or one row
    double seconds = 0;
    std::string folder;                       ///< of the result files
    std::optional<ResultSet> reference = {};  ///< what it is held against (--against)
};

/// What a person reads at the end of a run, on a screen of 37 lines at most: rows measured; the fastest
/// versions beside what binds them, of several experiments one each, against the reference where there are
/// one and a GPU; verdicts; what was not measured and why; and where the results are. The verdicts are those
/// of `gridmark claims`. Where they are many, only those stand here that surprise: other than the
/// reference's, or NOT REPRODUCED where there is none. Claims about rows that --filter left out are named
/// only. A run of the user's own rows tells each of them in place of verdicts and fastest versions, however
/// many. Lines fit the screen's width. Ends with a line feed.
std::string summary(const FinishedRun& run, const Screen& screen);

}  // namespace gridmark::harness

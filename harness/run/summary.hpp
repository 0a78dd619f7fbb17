#pragma once

#include <nlohmann/json.hpp>
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
    std::string folder;  ///< of the result files
};

/// What a person reads at the end of a run: rows measured, verdicts, the fastest versions beside their limits
/// (of a run of one experiment), what was not measured and why, and where the results are. The verdicts are
/// those of `gridmark claims`; claims about rows that --filter left out are named only. A run of
/// the user's own rows tells each of them in place of verdicts and fastest versions. Lines fit the screen's
/// width. Ends with a line feed.
std::string summary(const FinishedRun& run, const Screen& screen);

/// A handful of lines about the fastest of an experiment's measured versions, the fastest first: variant,
/// configuration, time, and which share of which limit it reaches. They solve the problem that the study
/// compares machines by (study.json, `hardware`); where no row of it was measured they are those with the
/// least time for each operation. Empty where no time was measured; lines fit the screen's width.
std::string fastest_versions(const nlohmann::json& study, const std::vector<Row>& rows, const Screen& screen);

}  // namespace gridmark::harness

#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/settings.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"

namespace gridmark::maxwell {

/// What a `solve` is about: the problem, what fills the grid, and what is recorded on the way.
struct Described {
    Problem problem;
    Body body;
    int steps;
    std::vector<std::array<int, 3>> points;  ///< nodes whose six components are recorded at every step
    std::vector<int> moments;                ///< after how many steps all fields are recorded, increasing
    nlohmann::json about;                    ///< of the body, for the result file
};

/// Keys that it reads.
extern const std::set<std::string> described_keys;

/// A source as a result file tells it: keys of `solve --set`, for each direction.
nlohmann::json source_parameters(const Source& source);

/// A case that comes with the study, or an HDF5 file. In the file, /x, /y and /z are increasing positions of
/// the nodes. /cells [nx - 1][ny - 1][nz - 1] are numbers of layers. /layers [m][3] are their eps, mu and
/// sigma (4 pi sigma / c, per unit of length). /points [k][3], if wanted, are positions, each recorded at the
/// nearest node, and /moments [j] are times c t. Throws UsageError, one line that names file or key.
Described describe(const std::optional<std::filesystem::path>& input, const harness::Settings& settings);

}  // namespace gridmark::maxwell

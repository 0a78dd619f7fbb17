#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "kernels/pyramid/medium.hpp"

namespace gridmark::pyramid {

/// What `solve` was asked for: the steps' matrix, the start, and what the device may hold.
template <class T>
struct Request {
    std::size_t n = 0;
    double s = 0;
    /// Of any pair a and b (pair_of): U = D R^-steps D U_0 factor^steps. A rod has no signs and factor 1.
    bool alternating = false;
    double factor = 1;
    double boundary = 0;                    ///< C: the steps are of U - C
    std::vector<T> lower, diagonal, upper;  ///< of a medium; else empty
    std::vector<T> start;
    int steps = 0, height = 1;
    bool auto_height = false;  ///< height is still to be chosen
    std::size_t device_values = 0;
    double tolerance = 0;
    std::int64_t padding = -1;  ///< -1: as much as the tolerance needs
    nlohmann::json parameters;  ///< as they go into the result

    bool is_medium() const { return !diagonal.empty(); }
    Matrix<T> matrix() const {
        return is_medium() ? Matrix<T>(Medium<T>{lower, diagonal, upper}) : Matrix<T>(s);
    }
    /// The start as the rod's solvers take it, and their answer as the user's.
    std::vector<T> to_rod() const;
    void from_rod(std::vector<T>& u) const;
};

/// s itself, or alpha^2 h_t / h_x^2, which then go into `parameters` too; 1 where nothing is set.
double heat_s(const harness::Settings& settings, nlohmann::json& parameters);

/// Throws UsageError for a tolerance above 1, or below twice what rounding to T can do in so many steps.
template <class T>
void require_tolerance(double tolerance, double rounding, int steps);

/// --set's keys of a rod.
std::set<std::string> rod_keys();

/// Throws UsageError, or std::invalid_argument for a matrix that the method cannot take.
template <class T>
Request<T> read_request(const harness::SolveRequest& request, const harness::Settings& settings);

}  // namespace gridmark::pyramid

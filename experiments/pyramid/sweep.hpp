#pragma once

#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "kernels/pyramid/pieces.hpp"

namespace gridmark::pyramid {

/// How the padding follows from the height: the minimal one that keeps the tolerance, or the paper's p = h r.
enum class Rule { minimal, paper };

/// Time over height of one out-of-core version under one budget.
struct Sweep {
    std::string variant;
    std::size_t n;
    double s;
    double budget;  ///< MiB of device memory
    std::string precision;
    Rule rule;
    std::vector<int> heights;

    double tolerance() const { return precision == "float" ? 1e-6 : 1e-12; }
    std::size_t device_values() const;
    std::size_t padding(int height) const;
    /// Why the device holds no piece with that padding; empty if it does.
    std::string unavailable_reason(int height) const;
    /// Throws like pieces_for.
    Pieces pieces(int height) const;
    /// "pyramid/<variant>/streamed/..." without the height.
    std::string name() const;
    /// n, s, precision, budget and rule.
    harness::Parameters parameters() const;
    /// The same with a height, its padding and the number of pieces.
    harness::Parameters parameters(int height) const;
    /// Bytes that a pass takes: the case, two fields on the host, and the budget.
    harness::Memory memory() const;
    /// Names of the rows that time it, by height.
    std::vector<std::string> timed_rows() const;
};

/// The version that does what the paper describes: cyclic reduction; send, solve and fetch in turn.
inline constexpr const char* paper_version = "gpu_cyclic_reduction_synchronous";

/// The same with one layer in host memory.
inline constexpr const char* one_layer_version = "gpu_cyclic_reduction_one_layer";

/// The height of a run's `height=auto`, at most 4096: by the model (height.hpp) with the machine's ceilings,
/// by the padding alone where they are not known. Its neighbours, half and double, are the trial: a run
/// measures them beside it.
struct AutoHeight {
    int height;
    std::vector<int> neighbours;
    std::string reason;
};
/// Of a sweep without heights. Throws std::invalid_argument where the device holds no piece at any height.
AutoHeight auto_height(const Sweep& sweep, const harness::MachineLimits& machine);

/// Which of a sweep's heights the model finds fastest, as `height=auto` does before its trial. Throws
/// launch::Unavailable without the ceilings of the GPU, or of the CPU in its place.
int modelled_height(const Sweep& sweep, const harness::MachineLimits& machine);

/// A plan's groups over the height.
std::vector<Sweep> sweeps_of(const harness::Plan& plan);

}  // namespace gridmark::pyramid

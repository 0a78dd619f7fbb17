#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/out_of_core.hpp"
#include "kernels/pyramid/pieces.hpp"

/// Which height makes a step fastest, from what a machine can do and what a solver declares (SolveCost).
///
/// It keeps the parts of the paper's estimate as corrected (cost_model.hpp): pieces, padding, and transfers
/// that a pass makes once for its h steps. In place of its two fitted costs stand a machine's ceilings. They
/// are measured with all of the GPU's cores at work, so mu is in them. A synchronous pass takes the sum of
/// its parts. An overlapped one takes the longest of upload, download and solves (these with half of the
/// transfers, which is assumed), and what fills and drains the pipeline.
namespace gridmark::pyramid {

/// What a machine can do, in bytes a second and in seconds.
struct Rates {
    double up, down, both;  ///< pinned memory over the link; `both` counts both ways at once
    double memory, l2;      ///< the device's, read and written bytes counted
    double l2_bytes;
    double launch, barrier;    ///< seconds of a kernel launch, and of a barrier of the whole device
    double host, host_thread;  ///< the host's memory by all threads and by one
    double host_barrier;       ///< seconds until all threads of the host have met
};

/// Those of an NVIDIA H200 with 16 cores (results/repeats/nvidia-h200-three-cards), where nothing is
/// measured.
inline constexpr Rates usual_rates{.up = 55.3e9,
                                   .down = 55.4e9,
                                   .both = 101.6e9,
                                   .memory = 4.1e12,
                                   .l2 = 7.8e12,
                                   .l2_bytes = 62914560,
                                   .launch = 3.33e-6,
                                   .barrier = 0.99e-6,
                                   .host = 126e9,
                                   .host_thread = 16.8e9,
                                   .host_barrier = 1.2e-6};

/// Of a CPU in a device's place: a transfer is a copy by one thread, and a launch is a barrier of its
/// threads.
Rates rates_on_cpu(const Rates& rates);

enum class Driver { synchronous, one_layer, overlapped };

/// A solver behind a driver.
struct Streaming {
    Driver driver;
    double word;    ///< bytes of a value
    double fields;  ///< arrays that go up: the field, and a medium's three
    launch::StepsPerLaunch steps_per_launch;
    std::function<SolveCost(std::size_t m, int count)> cost;
    std::function<std::size_t(const Pieces&)> device_values;  ///< that stand on the device
    /// Seconds of h steps of m values, by a model of the machine's that knows more than `cost`; null: none.
    std::function<double(std::size_t m, int h)> solve_seconds = {};
};

template <class T>
Streaming streaming(Driver driver, const GpuVariant<T>& solver, bool is_medium = false);

/// Seconds of a pass, as predicted. `upload` and `download` are slower where both ways are in use at once.
struct PassTime {
    double upload, download, solves, adds;  ///< `adds`: what the host does to the fields, and its waits
    double whole;
};

PassTime pass_time(const Streaming& streaming, const Rates& rates, const Pieces& pieces, int h);

/// A height, its pieces, and what a step is predicted to take.
struct HeightEstimate {
    int height;
    Pieces pieces;
    PassTime pass;
    double step;
};

/// Of `steps` steps, the last pass shorter where they do not divide; of passes without end where 0.
HeightEstimate estimate_height(const Streaming& streaming, const Rates& rates, const Pieces& pieces, int h,
                               int steps);

/// Powers of two up to `most`, and `most`.
std::vector<int> heights_up_to(int most);

/// The lowest height whose step takes at most 2 % more than the best one's. `estimates` in the order of
/// heights, at least one.
const HeightEstimate& best_height(std::span<const HeightEstimate> estimates);

}  // namespace gridmark::pyramid

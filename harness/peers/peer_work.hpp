#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/peers/peer_program.hpp"
#include "harness/stepper.hpp"

namespace gridmark::harness {

/// What a peer is given to solve: numbers, and arrays of which "start" is the state at first.
struct PeerProblem {
    std::map<std::string, double> numbers;
    SharedArrays arrays;
};

/// How a peer's answer is judged, like any variant's: after `steps` steps from the start.
template <class T>
struct PeerCheck {
    int steps;
    std::vector<std::size_t> shape;  ///< of the start, and so of the answer
    std::function<Verification(std::span<const T>)> compare;
};

/// Work that a peer's program does, timed by its own clock (Work::timed). To load a framework takes many
/// seconds: the program is started and given its problem here, and waited for when it is first asked for
/// more. Then it throws launch::Unavailable where the program says that it cannot, PeerError where it fails.
/// Its made_by() is known from then on. T is float or double.
template <class T>
std::unique_ptr<Work> peer_work(const Peer& peer, std::unique_ptr<PeerProblem> problem, PeerCheck<T> check);

/// The same where versions are verified by a StepCase, whose start is handed over: an array of that shape.
template <class T>
std::unique_ptr<Work> peer_work(const Peer& peer, std::unique_ptr<PeerProblem> problem,
                                const std::vector<std::size_t>& shape,
                                std::shared_ptr<const StepCase<T>> step_case);

}  // namespace gridmark::harness

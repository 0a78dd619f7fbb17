#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/os/process.hpp"
#include "kernels/launch/error.hpp"

/// Peers: a study's step as other frameworks have it. Each is a program of its own, checked and timed beside
/// the study's variants; docs/peers.md says how.
namespace gridmark::harness {

/// A peer, and how its program is started.
struct Peer {
    std::string program;  ///< what `run --peers` names; it gets `name` as its argument
    std::string name;     ///< "heat_jax"
    double patience;      ///< seconds in which it must answer
    int device;           ///< number of the GPU that it is to use; -1: none
};

/// What each study has on the CPU.
inline const std::vector<std::string> peers_on_cpu{"numpy", "jax"};

/// The peers of one size.
struct PeerChoice {
    std::string study;
    std::vector<std::string> frameworks;
    bool on_gpu;
    int iterations;  ///< steps of a sample: so many that the wait at their end does not count
    Memory memory;   ///< that they need together
};

/// Adds a point for each of them to a group, so that it is measured in turns with what is there, as variants
/// peer_jax or, on the CPU, peer_jax_cpu; none unless `run --peers` asks for them. `base` gives the point of
/// a variant of that name, with its own name, parameters, bytes and flops; `work` makes it.
void add_peers(Group& group, const PlanContext& context, const PeerChoice& choice,
               const std::function<Point(const std::string& variant)>& base,
               const std::function<std::unique_ptr<Work>(const Peer&)>& work);

/// Arrays in a file in memory that programs started from here inherit: no copy of them goes through a pipe.
class SharedArrays {
  public:
    /// Throws std::system_error.
    SharedArrays();
    SharedArrays(const SharedArrays&) = delete;
    SharedArrays& operator=(const SharedArrays&) = delete;
    ~SharedArrays();

    /// A new array in C order, to be filled by the caller; zeros at first. T is float or double. Throws
    /// std::system_error where there is no room.
    template <class T>
    std::span<T> add(const std::string& name, const std::vector<std::size_t>& shape);

    /// What another program needs to find them: [{"name", "type", "shape", "offset"}].
    const nlohmann::json& list() const { return list_; }
    /// The file's descriptor, here and in a program that inherits it.
    int descriptor() const { return descriptor_; }

  private:
    std::byte* grow(std::size_t bytes);

    int descriptor_;
    std::size_t size_ = 0;
    std::vector<std::span<std::byte>> mapped_;
    nlohmann::json list_ = nlohmann::json::array();
};

/// What a peer's program did wrong, or that it is gone: it costs the peer's row and no other.
struct PeerError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What another program answered, if it is an object without `unavailable` or `error`. Throws
/// launch::Unavailable for the one, and Error for the other, which begins with `who`; `damaged` for what is
/// no object.
template <class Error>
nlohmann::json accepted(nlohmann::json answer, const std::string& who, const std::string& damaged) {
    if (!answer.is_object()) throw Error(damaged);
    const auto text = [&](const char* key) {
        return answer[key].is_string() ? answer[key].template get<std::string>() : answer[key].dump();
    };
    if (answer.contains("unavailable")) throw launch::Unavailable(text("unavailable"));
    if (answer.contains("error")) throw Error(who + text("error"));
    return answer;
}

/// A peer's program while it runs: it reads requests, a line of JSON each, from its standard input, and
/// answers each with a line on file descriptor `event_descriptor`. An answer is an object; one with the key
/// `unavailable` says why the peer cannot run here, one with `error` what went wrong.
class PeerProgram {
  public:
    /// Starts it. Throws std::system_error.
    explicit PeerProgram(const Peer& peer);

    /// Puts a request to it and returns.
    void request(const nlohmann::json& what) { requests_.send(what); }
    /// Its answer to the earliest request that it has not answered. Throws launch::Unavailable, and PeerError
    /// for an error, for an answer that is none, and where the program died or did not answer in time.
    nlohmann::json answer();
    /// Its answer to this.
    nlohmann::json ask(const nlohmann::json& what) {
        request(what);
        return answer();
    }

  private:
    double patience_;
    LineSender requests_;
    Process process_;
};

}  // namespace gridmark::harness

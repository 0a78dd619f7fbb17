#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/os/process.hpp"
#include "harness/peers/peer.hpp"

namespace gridmark::harness {

/// What a peer's program did wrong, or that it is gone: it costs the peer's row and no other.
struct PeerError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A peer's program while it runs: it reads requests, a line of JSON each, from its standard input, and
/// answers each with a line on file descriptor `event_descriptor`. An answer is an object; one with the key
/// `unavailable` says why the peer cannot run here, one with `error` what went wrong.
class PeerProgram {
  public:
    /// Starts it. Throws std::system_error.
    explicit PeerProgram(const Peer& peer);
    PeerProgram(const PeerProgram&) = delete;
    PeerProgram& operator=(const PeerProgram&) = delete;
    ~PeerProgram();

    /// Puts a request to it and returns.
    void request(const nlohmann::json& what);
    /// Its answer to the earliest request that it has not answered. Throws launch::Unavailable, and PeerError
    /// for an error, for an answer that is none, and where the program died or did not answer in time.
    nlohmann::json answer();
    /// Its answer to this.
    nlohmann::json ask(const nlohmann::json& what) {
        request(what);
        return answer();
    }

  private:
    struct Ends {
        int ours, its;
    };
    static Ends make_ends();

    double patience_;
    Ends requests_;
    Process process_;
};

}  // namespace gridmark::harness

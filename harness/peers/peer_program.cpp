#include "harness/peers/peer_program.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "kernels/launch/error.hpp"

namespace gridmark::harness {

using nlohmann::json;

// A socket, since writing into a pipe that nobody reads any more would end this process.
PeerProgram::Ends PeerProgram::make_ends() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error(errno, std::generic_category(), "cannot make a socket");
    return {ends[0], ends[1]};
}

PeerProgram::PeerProgram(const Peer& peer)
    : patience_(peer.patience),
      requests_(make_ends()),
      process_(peer.name.c_str(), requests_.its, peer.program.c_str()) {
    ::close(requests_.its);
}

PeerProgram::~PeerProgram() {
    ::close(requests_.ours);
}

void PeerProgram::request(const json& what) {
    const std::string line = what.dump() + "\n";
    for (std::string_view rest = line; !rest.empty();) {
        const ssize_t sent = ::send(requests_.ours, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return;  // it is gone: waiting for its answer will tell why
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
}

json PeerProgram::answer() {
    json answer;
    switch (process_.next(patience_, answer)) {
        case Process::Wait::event:
            break;
        case Process::Wait::ended: {
            const std::string why = process_.kill_and_explain();
            throw PeerError("the peer's program ended: " + (why.empty() ? "without an answer" : why));
        }
        case Process::Wait::timed_out:
            process_.kill_and_explain();
            throw PeerError(fmt::format("the peer's program did not answer within {:g} s", patience_));
        default:
            process_.kill_and_explain();
            throw PeerError("what the peer's program answered is damaged");
    }
    const auto text = [&](const char* key) {
        return answer[key].is_string() ? answer[key].get<std::string>() : answer[key].dump();
    };
    if (!answer.is_object()) throw PeerError("what the peer's program answered is damaged");
    if (answer.contains("unavailable")) throw launch::Unavailable(text("unavailable"));
    if (answer.contains("error")) throw PeerError("the peer's program: " + text("error"));
    return answer;
}

}  // namespace gridmark::harness

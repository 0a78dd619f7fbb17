#include "harness/peers/peer_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <numeric>
#include <system_error>
#include <utility>

#include "harness/gpu/properties.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {
void add_peers(Group& group, const PlanContext& context, const PeerChoice& choice,
               const std::function<Point(const std::string& variant)>& base,
               const std::function<std::unique_ptr<Work>(const Peer&)>& work) {
    if (context.peers.program.empty()) return;
    for (const std::string& framework : choice.frameworks) {
        Point point = base("peer_" + framework + (choice.on_gpu ? "" : "_cpu"));
        point.series = {choice.on_gpu ? Series{Series::Clock::step, Series::Launch::own}
                                      : Series{Series::Clock::wall}};
        if (!choice.on_gpu) {
            const int threads = framework == "numpy" ? 1 : context.threads;  // NumPy's loops are serial
            point.parameters.insert({{"team", threads == 1 ? "one" : "all"}, {"threads", threads}});
        }
        point.iterations = choice.iterations;
        point.on_gpu = choice.on_gpu;
        point.memory = {.host = choice.memory.host, .gpu = choice.on_gpu ? choice.memory.gpu : 0};
        point.prepare = [work, peers = context.peers, gpu = choice.on_gpu ? context.gpu : nullptr,
                         name = choice.study + "_" + framework] {
            return work({peers.program, name, peers.patience, gpu == nullptr ? -1 : gpu_ordinal(*gpu)});
        };
        group.points.push_back(std::move(point));
    }
}

namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

SharedArrays::SharedArrays() {
    const int made = ::memfd_create("arrays", MFD_CLOEXEC);
    if (made < 0) fail("cannot make a file in memory");
    // Inherited, so not closed on exec, and out of the way of those that a child is given by their numbers.
    constexpr int least = 16;
    descriptor_ = ::fcntl(made, F_DUPFD, least);
    ::close(made);
    if (descriptor_ < 0) fail("cannot make a file in memory");
}

SharedArrays::~SharedArrays() {
    for (const auto& part : mapped_)
        ::munmap(part.data(), part.size());
    ::close(descriptor_);
}

template <class T>
std::span<T> SharedArrays::add(const std::string& name, const std::vector<std::size_t>& shape) {
    const std::size_t values =
        std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    list_.push_back({{"name", name},
                     {"type", sizeof(T) == sizeof(float) ? "float32" : "float64"},
                     {"shape", shape},
                     {"offset", size_}});
    return {reinterpret_cast<T*>(grow(values * sizeof(T))), values};
}

std::byte* SharedArrays::grow(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t room = (bytes + page - 1) / page * page;
    if (::ftruncate(descriptor_, static_cast<off_t>(size_ + room)) != 0)
        fail("cannot enlarge a file in memory");
    void* const at =
        ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, static_cast<off_t>(size_));
    if (at == MAP_FAILED) fail("cannot map a file in memory");
    size_ += room;
    mapped_.emplace_back(static_cast<std::byte*>(at), room);
    return static_cast<std::byte*>(at);
}

template std::span<float> SharedArrays::add<float>(const std::string&, const std::vector<std::size_t>&);
template std::span<double> SharedArrays::add<double>(const std::string&, const std::vector<std::size_t>&);

using nlohmann::json;

PeerProgram::PeerProgram(const Peer& peer)
    : patience_(peer.patience), process_({peer.name}, requests_.its_end(), peer.program) {
    requests_.started();
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
    return accepted<PeerError>(std::move(answer),
                               "the peer's program: ", "what the peer's program answered is damaged");
}

}  // namespace gridmark::harness

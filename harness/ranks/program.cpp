// gridmark-ranks: a rank of a study's field. mpirun, srun or the like starts one process a rank; `gridmark`
// starts those, and asks by lines of JSON on rank 0's standard input. Each request is answered by one line on
// standard output:
//
//   {"do": "set up", "id", "experiment", "on", "set", "times", "threads", "seed", "steps_per_exchange",
//   "parts"}
//   {"do": "verify", "id"}   {"do": "start", "id"}   {"do": "steps", "id", "steps"}   {"do": "write", "id",
//   "file"}
//   {"do": "time", "id", "steps", "omit"}   {"do": "drop", "id"}   {"do": "ping pong", "bytes", "times",
//   "at_once"}
//
// The first line, unasked, says which program this is and where its ranks run.
#include <mpi.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/gpu/properties.hpp"
#include "harness/machine/cpu.hpp"
#include "harness/machine/served_gpu.hpp"
#include "harness/machine/topology.hpp"
#include "harness/os/limits.hpp"
#include "harness/os/streams.hpp"
#include "harness/ranks/job.hpp"
#include "harness/ranks/mpi_transport.hpp"
#include "harness/ranks/ranked.hpp"
#include "kernels/launch/error.hpp"
#include "kernels/launch/make_device.hpp"
#include "kernels/launch/streams.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// Who waits for the next request looks for it this often: a rank that spun would take a core from whatever
/// is timed meanwhile.
constexpr auto look_every = std::chrono::microseconds(200);

void say(const json& line) {
    std::puts(line.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
    std::fflush(stdout);
}

/// All ranks of this rank's node.
struct Node {
    MPI_Comm ranks = MPI_COMM_NULL;
    int rank = 0;

    Node() {
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &ranks);
        MPI_Comm_rank(ranks, &rank);
    }
    /// The same number at all ranks of a node: that of the first of them.
    int number(int world_rank) const {
        int least = world_rank;
        MPI_Allreduce(&world_rank, &least, 1, MPI_INT, MPI_MIN, ranks);
        return least;
    }
};

/// Text of every rank, at all of them.
std::vector<std::string> from_all(const std::string& mine, int ranks) {
    const int size = static_cast<int>(mine.size());
    std::vector<int> sizes(ranks), first(ranks);
    MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
    int all = 0;
    for (int r = 0; r < ranks; ++r) {
        first[r] = all;
        all += sizes[r];
    }
    std::string text(static_cast<std::size_t>(all), ' ');
    MPI_Allgatherv(mine.data(), size, MPI_CHAR, text.data(), sizes.data(), first.data(), MPI_CHAR,
                   MPI_COMM_WORLD);
    std::vector<std::string> parts;
    for (int r = 0; r < ranks; ++r)
        parts.push_back(text.substr(first[r], sizes[r]));
    return parts;
}

class Rank {
  public:
    /// Reads requests until there are no more.
    void serve() {
        hello();
        for (std::string line; next_request(line);) {
            const json request = json::parse(line);
            // Only what no other rank waits for may fail at one of them alone.
            const std::string kind = request.at("do");
            if (kind == "set up")
                set_up(request);
            else
                answer(kind, request);
        }
    }

  private:
    /// The GPU of this rank: those of a node in turns. Null, with the reason, where there is none.
    launch::Device* gpu() {
        if (gpu_ || !no_gpu_.empty()) return gpu_.get();
        try {
            int visible = 0;
            while (read_gpu_properties(visible).value)
                ++visible;
            if (visible == 0) throw launch::Unavailable(*launch::gpu_unavailable_reason());
            ordinal_ = node_.rank % visible;
            gpu_ = served_gpu(ordinal_);
        } catch (const launch::Error& error) {
            no_gpu_ = error.what();
        }
        return gpu_.get();
    }

    void hello() {
        char version[MPI_MAX_LIBRARY_VERSION_STRING];
        int length = 0;
        MPI_Get_library_version(version, &length);
        json here{{"rank", transport_.rank()}, {"node", node_.number(transport_.rank())}};
        json reasons = json::object();
        const auto affinity = read_affinity();
        const json topology = describe_topology(read_topology({}), affinity, reasons);
        here["cpus"] = affinity.value ? json(format_cpu_list(*affinity.value)) : json();
        here["numa_nodes"] = topology.is_object() ? topology.value("bound_numa_nodes", json()) : json();
        here["gpu"] = nullptr;
        if (gpu() != nullptr)
            if (const auto properties = read_gpu_properties(ordinal_); properties.value)
                here["gpu"] = properties.value->uuid;
        json placement = json::array();
        for (const std::string& text : from_all(here.dump(), transport_.ranks()))
            placement.push_back(json::parse(text));
        if (transport_.rank() == 0)
            say({{"program", "gridmark-ranks"},
                 {"mpi", std::string(version, version + length).substr(0, std::string(version).find(','))},
                 {"device_memory", transport_.takes_device_memory()},
                 {"ranks", placement}});
    }

    /// The next line of rank 0's standard input, at all ranks; false at its end.
    bool next_request(std::string& line) {
        int size = -1;
        if (transport_.rank() == 0 && std::getline(std::cin, line)) size = static_cast<int>(line.size());
        MPI_Request request;
        MPI_Ibcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        for (int there = 0; there == 0;) {
            MPI_Test(&request, &there, MPI_STATUS_IGNORE);
            if (there == 0) std::this_thread::sleep_for(look_every);
        }
        if (size < 0) return false;
        line.resize(static_cast<std::size_t>(size));
        MPI_Bcast(line.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
        return true;
    }

    void set_up(const json& r) {
        std::string failure;
        bool unavailable = false;
        json answer{{"done", "set up"}};
        try {
            launch::Device* device = nullptr;
            const std::string on = r.at("on");
            if (on == "gpu" && (device = gpu()) == nullptr) throw launch::Unavailable(no_gpu_);
            if (on == "host") {
                if (host_ == nullptr) host_ = launch::host_device();
                device = host_.get();
            }
            const Experiment& experiment = experiments().at(r.at("experiment"));
            if (experiment.ranked == nullptr) throw std::runtime_error("this study is not cut among ranks");
            const RankedStudy& study = *experiment.ranked;
            fields_[r.at("id")] = study.make({.transport = transport_,
                                              .device = device,
                                              .settings = Settings(r.at("set"), study.keys),
                                              .threads = r.at("threads"),
                                              .seed = r.at("seed"),
                                              .steps_per_exchange = r.at("steps_per_exchange"),
                                              .parts = r.at("parts")},
                                             r.at("times"));
            fields_[r.at("id")]->start();
        } catch (const launch::Unavailable& error) {
            unavailable = true;
            failure = error.what();
        } catch (const std::exception& error) {
            failure = error.what();
            if (failure.empty()) failure = "failed";
        }
        const std::vector<std::string> failures = from_all(failure, transport_.ranks());
        for (int rank = 0; rank < transport_.ranks(); ++rank) {
            if (failures[rank].empty()) continue;
            fields_.erase(r.at("id").get<int>());
            const std::string text = "rank " + std::to_string(rank) + ": " + failures[rank];
            answer = {{transport_.most(unavailable ? 1 : 0) > 0 ? "unavailable" : "error", text}};
            if (transport_.rank() == 0) say(answer);
            return;
        }
        if (transport_.rank() == 0) say(answer);
    }

    /// What fails here fails while others may wait for this rank: it ends them all.
    void answer(const std::string& kind, const json& r) {
        try {
            const json answer = kind == "ping pong" ? ping_pong(r) : of_field(kind, r);
            if (transport_.rank() == 0) say(answer);
        } catch (const std::exception& error) {
            say({{"error", "rank " + std::to_string(transport_.rank()) + ": " + error.what()}});
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }

    json of_field(const std::string& kind, const json& r) {
        const int id = r.at("id");
        if (kind == "drop") {
            fields_.erase(id);
            return {{"done", kind}};
        }
        Ranked& field = *fields_.at(id);
        if (kind == "verify") {
            const Verification v = field.verify();
            return {{"against", v.against},
                    {"distance", v.error},
                    {"tolerance", v.tolerance},
                    {"steps", v.steps},
                    {"scale", *v.scale}};
        }
        if (kind == "start") field.start();
        if (kind == "steps") field.steps(r.at("steps"), ranks::Omit::nothing);
        if (kind == "write") field.write(r.at("file"));
        if (kind == "time") {
            const ranks::Omit omit = r.at("omit");
            transport_.most(0);  // all begin together
            const auto begin = std::chrono::steady_clock::now();
            field.steps(r.at("steps"), omit);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            return {{"seconds", transport_.most(took.count())}};
        }
        return {{"done", kind}};
    }

    /// Between the first and the last rank, while the others wait: of a message in turns half of the shortest
    /// round trip; of one each way at once, as halos go, the shortest time of both. Where ranks have a GPU
    /// the messages lie in pinned memory, as theirs do.
    json ping_pong(const json& r) {
        const std::size_t bytes = r.at("bytes");
        const bool at_once = r.at("at_once");
        const int times = r.at("times"), last = transport_.ranks() - 1, rank = transport_.rank();
        std::vector<std::byte> pageable(gpu() == nullptr ? 2 * bytes : 0);
        std::optional<launch::Pinned<std::byte>> pinned;
        if (gpu() != nullptr) pinned.emplace(*gpu(), 2 * bytes);
        const std::span<std::byte> both = pinned ? pinned->span() : std::span(pageable),
                                   in = both.first(bytes), out = both.last(bytes);
        std::ranges::fill(out, std::byte{1});
        double best = 1e9;
        transport_.most(0);
        for (int k = 0; k < times && (rank == 0 || rank == last); ++k) {
            const auto begin = std::chrono::steady_clock::now();
            for (const bool sends : {rank == 0, rank != 0}) {
                if (!sends || at_once) transport_.receive(last - rank, in);
                if (sends || at_once) transport_.send(last - rank, out);
                transport_.finish();
            }
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            best = std::min(best, took.count() / 2);
        }
        return {{"seconds", -transport_.most(rank == 0 ? -best : -1e9)}};
    }

    MpiTransport transport_;
    Node node_;
    std::unique_ptr<launch::Device> gpu_, host_;
    std::string no_gpu_;
    int ordinal_ = 0;
    std::map<int, std::unique_ptr<Ranked>> fields_;
};

}  // namespace
}  // namespace gridmark::harness

int main(int count, char** words) {
    gridmark::harness::open_standard_streams();
    MPI_Init(&count, &words);
    gridmark::harness::Rank().serve();
    MPI_Finalize();
    return 0;
}

#include "harness/ranks/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <vector>

#include "harness/os/files.hpp"
#include "harness/peers/peer_program.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// Ranks that get no more requests end by themselves in less.
constexpr double patience_at_end = 5;

/// Which rank died of what, where Open MPI's launcher tells; else empty. Its own words name hosts. From
/// version 5 on they go on in another line, and a process is named [prterun-host-7@1,1], not [[7,1],1].
std::string death_of(const std::string& text) {
    static const std::regex space("\\s+"),
        killed("process rank ([0-9]+) with PID [0-9]+ on node \\S+ exited on signal ([0-9]+)"),
        ended("Process name: \\[\\S+,([0-9]+)\\] Exit code: ([0-9]+)");
    const std::string words = std::regex_replace(text, space, " ");
    std::smatch found;
    if (std::regex_search(words, found, killed))
        return fmt::format("rank {} was ended by signal {}", found.str(1), found.str(2));
    if (std::regex_search(words, found, ended))
        return fmt::format("rank {} ended with exit code {}", found.str(1), found.str(2));
    return {};
}

/// Up to the first line that is empty, as one line; rules of dashes are left out.
std::string first_paragraph(const std::string& text) {
    std::string words;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::string_view bare = trim(line);
        if (bare.find_first_not_of('-') != std::string_view::npos)
            words.append(words.empty() ? "" : " ").append(bare);
        else if (bare.empty() && !words.empty())
            break;
    }
    return words;
}

/// What a launcher said, as one line that says what to do about it.
std::string said_by_launcher(const std::string& text, const std::string& launcher, int ranks) {
    if (text.find("not enough slots") != std::string::npos)
        return fmt::format(
            "{}: not enough slots for {} ranks; with Open MPI --launcher 'mpirun "
            "--oversubscribe -n {{}}' starts them all the same",
            launcher, ranks);
    if (text.find("attempt to run as root") != std::string::npos)
        return fmt::format(
            "{}: Open MPI starts nothing as root unless it is told to; --launcher 'mpirun "
            "--allow-run-as-root "
            "-n {{}}' does, and so do OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 in the "
            "environment",
            launcher);
    if (const std::string death = death_of(text); !death.empty())
        return fmt::format("{}: {}", launcher, death);
    const std::string words = first_paragraph(text);
    return fmt::format("{}: {}", launcher, words.empty() ? "ended without a word" : words);
}

}  // namespace

std::string rank_program() {
    const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "gridmark-ranks";
    if (::access(program.c_str(), X_OK) != 0)
        throw UsageError(
            "--ranks: there is no gridmark-ranks beside this program: it is built where MPI is "
            "found (Debian: libopenmpi-dev)");
    return program.string();
}

std::string launch_command(const std::string& command, int ranks) {
    const std::size_t at = command.find("{}");
    if (at == std::string::npos || command.find("{}", at + 1) != std::string::npos)
        throw UsageError(
            fmt::format("--launcher {}: {{}} must stand in it once, for the number of ranks", command));
    return command.substr(0, at) + std::to_string(ranks) + command.substr(at + 2);
}

RankJob::RankJob(const RankOptions& options, int ranks)
    : ranks_(ranks),
      patience_(options.patience),
      launcher_(launch_command(options.launcher, ranks)),
      // A word of its own: its folder may be called anything.
      process_({"-c", fmt::format("exec {} \"$0\" >&{}", launcher_, event_descriptor),
                options.program.empty() ? rank_program() : options.program},
               requests_.its_end(), "/bin/sh") {
    requests_.started();
    hello_ = answer();
    const std::size_t started = hello_.value("ranks", json::array()).size();
    if (started != static_cast<std::size_t>(ranks))
        throw RankError(
            fmt::format("{}: started programs of {} rank{}, not one of {}: it belongs to another MPI than "
                        "gridmark-ranks, "
                        "which is linked to {}",
                        launcher_, started, started == 1 ? "" : "s", ranks, hello_.value("mpi", "?")));
}

RankJob::~RankJob() {
    requests_.close();
    json ignored;
    while (process_.next(patience_at_end, ignored) == Process::Wait::event) {
    }
}

json RankJob::ask(const json& request) {
    requests_.send(request);
    return answer();
}

json RankJob::answer() {
    json answer;
    switch (process_.next(patience_, answer)) {
        case Process::Wait::event:
            break;
        case Process::Wait::ended: {
            process_.kill_and_explain();
            const std::string said = process_.said();
            if (hello_.is_null()) throw RankError(said_by_launcher(said, launcher_, ranks_));
            const std::string death = death_of(said);
            throw RankError("the ranks are gone: " + (death.empty() ? "the launcher ended" : death));
        }
        case Process::Wait::timed_out:
            process_.kill_and_explain();
            throw RankError(fmt::format("the ranks did not answer within {:g} s", patience_));
        case Process::Wait::interrupted:
            throw RankError("interrupted");
        default:
            process_.kill_and_explain();
            throw RankError("what the ranks answered is damaged");
    }
    return accepted<RankError>(std::move(answer), "", "what the ranks answered is damaged");
}

std::string RankJob::made_by() const {
    return fmt::format("{}, {}", hello_.value("program", "?"), hello_.value("mpi", "?"));
}

std::vector<Ceiling> measure_rank_messages(RankJob& job) {
    constexpr std::size_t small = 8, large = 8 << 20;
    const auto seconds = [&](std::size_t bytes, int times, bool at_once) {
        return job.ask({{"do", "ping pong"}, {"bytes", bytes}, {"times", times}, {"at_once", at_once}})
            .at("seconds")
            .get<double>();
    };
    const auto how = [&](const char* what, int times) {
        return fmt::format("{} between rank 0 and rank {}, {}; best of {}", what, job.ranks() - 1,
                           job.made_by(), times);
    };
    constexpr int many = 2000, few = 40;
    return {{"rank_latency", 1e6 * seconds(small, many, false), "us", "",
             how("half a round trip of 8 bytes", many)},
            {"rank_bandwidth", 1e-9 * large / seconds(large, few, true), "GB/s", "",
             how("8 MiB each way at once", few)}};
}

std::string shared_gpus(const json& placement) {
    std::map<std::string, std::vector<int>> users;
    for (const json& rank : placement)
        if (rank.value("gpu", json()).is_string())
            users[fmt::format("{} {}", rank.value("node", 0), rank["gpu"].get<std::string>())].push_back(
                rank.value("rank", 0));
    std::vector<std::string> words;
    for (const auto& [gpu, ranks] : users)
        if (ranks.size() > 1)
            words.push_back(
                fmt::format("ranks {} share a GPU: their times show no scaling", fmt::join(ranks, ", ")));
    return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace gridmark::harness

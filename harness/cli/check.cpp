#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "harness/cli/commands.hpp"
#include "harness/experiment.hpp"
#include "harness/results/contribution.hpp"

namespace gridmark::harness {
namespace {

/// This machine's host name and its user's, unless they say nothing.
std::vector<std::string> private_words() {
    std::vector<std::string> words;
    char host[256] = {};
    if (gethostname(host, sizeof host - 1) == 0) words.emplace_back(host);
    if (const char* const user = std::getenv("USER")) words.emplace_back(user);
    // Short ones would be found in any text, and nobody is known by these.
    std::erase_if(words, [](const std::string& word) {
        return word.size() < 4 || word == "root" || word == "localhost" || word == "user";
    });
    return words;
}

}  // namespace

void add_check(CLI::App& app, int& code) {
    auto* command =
        app.add_subcommand("check", "whether a folder of results is complete and fit to be contributed");
    auto* folder = command->add_option("FOLDER", "results/<machine>")->required();
    command->callback([folder, &code] {
        const ResultSet set = load_result_set(folder->as<std::string>());
        std::set<std::string> ids;
        for (const auto& [id, experiment] : experiments())
            ids.insert(id);
        const auto complaints = shortcomings(set, ids, private_words());
        for (const std::string& complaint : complaints)
            fmt::print("{}\n", complaint);
        if (complaints.empty())
            fmt::print("{}: {}, complete and consistent\n", set.directory.string(), set.machine);
        else
            code = 2;
    });
}

}  // namespace gridmark::harness

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "harness/cli/commands.hpp"
#include "harness/compare/machines.hpp"
#include "harness/experiment.hpp"
#include "harness/os/resources.hpp"
#include "harness/os/streams.hpp"
#include "harness/results/contribution.hpp"

namespace gridmark::harness {
namespace {

/// What is worth a word and refuses nothing, with the files that it is true of.
std::map<std::string, std::vector<std::string>> facts_of(const ResultSet& set) {
    std::map<std::string, std::vector<std::string>> files;
    for (const auto& [id, file] : set.files)
        for (const std::string& what : facts(file.context))
            files[what].push_back(id + ".json");
    return files;
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
        auto complaints = shortcomings(set, ids, private_words());
        for (const auto& [id, file] : set.files)
            for (const std::string& what : disturbances(file.context))
                complaints.push_back(fmt::format("{}.json: {}; measure it again", id, what));
        for (const std::string& complaint : complaints)
            print_out("{}\n", complaint);
        if (!complaints.empty()) {
            code = 2;
            return;
        }
        print_out("{}: {}, complete and consistent\n", set.directory.string(), set.machine);
        for (const auto& [what, files] : facts_of(set))
            print_out("{}: {}\n", fmt::join(files, ", "), what);
    });
}

}  // namespace gridmark::harness

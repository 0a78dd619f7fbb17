#include "harness/results/result_set.hpp"

#include <fmt/format.h>

#include "harness/usage_error.hpp"

namespace gridmark::harness {

ResultSet load_result_set(const std::filesystem::path& directory) try {
    if (!std::filesystem::is_directory(directory))
        throw UsageError(directory.string() + ": no such folder of results");
    ResultSet set{directory, directory.filename().string(), true, {}};
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        // Files set aside by an earlier run are called <experiment>.old-N.json.
        const std::string stem = entry.path().stem().string();
        if (entry.path().extension() != ".json" || stem.find('.') != std::string::npos) continue;
        ResultFile file = read_result_file(entry.path());
        const auto& context = file.context;
        if (context["experiment"] != stem)
            throw UsageError(entry.path().string() + ": key context.experiment: " +
                             context["experiment"].dump() + " does not match the file's name");
        set.machine = context["machine"].get<std::string>();
        set.complete = set.complete && context["complete"].get<bool>();
        set.files.emplace(stem, std::move(file));
    }
    if (set.files.empty()) throw UsageError(directory.string() + ": holds no result file");
    return set;
} catch (const std::filesystem::filesystem_error& error) {
    throw UsageError(fmt::format("{}: cannot be read ({})", directory.string(), error.code().message()));
}

}  // namespace gridmark::harness

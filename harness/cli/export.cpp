#include "harness/export/export.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "harness/cli/commands.hpp"
#include "harness/os/output.hpp"
#include "harness/os/resources.hpp"
#include "harness/os/streams.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
    std::string folder, format, out = "-";
    bool anonymous = false;
};

/// Refuses a place for the file before anything is read.
void check_place(const fs::path& out, const fs::path& folder) {
    check_output(out, "--out");
    std::error_code ignored;
    const fs::path parent = out.has_parent_path() ? out.parent_path() : ".";
    if (out.extension() == ".json" && fs::equivalent(parent, folder, ignored))
        throw UsageError(fmt::format(
            "--out {}: files of that ending in the folder of results are read as results", out.string()));
}

/// On stderr, for standard output may be the file.
void say_what_is_missing(const Exported& exported, const std::string& format) {
    if (exported.without_number > 0)
        write_error(
            fmt::format("{} rows left out: skipped or failed, without a number\n", exported.without_number));
    if (exported.other_than_time > 0)
        write_error(
            fmt::format("{} rows left out: {} takes times alone\n", exported.other_than_time, format));
}

void export_folder(const ExportOptions& options) {
    if (options.out != "-") check_place(options.out, options.folder);
    ResultSet set = load_result_set(options.folder);
    const auto texts = options.anonymous ? private_texts(set, private_words()) : std::vector<std::string>{};
    if (options.anonymous) set = without(std::move(set), texts);
    const Exported exported = export_set(set, options.format);
    if (options.out == "-")
        write_out(exported.text);
    else
        write_atomically(options.out, exported.text);
    say_what_is_missing(exported, options.format);
}

}  // namespace

void add_export(CLI::App& app, int&) {
    auto options = std::make_shared<ExportOptions>();
    auto* command = app.add_subcommand("export", "samples and medians in the formats of other programs");
    command->add_option("DIR", options->folder, "folder of results")->required();
    command->add_option("--format", options->format, fmt::format("{}", fmt::join(export_formats(), ", ")))
        ->required();
    command->add_option("--out", options->out, "file; - is standard output")->capture_default_str();
    command->add_flag("--anonymous", options->anonymous,
                      "leave out host and user names, UUIDs and serial numbers");
    command->callback([options] { export_folder(*options); });
}

}  // namespace gridmark::harness

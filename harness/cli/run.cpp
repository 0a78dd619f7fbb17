#include "harness/run/run.hpp"

#include <algorithm>
#include <set>

#include "harness/cli/commands.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

/// What was typed, as text where it must be parsed.
struct RunWords {
    RunOptions options;
    std::string preset = "quick", device_memory, out, from = "results/local";
    std::vector<std::string> set, axes, variants;
    std::vector<int> ranks;
    bool dry = false;
};

/// The options that say what is measured, and on what.
void add_choice(CLI::App& command, RunWords& words) {
    command.add_option("EXPERIMENT", words.options.experiments, "which (all if none is named)");
    command
        .add_option("--preset", words.preset,
                    "quick (estimates), paper (published sizes) or full (large ones too)")
        ->capture_default_str();
    add_device(command, words.options.device);
    command.add_option("--threads", words.options.threads, "CPU threads (0: all)")->capture_default_str();
    command.add_option("--device-memory", words.device_memory, "use no more GPU memory than this, e.g. 8GiB");
    command
        .add_option(
            "--set", words.set,
            "KEY=VALUE, a choice that one named study leaves open (heat: outer, inner, streaming); may be "
            "repeated")
        ->allow_extra_args(false);
    command
        .add_option("--axis", words.axes,
                    "KEY=V1,V2 or KEY=FIRST:LAST:*2 or :+1024: sizes and settings of your own in place of a "
                    "preset's, of one named study; may be repeated, for every combination. A wrong KEY "
                    "lists those there are")
        ->allow_extra_args(true);
    command.add_option("--variant", words.variants, "V1,V2: which variants at these sizes (all)")
        ->allow_extra_args(true);
    command.add_option("--row", words.options.row,
                       "one row by its name: of a preset, or of a file in --from; a difference or a derived "
                       "row with what it is made of");
    command.add_option("--from", words.from, "folder of results that has the row")->capture_default_str();
}

/// The checked options.
RunOptions parsed(const RunWords& words) {
    RunOptions options = words.options;
    options.preset = parse_preset(words.preset);
    options.axes = parse_axes(words.axes, words.variants);
    options.from = words.from;
    options.ranks = words.ranks;
    const bool own = options.axes.given() || !options.row.empty();
    options.out = !words.out.empty()       ? words.out
                  : !options.ranks.empty() ? "results/ranks"
                  : own                    ? "results/own"
                                           : "results/local";
    if (!options.ranks.empty() && !options.row.empty())
        throw UsageError("--row: has no place beside --ranks");
    if (std::set<int>(options.ranks.begin(), options.ranks.end()).size() != options.ranks.size())
        throw UsageError("--ranks: a number is named twice");
    std::ranges::sort(options.ranks);
    if (options.ranks.empty() && options.launcher != RunOptions().launcher)
        throw UsageError("--launcher: starts what --ranks asks for, and that is not given");
    if (options.axes.given() && options.experiments.size() != 1)
        throw UsageError("--axis, --variant: name the one experiment that they are meant for");
    if (options.axes.given() && !options.row.empty())
        throw UsageError(
            "--row: names what is measured by itself; --axis, --variant have no place beside it");
    if (!words.device_memory.empty()) options.device_memory = parse_memory_size(words.device_memory);
    if (options.threads < 0 || options.threads > 4096)
        throw UsageError("--threads: must lie between 0 and 4096");
    if (!(options.timeout > 0)) throw UsageError("--timeout: must be above 0");
    if (!(options.afterwards >= 0 && options.afterwards <= 86400))
        throw UsageError("--afterwards: must lie between 0 and 86400 seconds");
    options.set = parse_settings(words.set);
    if (!options.set.empty() && options.experiments.size() != 1)
        throw UsageError("--set: name the one experiment that it is meant for");
    return options;
}

}  // namespace

void add_run(CLI::App& app, int& code) {
    auto words = std::make_shared<RunWords>();
    auto* command = app.add_subcommand("run", "measure; resumes a run that the same program left unfinished");
    add_choice(*command, *words);
    command
        ->add_option("--ranks", words->ranks,
                     "1,2,4: grids cut among so many processes each (jacobi, heat, maxwell), in place of a "
                     "preset's plan; --axis then takes scaling, steps_per_exchange, cut and threads, too")
        ->delimiter(',')
        ->check(CLI::Range(1, 4096));
    command->add_option("--launcher", words->options.launcher, "what starts them; {} stands for their number")
        ->capture_default_str();
    command->add_option("--filter", words->options.filter,
                        "only rows whose name matches this regular expression");
    command->add_option("--out", words->out,
                        "folder of the result files [results/local; with --axis, --variant or --row "
                        "results/own, with --ranks "
                        "results/ranks]");
    command->add_flag("--dry-run", words->dry,
                      "print the rows, their memory and the time, and measure nothing");
    command->add_flag("--fresh", words->options.fresh, "start over; the old files are set aside");
    command->add_option("--peers", words->options.peers,
                        "also measure other frameworks' versions, by this program (peers/start)");
    command
        ->add_option("--timeout", words->options.timeout,
                     "seconds without a result after which a group is given up")
        ->capture_default_str();
    command->add_option(
        "--afterwards", words->options.afterwards,
        "seconds of what the caller does afterwards, such as drawing; counted in the forecast");
    command->add_flag("--allow-shared", words->options.allow_shared,
                      "let rows count that other programs on this machine disturbed; they stay marked");
    command->add_option("--against", words->options.against,
                        "folder of results: the end names the fastest versions there, too, and the verdicts "
                        "that differ");
    command->add_flag("--verbose", words->options.verbose, "show every row, those that are skipped too");
    command->callback([words, &code] {
        if (words->dry)
            dry_run(parsed(*words));
        else
            code = run(parsed(*words));
    });
}

void add_benchmark(CLI::App& app, int& code) {
    auto words = std::make_shared<RunWords>();
    auto* command = app.add_subcommand(
        "benchmark",
        "a look at single rows by Google Benchmark, in one process: takes its flags, e.g. "
        "--benchmark_filter=REGEX --benchmark_repetitions=9 --benchmark_out=FILE --benchmark_list_tests");
    add_choice(*command, *words);
    command->allow_extras();
    command->callback(
        [words, command, &code] { code = benchmark_rows(parsed(*words), command->remaining()); });
}

}  // namespace gridmark::harness

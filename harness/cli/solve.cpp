#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/commands.hpp"
#include "harness/experiment.hpp"
#include "harness/fields/hdf5_output.hpp"
#include "harness/machine/served_gpu.hpp"
#include "harness/os/limits.hpp"
#include "harness/ranks/plan.hpp"
#include "harness/results/result_file.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {
namespace {

struct SolveOptions {
    std::string experiment, variant, row, from = "results/local", on, out, input;
    std::vector<std::string> set;
    int device = 0, threads = 0, ranks = 0;
    std::string launcher = RankOptions().launcher;
};

const Variant& find_variant(const Experiment& experiment, const SolveOptions& options) {
    for (const Variant& variant : experiment.variants) {
        if (variant.name != options.variant) continue;
        if (!variant.unavailable.empty())
            throw UsageError(fmt::format("--variant {}: {}", variant.name, variant.unavailable));
        return variant;
    }
    std::vector<std::string> names;
    for (const Variant& variant : experiment.variants)
        names.push_back(variant.name);
    throw UsageError(
        fmt::format("--variant {}: {} has {}", options.variant, options.experiment, fmt::join(names, ", ")));
}

/// The device of a CUDA variant; null for a CPU variant.
std::unique_ptr<launch::Device> open_device(const Variant& variant, const SolveOptions& options) {
    if (variant.kind == Variant::Kind::cpu) {
        if (options.on == "gpu") throw UsageError(fmt::format("--on gpu: {} is a CPU variant", variant.name));
        return nullptr;
    }
    if (options.on == "host") return launch::host_device();
    try {
        return served_gpu(options.device);
    } catch (const launch::Unavailable& error) {
        throw UsageError(
            fmt::format("{}: {}; --on host runs its kernel on the CPU", variant.name, error.what()));
    }
}

/// Takes from --row what the command line does not say itself.
void complete(SolveOptions& options, const Experiment& experiment) {
    if (options.row.empty()) {
        if (options.variant.empty()) throw UsageError("--variant or --row is required");
        return;
    }
    const Row row = row_named(options.from, options.experiment, options.row);
    if (options.variant.empty()) options.variant = row.variant;
    if (options.threads == 0)
        options.threads = static_cast<int>(value_of<std::int64_t>(row.parameters, "threads", 0));
    if (options.ranks == 0 && (row.variant == ranks_cpu || row.variant == ranks_gpu))
        options.ranks = static_cast<int>(value_of<std::int64_t>(row.parameters, "ranks", 0));
    std::vector<std::string> words;
    for (const auto& [key, value] : row.parameters)
        if (key != "steps" && experiment.solve_keys.contains(key))
            words.push_back(key + "=" + to_text(value));
    options.set.insert(options.set.begin(), words.begin(), words.end());  // of equal keys the last one counts
}

/// A variant of ranks, which are processes of their own: they open what they compute on.
void check_ranked(const Experiment& experiment, SolveOptions& options) {
    if (experiment.ranked == nullptr)
        throw UsageError(fmt::format("--ranks: {} is not cut among ranks", options.experiment));
    if (options.variant.empty()) options.variant = ranks_cpu;
    if (options.variant != ranks_cpu && options.variant != ranks_gpu)
        throw UsageError(
            fmt::format("--variant {}: ranks run {} and {}", options.variant, ranks_cpu, ranks_gpu));
    if (options.variant == ranks_cpu && !options.on.empty())
        throw UsageError(fmt::format("--on {}: {} is a CPU variant", options.on, ranks_cpu));
    if (!options.input.empty()) throw UsageError("--input: ranks make their own start; they read no file");
}

/// The study's field; what it cannot do with these settings, or here, in one line.
Solution solved(const Experiment& experiment, const SolveRequest& request) {
    try {
        return experiment.solve(request);
    } catch (const std::invalid_argument& error) {
        throw UsageError(std::string("--set: ") + error.what());
    } catch (const launch::Unavailable& error) {
        throw UsageError(request.variant + ": " + error.what());
    }
}

void solve(SolveOptions options) {
    const auto found = experiments().find(options.experiment);
    if (found == experiments().end())
        throw UsageError(fmt::format("{}: no such experiment; see gridmark list", options.experiment));
    if (options.ranks == 0 || !options.row.empty()) complete(options, found->second);
    const bool ranked = options.ranks > 0;
    if (ranked) check_ranked(found->second, options);
    const auto device = ranked ? nullptr : open_device(find_variant(found->second, options), options);
    const RankOptions ranks{{options.ranks}, options.launcher};
    Hdf5Output output(options.out);
    SolveRequest request{options.variant,
                         parse_settings(options.set),
                         std::nullopt,
                         device.get(),
                         options.threads > 0 ? options.threads : start_threads(0).threads,
                         &output};
    if (!options.input.empty()) request.input = options.input;
    if (ranked) request.ranks = &ranks;
    request.ranks_on_host = options.on == "host";
    output.finish(solved(found->second, request));
}

}  // namespace

void add_solve(CLI::App& app, int&) {
    auto options = std::make_shared<SolveOptions>();
    auto* command = app.add_subcommand("solve", "compute one variant's field and write it as HDF5");
    command->add_option("EXPERIMENT", options->experiment, "which study")->required();
    command->add_option("--variant", options->variant, "which version of its computation");
    command->add_option(
        "--row", options->row,
        "variant and parameters of a row of a result file, where this line does not set them");
    command->add_option("--from", options->from, "folder of results that has the row")->capture_default_str();
    command->add_option("--set", options->set, "KEY=VALUE, a parameter of the study; may be repeated")
        ->allow_extra_args(true);
    command->add_option("--input", options->input, "HDF5 file with the start, for studies that read one");
    command
        ->add_option("--on", options->on,
                     "where a CUDA variant runs: gpu (default) or host (its kernel on the CPU)")
        ->check(CLI::IsMember({"host", "gpu"}));
    add_device(*command, options->device);
    command->add_option("--threads", options->threads, "CPU threads (0: all)")->check(CLI::Range(0, 4096));
    command
        ->add_option("--ranks", options->ranks,
                     "cut the grid among so many processes (jacobi, heat, maxwell); --variant ranks_cpu "
                     "(default) or ranks_gpu, --set cut=2x1, steps_per_exchange=4")
        ->check(CLI::Range(1, 4096));
    command->add_option("--launcher", options->launcher, "what starts them; {} stands for their number")
        ->capture_default_str();
    command->add_option("--out", options->out, "HDF5 file to write")->required();
    command->callback([options] {
        try {
            solve(*options);
        } catch (const RankError& error) {
            throw UsageError(fmt::format("--ranks: {}", error.what()));
        }
    });
}

}  // namespace gridmark::harness

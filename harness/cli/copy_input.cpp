#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "harness/cli/commands.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/fields/hdf5_output.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

struct CopyOptions {
    std::string precision, input, out;
    std::vector<std::string> datasets;
    double seconds = InputReader{}.seconds;
};

/// "t0:3": a dataset and its number of dimensions; "t0:3?" is optional.
InputRequest parse_request(const std::string& word) {
    const auto colon = word.rfind(':');
    if (colon == std::string::npos)
        throw UsageError(fmt::format("{}: not of the form NAME:DIMENSIONS", word));
    int rank = 0;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data() + colon + 1, end, rank);
    const std::string_view rest(stopped, end);
    if (error != std::errc() || (rest != "" && rest != "?"))
        throw UsageError(fmt::format("{}: not of the form NAME:DIMENSIONS", word));
    return {word.substr(0, colon), rank, rest == "?"};
}

template <class T>
void copy(const CopyOptions& options) {
    std::vector<InputRequest> wanted;
    for (const std::string& word : options.datasets)
        wanted.push_back(parse_request(word));
    Solution solution{{}, nlohmann::json::object()};
    for (auto& field : read_input<T>(options.input, wanted, {.seconds = options.seconds}))
        if (!field.values.empty())
            solution.fields.push_back({field.name, field.sizes, std::move(field.values)});
    Hdf5Output(options.out).finish(solution);
}

}  // namespace

void add_copy_input(CLI::App& app, int&) {
    auto options = std::make_shared<CopyOptions>();
    auto* command =
        app.add_subcommand("_copy_input", "read an HDF5 file as --input is read, and write it anew");
    command->group("");  // for the tests: not in the help
    command->add_option("PRECISION", options->precision)
        ->required()
        ->check(CLI::IsMember({"float", "double"}));
    command->add_option("INPUT", options->input)->required();
    command->add_option("OUT", options->out)->required();
    command
        ->add_option("DATASETS", options->datasets,
                     "NAME:DIMENSIONS, NAME:DIMENSIONS? if it need not be there")
        ->required();
    command->add_option("--seconds", options->seconds);
    command->callback(
        [options] { options->precision == "float" ? copy<float>(*options) : copy<double>(*options); });
}

}  // namespace gridmark::harness

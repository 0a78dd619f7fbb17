#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/cli/commands.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/run/job.hpp"
#include "harness/usage_error.hpp"

namespace {

/// One line of text for any error, however many its message has and whatever was typed or stood in a file.
void complain(const std::string& message) {
    constexpr std::size_t part = 1000;
    std::string line = message.substr(0, message.find('\n'));
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    // Of a long one what it is about, at its beginning, and why, at its end.
    if (line.size() > 2 * part) line = line.substr(0, part) + " ... " + line.substr(line.size() - part);
    fmt::print(stderr, "gridmark: {}\n", line);
}

}  // namespace

namespace gridmark::harness {

int program(int argc, char** argv) {
    int code = 0;
    try {
        if (argc == 2 && std::strcmp(argv[1], "_child") == 0) return run_child();
        if (argc == 2 && std::strcmp(argv[1], reader_command) == 0) run_hdf5_reader();
        CLI::App app("Gridmark re-runs GPU studies of grid equations on the hardware in front of you.",
                     "gridmark");
        app.require_subcommand(1);
        app.footer(
            "Exit codes: 0 done (skipped rows included); 1 a row failed or timed out; 2 bad usage or bad "
            "input;\n"
            "3 interrupted, partial results kept.");
        add_list(app, code);
        add_machine(app, code);
        add_run(app, code);
        add_benchmark(app, code);
        add_solve(app, code);
        add_claims(app, code);
        add_check(app, code);
        add_tables(app, code);
        add_scaling(app, code);
        add_forecast(app, code);
        add_compare(app, code);
        add_export(app, code);
        add_copy_input(app, code);
        try {
            app.parse(argc, argv);
        } catch (const CLI::Success& help) {
            return app.exit(help);
        } catch (const CLI::ParseError& error) {
            complain(std::string(error.what()) + " (gridmark --help lists the commands)");
            return 2;
        }
    } catch (const UsageError& error) {
        complain(error.what());
        return 2;
    } catch (const std::exception& error) {
        complain(error.what());
        return 1;
    }
    return code;
}

}  // namespace gridmark::harness

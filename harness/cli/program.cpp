#include <cstring>

#include "harness/cli/commands.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "harness/os/streams.hpp"
#include "harness/run/job.hpp"
#include "harness/usage_error.hpp"

namespace {

using namespace gridmark::harness;

/// Runs the command line; turns errors into one line, of which it says that it was `told`, and an exit code.
int command(int argc, char** argv, bool& told) {
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
        add_derive(app, code);
        add_demands(app, code);
        try {
            app.parse(argc, argv);
        } catch (const CLI::Success& help) {
            return app.exit(help);
        } catch (const CLI::ParseError& error) {
            throw UsageError(std::string(error.what()) + " (gridmark --help lists the commands)");
        }
    } catch (const UsageError& error) {
        complain(error.what());
        code = 2;
        told = true;
    } catch (const std::exception& error) {
        complain(error.what());
        code = 1;
        told = true;
    }
    return code;
}

}  // namespace

namespace gridmark::harness {

int program(int argc, char** argv) {
    open_standard_streams();
    bool told = false;
    const int code = command(argc, argv, told);
    const std::string lost = lost_output();
    if (lost.empty()) return code;
    // One line: another error is why there is less to lose.
    if (!told) complain(lost);
    return code != 0 ? code : 1;
}

}  // namespace gridmark::harness

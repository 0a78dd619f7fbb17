#pragma once

#include <CLI/CLI.hpp>

/// The program's subcommands. Each adds itself to the application; when chosen it runs and leaves its exit
/// code in `code`. Errors are exceptions: UsageError for exit code 2, others for 1.
namespace gridmark::harness {

/// The whole program: parses the command line, runs it, turns errors into one line and an exit code.
int program(int argc, char** argv);

void add_list(CLI::App& app, int& code);
void add_machine(CLI::App& app, int& code);
void add_run(CLI::App& app, int& code);
void add_benchmark(CLI::App& app, int& code);
void add_solve(CLI::App& app, int& code);
void add_claims(CLI::App& app, int& code);
void add_check(CLI::App& app, int& code);
void add_tables(CLI::App& app, int& code);
void add_scaling(CLI::App& app, int& code);
void add_forecast(CLI::App& app, int& code);
void add_compare(CLI::App& app, int& code);
void add_export(CLI::App& app, int& code);
/// --device of a command, which refuses the number of a GPU that is not there. The number outlives the
/// command.
void add_device(CLI::App& command, int& device);

void add_copy_input(CLI::App& app, int& code);  // hidden, for tests
void add_derive(CLI::App& app, int& code);      // hidden, for committed sets
void add_demands(CLI::App& app, int& code);     // hidden, for `make demands`

}  // namespace gridmark::harness

#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

/// The three streams that a program begins with. All that is said goes through these functions, so that lost
/// output is seen and a stream that is gone harms nothing.
namespace gridmark::harness {

/// Opens those of the descriptors 0 to 2 that the caller has closed: else the next files that are opened
/// would take their places. Reading finds the end; writing to standard output fails, so that its loss is
/// seen. A limit on the size of files gives an error from here on, and no signal. Called before anything
/// else.
void open_standard_streams();

/// Writes to standard output. A failure is kept for lost_output(): what else there is to do goes on.
void write_out(std::string_view text);

template <class... Values>
void print_out(fmt::format_string<Values...> form, Values&&... values) {
    write_out(fmt::format(form, std::forward<Values>(values)...));
}

/// Flushes standard output. Why something that was written there is lost; empty if nothing is.
std::string lost_output();

/// Writes to standard error. Never throws: nobody may hear it.
void write_error(const std::string& text);

/// "gridmark: " and one line on standard error, whatever the text holds.
void complain(const std::string& text);

}  // namespace gridmark::harness

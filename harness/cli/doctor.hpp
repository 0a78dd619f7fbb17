#pragma once

namespace gridmark::harness {

/// What of a GPU's tools this program finds, what is missing, which claims that costs, and the command that
/// mends it: the second half of `make doctor`. Measures nothing.
void print_doctor();

}  // namespace gridmark::harness

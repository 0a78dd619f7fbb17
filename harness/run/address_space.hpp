#pragma once

#include <cstddef>

namespace gridmark::harness {

/// Lets this process take `room` bytes more of address space than it has now, and no more. Does nothing under
/// sanitizers, whose shadow memory is larger than any machine.
void limit_address_space(std::size_t room);

/// A crash of this process leaves no core file.
void forbid_core_dumps();

}  // namespace gridmark::harness

#pragma once

#include <ostream>

#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {

/// For GoogleTest's messages.
inline void PrintTo(Verdict verdict, std::ostream* to) {
    *to << to_string(verdict);
}

}  // namespace gridmark::harness

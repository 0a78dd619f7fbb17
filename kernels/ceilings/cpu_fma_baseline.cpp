#include "kernels/ceilings/cpu_fma_versions.hpp"

namespace gridmark::ceilings::baseline {
namespace {

// Registers of 16 bytes, which every processor in question has; a multiplication and an addition each on
// x86-64.
using Floats [[gnu::vector_size(16)]] = float;
using Doubles [[gnu::vector_size(16)]] = double;
constexpr int chains = 12;

template <class Register, class T>
double run(long iterations, double factor, double term) {
    constexpr int lanes = sizeof(Register) / sizeof(T);
    Register chain[chains];
    for (int k = 0; k < chains; ++k)
        chain[k] = Register{} + static_cast<T>(k);
    const Register factors = Register{} + static_cast<T>(factor);
    const Register terms = Register{} + static_cast<T>(term);
    for (long i = 0; i < iterations; ++i) {
#pragma GCC unroll 12
        for (int k = 0; k < chains; ++k)
            chain[k] = chain[k] * factors + terms;
    }
    double sum = 0;
    for (const Register& lane : chain) {
        for (int l = 0; l < lanes; ++l)
            sum += static_cast<double>(lane[l]);
    }
    return sum;
}

#if defined(__x86_64__)
constexpr const char* name = "sse2 (multiply, then add)";
#else
constexpr const char* name = "128-bit";
#endif

}  // namespace

CpuFma fma_float() {
    return {name, 2.0 * 4 * chains, 4, chains, run<Floats, float>};
}
CpuFma fma_double() {
    return {name, 2.0 * 2 * chains, 2, chains, run<Doubles, double>};
}

}  // namespace gridmark::ceilings::baseline

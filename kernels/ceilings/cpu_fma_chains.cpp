// Chains of multiply-adds, compiled once per instruction set (GRIDMARK_ISA names its namespace). It makes no
// object of a shared type: an instance of a template would leave its wide version in the baseline program.
#include "kernels/ceilings/cpu_fma_versions.hpp"

namespace gridmark::ceilings::GRIDMARK_ISA {
namespace {

// Four cycles of latency by two units need 8 chains.
#if defined(__AVX512F__)
constexpr const char* name = "avx512f";
constexpr int register_bytes = 64, chains = 16;  // of 32 registers
#elif defined(__AVX2__)
constexpr const char* name = "avx2,fma";
constexpr int register_bytes = 32, chains = 12;  // of 16 registers; factor and term take two
#else
constexpr const char* name = "sse2 (multiply, then add)";
constexpr int register_bytes = 16, chains = 12;
#endif

template <class T>
struct Wide {
    typedef T Register __attribute__((vector_size(register_bytes)));
    static constexpr int lanes = register_bytes / sizeof(T);
};

template <class T>
double run(long iterations, double factor, double term) {
    using Register = typename Wide<T>::Register;
    Register chain[chains];
    for (int k = 0; k < chains; ++k)
        chain[k] = Register{} + static_cast<T>(k);
    const Register factors = Register{} + static_cast<T>(factor);
    const Register terms = Register{} + static_cast<T>(term);
    for (long i = 0; i < iterations; ++i) {
#pragma GCC unroll 16
        for (int k = 0; k < chains; ++k)
            chain[k] = chain[k] * factors + terms;
    }
    double sum = 0;
    for (const Register& lane : chain)
        for (int l = 0; l < Wide<T>::lanes; ++l)
            sum += static_cast<double>(lane[l]);
    return sum;
}

template <class T>
CpuFma version() {
    return {name, 2.0 * Wide<T>::lanes * chains, Wide<T>::lanes, chains, run<T>};
}

}  // namespace

CpuFma fma_float() {
    return version<float>();
}
CpuFma fma_double() {
    return version<double>();
}

}  // namespace gridmark::ceilings::GRIDMARK_ISA

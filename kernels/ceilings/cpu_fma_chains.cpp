// Chains of multiply-adds, compiled once per instruction set (GRIDMARK_ISA names its namespace). It makes no
// object of a shared type: an instance of a template would leave its wide version in the baseline program.
#ifdef __ARM_FEATURE_SVE
#include <arm_sve.h>

#include <cstddef>
#endif

#include "kernels/ceilings/cpu.hpp"

namespace gridmark::ceilings::GRIDMARK_ISA {
namespace {

#ifdef __ARM_FEATURE_SVE

// A register's length is known only while the program runs, so registers stand in no array.
// clang-format off
#define GRIDMARK_CHAINS(DO) \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) \
    DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23)
// clang-format on
constexpr int chains = 24;

inline svfloat32_t spread(float value) {
    return svdup_f32(value);
}
inline svfloat64_t spread(double value) {
    return svdup_f64(value);
}

template <class T>
void add_lanes(double& sum, const T* lane) {
    for (std::size_t i = 0; i < svcntb() / sizeof(T); ++i)
        sum += static_cast<double>(lane[i]);
}

template <class T>
double run(long iterations, double factor, double term) {
    const svbool_t all = svptrue_b8();
    const auto factors = spread(static_cast<T>(factor)), terms = spread(static_cast<T>(term));
    T lane[256 / sizeof(T)];  // of the longest registers that there can be
    double sum = 0;
#define GRIDMARK_START(k) auto chain##k = spread(T(k));
#define GRIDMARK_TURN(k) chain##k = svmad_x(all, chain##k, factors, terms);
#define GRIDMARK_SUM(k) svst1(all, lane, chain##k), add_lanes(sum, lane);
    GRIDMARK_CHAINS(GRIDMARK_START)
    for (long i = 0; i < iterations; ++i) {
        GRIDMARK_CHAINS(GRIDMARK_TURN)
    }
    GRIDMARK_CHAINS(GRIDMARK_SUM)
    return sum;
}

template <class T>
CpuFma version() {
    const int lanes = static_cast<int>(svcntb() / sizeof(T));
    return {"sve", 2.0 * lanes * chains, lanes, chains, run<T>};
}

#else

// Four cycles of latency by two units need 8 chains.
#if defined(__AVX512F__)
constexpr const char* name = "avx512f";
constexpr int register_bytes = 64, chains = 16;  // of 32 registers
#elif defined(__AVX2__)
constexpr const char* name = "avx2,fma";
constexpr int register_bytes = 32, chains = 12;  // of 16 registers; factor and term take two
#elif defined(__aarch64__)
constexpr const char* name = "neon";
constexpr int register_bytes = 16, chains = 24;  // four units, and of 32 registers
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

#endif

}  // namespace

CpuFma fma_float() {
    return version<float>();
}
CpuFma fma_double() {
    return version<double>();
}

}  // namespace gridmark::ceilings::GRIDMARK_ISA

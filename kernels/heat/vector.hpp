#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES  // the intrinsics of SSE2, made of NEON's
#include <simde/x86/sse2.h>
#endif

#include "kernels/heat/problem.hpp"

/// Vectors of float and double with the widest registers of the instruction set that GRIDMARK_ISA names, as
/// numbers: loads, stores and the four operators, an intrinsic each. Include only in files that
/// gridmark_isa_sources compiles: everything here is the ISA's own.
namespace gridmark::heat::GRIDMARK_ISA {

/// One number, for a row's end: a type of this ISA, so that no instance made of it reaches the baseline code.
template <class T>
struct One {
    using Value = T;
    static constexpr int width = 1;
    T value;
    One() = default;
    explicit One(T x) : value(x) {}
    static One load(const T* from) { return One(*from); }
    void store(T* to) const { *to = value; }
    void stream(T* to) const { *to = value; }
    static void prefetch(const T*) {}
    friend One operator+(One a, One b) { return One(a.value + b.value); }
    friend One operator-(One a, One b) { return One(a.value - b.value); }
    friend One operator*(One a, One b) { return One(a.value * b.value); }
};

template <class T>
struct Vector;

#define GRIDMARK_VECTOR(T, REGISTER, PREFIX, SUFFIX)                                        \
    template <>                                                                             \
    struct Vector<T> {                                                                      \
        using Value = T;                                                                    \
        static constexpr int width = sizeof(REGISTER) / sizeof(T);                          \
        REGISTER value;                                                                     \
        Vector() = default;                                                                 \
        explicit Vector(REGISTER x) : value(x) {}                                           \
        explicit Vector(T x) : value(PREFIX##_set1_##SUFFIX(x)) {}                          \
        static Vector load(const T* from) { return Vector(PREFIX##_loadu_##SUFFIX(from)); } \
        void store(T* to) const { PREFIX##_storeu_##SUFFIX(to, value); }                    \
        void stream(T* to) const { PREFIX##_stream_##SUFFIX(to, value); }                   \
        static void prefetch(const T* from) { _mm_prefetch(from, _MM_HINT_T1); }            \
        friend Vector operator+(Vector a, Vector b) {                                       \
            return Vector(PREFIX##_add_##SUFFIX(a.value, b.value));                         \
        }                                                                                   \
        friend Vector operator-(Vector a, Vector b) {                                       \
            return Vector(PREFIX##_sub_##SUFFIX(a.value, b.value));                         \
        }                                                                                   \
        friend Vector operator*(Vector a, Vector b) {                                       \
            return Vector(PREFIX##_mul_##SUFFIX(a.value, b.value));                         \
        }                                                                                   \
    };

#if defined(__AVX512F__)
GRIDMARK_VECTOR(float, __m512, _mm512, ps)
GRIDMARK_VECTOR(double, __m512d, _mm512, pd)
#elif defined(__AVX2__)
GRIDMARK_VECTOR(float, __m256, _mm256, ps)
GRIDMARK_VECTOR(double, __m256d, _mm256, pd)
#else
GRIDMARK_VECTOR(float, __m128, _mm, ps)
GRIDMARK_VECTOR(double, __m128d, _mm, pd)
#endif
#undef GRIDMARK_VECTOR

/// The coefficients as vectors of equal numbers.
template <class V>
Coefficients<V> each_as(const Coefficients<typename V::Value>& k) {
    return {V(k.dt_12), V(k.inverse_dx2), V(k.inverse_dy2), V(k.inverse_dz2)};
}

}  // namespace gridmark::heat::GRIDMARK_ISA

// What the vendor's compiler has built in. Included before every codelet file.
#pragma once

#include <poplar/VectorTypes.hpp>

extern "C" {
unsigned tropic_ipu_get(unsigned index) __attribute__((pure));
void tropic_ipu_put(unsigned value, unsigned index);
unsigned tropic_ipu_urand32();
unsigned long long tropic_ipu_urand64();
float tropic_ipu_f32exp(float x) __attribute__((const));
float tropic_ipu_f32exp2(float x) __attribute__((const));
float tropic_ipu_f32ln(float x) __attribute__((const));
float tropic_ipu_f32log2(float x) __attribute__((const));
float tropic_ipu_f32tanh(float x) __attribute__((const));
float tropic_ipu_f32sigm(float x) __attribute__((const));
}

/// Reads a status register; of those modelled, the worker's number is one.
inline unsigned __builtin_ipu_get(unsigned index) {
    return tropic_ipu_get(index);
}
inline unsigned __builtin_ipu_uget(unsigned index) {
    return tropic_ipu_get(index);
}
inline void __builtin_ipu_put(unsigned value, unsigned index) {
    tropic_ipu_put(value, index);
}
inline void __builtin_ipu_uput(unsigned value, unsigned index) {
    tropic_ipu_put(value, index);
}

inline unsigned __builtin_ipu_urand32() {
    return tropic_ipu_urand32();
}
inline unsigned long long __builtin_ipu_urand64() {
    return tropic_ipu_urand64();
}
/// Uniform in [-0.5, 0.5).
inline float __builtin_ipu_urand_f32() {
    return static_cast<float>(static_cast<int>(tropic_ipu_urand32()) >> 8) * 0x1p-24f;
}

inline float __builtin_ipu_exp(float x) {
    return tropic_ipu_f32exp(x);
}
inline float __builtin_ipu_exp2(float x) {
    return tropic_ipu_f32exp2(x);
}
inline float __builtin_ipu_ln(float x) {
    return tropic_ipu_f32ln(x);
}
inline float __builtin_ipu_log2(float x) {
    return tropic_ipu_f32log2(x);
}
inline float __builtin_ipu_tanh(float x) {
    return tropic_ipu_f32tanh(x);
}
inline float __builtin_ipu_sigm(float x) {
    return tropic_ipu_f32sigm(x);
}
inline float __builtin_ipu_sqrt(float x) {
    return __builtin_sqrtf(x);
}
inline float __builtin_ipu_oox(float x) {
    return 1.0f / x;
}
inline float __builtin_ipu_oorx(float x) {
    return 1.0f / __builtin_sqrtf(x);
}
inline float __builtin_ipu_absolute(float x) {
    return __builtin_fabsf(x);
}

inline float __builtin_ipu_max(float a, float b) {
    return __builtin_fmaxf(a, b);
}
inline float __builtin_ipu_min(float a, float b) {
    return __builtin_fminf(a, b);
}
inline int __builtin_ipu_max(int a, int b) {
    return a > b ? a : b;
}
inline int __builtin_ipu_min(int a, int b) {
    return a < b ? a : b;
}
inline float2 __builtin_ipu_max(float2 a, float2 b) {
    return __builtin_elementwise_max(a, b);
}
inline float2 __builtin_ipu_min(float2 a, float2 b) {
    return __builtin_elementwise_min(a, b);
}
inline half2 __builtin_ipu_max(half2 a, half2 b) {
    return __builtin_elementwise_max(a, b);
}
inline half2 __builtin_ipu_min(half2 a, half2 b) {
    return __builtin_elementwise_min(a, b);
}
inline half4 __builtin_ipu_max(half4 a, half4 b) {
    return __builtin_elementwise_max(a, b);
}
inline half4 __builtin_ipu_min(half4 a, half4 b) {
    return __builtin_elementwise_min(a, b);
}
inline float __builtin_ipu_clamp(float x, float2 bounds) {
    return __builtin_fminf(__builtin_fmaxf(x, bounds[0]), bounds[1]);
}

inline unsigned __builtin_ipu_clz(unsigned x) {
    return x == 0 ? 32U : unsigned(__builtin_clz(x));
}
inline unsigned __builtin_ipu_popc(unsigned x) {
    return unsigned(__builtin_popcount(x));
}
inline unsigned __builtin_ipu_bitrev8(unsigned x) {
    return __builtin_bswap32(__builtin_bitreverse32(x));
}
inline unsigned __builtin_ipu_swap8(unsigned x) {
    return __builtin_bswap32(x);
}

// Instructions of a tile that no host has, as functions: status registers, random numbers, and the
// conversions of half that compiled code calls on processors without them.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "machines/tile/codelets/runtime/codelet_runtime.h"

using tropic::tile::runtime::Thread;

extern "C" {

extern __thread Thread tropic_thread;

/// Only the worker's number is modelled: the status register holds it in its lowest bits.
std::uint32_t tropic_ipu_get(std::uint32_t index) {
    constexpr std::uint32_t worker_status = 112;
    return index == worker_status ? tropic_thread.worker : 0;
}

void tropic_ipu_put(std::uint32_t, std::uint32_t) {}

/// xorshift64*: the same numbers for the same worker in every run.
std::uint64_t tropic_ipu_urand64() {
    std::uint64_t& state = tropic_thread.random_state;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1DU;
}

std::uint32_t tropic_ipu_urand32() {
    return static_cast<std::uint32_t>(tropic_ipu_urand64() >> 32);
}

float tropic_ipu_f32exp(float x) {
    return std::exp(x);
}
float tropic_ipu_f32exp2(float x) {
    return std::exp2(x);
}
float tropic_ipu_f32ln(float x) {
    return std::log(x);
}
float tropic_ipu_f32log2(float x) {
    return std::log2(x);
}
float tropic_ipu_f32tanh(float x) {
    return std::tanh(x);
}
float tropic_ipu_f32sigm(float x) {
    return 1.0F / (1.0F + std::exp(-x));
}

// Compiled code knows these three by names that are the compiler's.
float float_of_half(_Float16 half) __asm__("__extendhfsf2");
_Float16 half_of_float(float single) __asm__("__truncsfhf2");
_Float16 half_of_double(double value) __asm__("__truncdfhf2");

float float_of_half(_Float16 half) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, &half, sizeof(bits));
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    const std::uint32_t exponent = (bits >> 10U) & 0x1FU;
    const std::uint32_t fraction = bits & 0x3FFU;
    std::uint32_t result = 0;
    if (exponent == 0x1F) { // infinity, or not a number, which becomes a quiet one
        result = sign | 0x7F800000U | (fraction << 13U) | (fraction != 0 ? 0x400000U : 0U);
    } else if (exponent != 0) {
        result = sign | ((exponent + 112U) << 23U) | (fraction << 13U);
    } else { // zero and what is too small for an exponent: exact in float
        float value = static_cast<float>(fraction) * 0x1p-24F;
        std::memcpy(&result, &value, sizeof(result));
        result |= sign;
    }
    float value = 0;
    std::memcpy(&value, &result, sizeof(value));
    return value;
}

/// Rounds to nearest, ties to even.
_Float16 half_of_float(float single) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &single, sizeof(bits));
    const std::uint32_t sign = (bits >> 16U) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    std::uint32_t result = 0;
    if (magnitude > 0x7F800000U) {
        result = 0x7E00U | ((magnitude >> 13U) & 0x1FFU);
    } else if (magnitude >= 0x47800000U) { // at least 65536
        result = 0x7C00U;
    } else if (magnitude >= 0x38800000U) { // has an exponent
        const std::uint32_t odd = (magnitude >> 13U) & 1U;
        result = (magnitude - 0x38000000U + 0xFFFU + odd) >> 13U;
    } else { // a multiple of the smallest; adding 0.5 brings it to the last bits, rounded
        float small = 0;
        std::memcpy(&small, &magnitude, sizeof(small));
        small += 0.5F;
        std::memcpy(&result, &small, sizeof(result));
        result -= 0x3F000000U;
    }
    const auto packed = static_cast<std::uint16_t>(sign | result);
    _Float16 half{};
    std::memcpy(&half, &packed, sizeof(half));
    return half;
}

/// By way of float, rounded to odd so that the second rounding sees what the first dropped.
_Float16 half_of_double(double value) {
    auto single = static_cast<float>(value);
    const auto back = static_cast<double>(single);
    if (back != value && value == value) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &single, sizeof(bits));
        const bool away = (back < 0 ? -back : back) > (value < 0 ? -value : value);
        if (away && (bits & 0x7FFFFFFFU) != 0) --bits;
        bits |= 1U;
        std::memcpy(&single, &bits, sizeof(single));
    }
    return half_of_float(single);
}
}

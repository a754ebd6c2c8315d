// The element types that a tile has and C++ has not: half, and short vectors of the others.
#pragma once

using half = _Float16;

using half2 = half __attribute__((ext_vector_type(2)));
using half4 = half __attribute__((ext_vector_type(4)));
using half8 = half __attribute__((ext_vector_type(8)));
using float2 = float __attribute__((ext_vector_type(2)));
using float4 = float __attribute__((ext_vector_type(4)));
using char2 = signed char __attribute__((ext_vector_type(2)));
using char4 = signed char __attribute__((ext_vector_type(4)));
using char8 = signed char __attribute__((ext_vector_type(8)));
using uchar2 = unsigned char __attribute__((ext_vector_type(2)));
using uchar4 = unsigned char __attribute__((ext_vector_type(4)));
using uchar8 = unsigned char __attribute__((ext_vector_type(8)));
using short2 = short __attribute__((ext_vector_type(2)));
using short4 = short __attribute__((ext_vector_type(4)));
using ushort2 = unsigned short __attribute__((ext_vector_type(2)));
using ushort4 = unsigned short __attribute__((ext_vector_type(4)));
using int2 = int __attribute__((ext_vector_type(2)));
using int4 = int __attribute__((ext_vector_type(4)));
using uint2 = unsigned __attribute__((ext_vector_type(2)));
using uint4 = unsigned __attribute__((ext_vector_type(4)));
using long2 = long long __attribute__((ext_vector_type(2)));
using ulong2 = unsigned long long __attribute__((ext_vector_type(2)));

// What nvcc includes by itself, as far as the examples without headers of the toolkit need it: for clang without one.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#include <__clang_cuda_builtin_vars.h>

__device__ inline void __threadfence() {
  __nvvm_membar_gl();
}
__device__ inline unsigned atomicInc(unsigned* address, unsigned limit) {
  return __nvvm_atom_inc_gen_ui(address, limit);
}
__device__ inline unsigned atomicDec(unsigned* address, unsigned limit) {
  return __nvvm_atom_dec_gen_ui(address, limit);
}
__device__ inline unsigned atomicAdd(unsigned* address, unsigned value) {
  return __nvvm_atom_add_gen_i(reinterpret_cast<int*>(address), value);
}
__device__ inline int atomicAdd(int* address, int value) {
  return __nvvm_atom_add_gen_i(address, value);
}
__device__ inline int atomicMax(int* address, int value) {
  return __nvvm_atom_max_gen_i(address, value);
}
__device__ inline int atomicMin(int* address, int value) {
  return __nvvm_atom_min_gen_i(address, value);
}
__device__ inline int atomicAnd(int* address, int value) {
  return __nvvm_atom_and_gen_i(address, value);
}
__device__ inline int atomicOr(int* address, int value) {
  return __nvvm_atom_or_gen_i(address, value);
}
__device__ inline int atomicXor(int* address, int value) {
  return __nvvm_atom_xor_gen_i(address, value);
}
__device__ inline unsigned long long atomicCAS(unsigned long long* address, unsigned long long compare,
                                               unsigned long long value) {
  return __nvvm_atom_cas_gen_ll(reinterpret_cast<long long*>(address), compare, value);
}
__device__ inline long long __double_as_longlong(double value) {
  return __builtin_bit_cast(long long, value);
}
__device__ inline double __longlong_as_double(long long value) {
  return __builtin_bit_cast(double, value);
}

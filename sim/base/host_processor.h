// What the host's processor can do.
#pragma once

namespace warpsim {

// Vectors of 512 bits, of words, bytes and doubles, with masks, and fused multiply-add.
inline bool has_wide_vectors() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace warpsim

// Functions that are compiled for the host's vectors as well: of 256 or 512 bits, with fused multiply-add, where it is
// an instruction and not a call. The results are the same. Builds with sanitizers, which vectorise nothing, have the
// first form only.
#pragma once

#include "base/host_processor.h"

namespace warpsim {

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WARPSIM_HAS_VECTOR_FORMS 1
#define WARPSIM_FUSED_MULTIPLY_ADD "avx2,fma"
#if defined(__clang__)
#define WARPSIM_WIDE_VECTORS "avx512f,avx512bw,avx512dq,avx512vl,fma"
#else
#define WARPSIM_WIDE_VECTORS "avx512f,avx512bw,avx512dq,avx512vl,fma,prefer-vector-width=512"
#endif

namespace vector_forms {

template <auto kFunction, class... Arguments>
[[gnu::target(WARPSIM_FUSED_MULTIPLY_ADD), gnu::flatten]] void fused(Arguments... arguments) {
  kFunction(arguments...);
}
template <auto kFunction, class... Arguments>
[[gnu::target(WARPSIM_WIDE_VECTORS), gnu::flatten]] void wide(Arguments... arguments) {
  kFunction(arguments...);
}

}  // namespace vector_forms

// Whether the host has the widest forms.
inline bool has_wide_forms() {
  return has_wide_vectors();
}
inline bool has_fused_multiply_add() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

// Calls the form for the host. All that the function calls has to be visible where this is.
template <auto kFunction, class... Arguments>
void call_for_host(Arguments... arguments) {
  if (has_wide_forms()) {
    vector_forms::wide<kFunction>(arguments...);
  } else if (has_fused_multiply_add()) {
    vector_forms::fused<kFunction>(arguments...);
  } else {
    kFunction(arguments...);
  }
}

#else

inline bool has_wide_forms() {
  return false;
}

template <auto kFunction, class... Arguments>
void call_for_host(Arguments... arguments) {
  kFunction(arguments...);
}

#endif

}  // namespace warpsim

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

namespace vector_forms {

template <auto kFunction, class... Parameters>
auto best(void (*plain)(Parameters...)) -> void (*)(Parameters...) {
  if (has_wide_forms()) {
    return wide<kFunction, Parameters...>;
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? fused<kFunction, Parameters...> : plain;
}

}  // namespace vector_forms

// The form for the host. All that the function calls has to be visible where this is.
template <auto kFunction>
auto form_for_host() {
  return vector_forms::best<kFunction>(kFunction);
}

#else

inline bool has_wide_forms() {
  return false;
}

template <auto kFunction>
auto form_for_host() {
  return kFunction;
}

#endif

template <auto kFunction, class... Arguments>
void call_for_host(Arguments... arguments) {
  form_for_host<kFunction>()(arguments...);
}

}  // namespace warpsim

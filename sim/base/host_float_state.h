// The host's floating-point modes of a thread while it simulates: rounding to nearest, subnormal numbers as they are.
// Programs that CUDA's libraries serve may have set others: those compiled with -ffast-math flush subnormal numbers in
// all of their threads.
#pragma once

#include <cfenv>

namespace warpsim {

class HostFloatState {
 public:
#if defined(__x86_64__)
  HostFloatState() : before_(__builtin_ia32_stmxcsr()) {
    set(kUsual);
  }
  ~HostFloatState() {
    set(before_);
  }
#else
  HostFloatState() {
    std::feholdexcept(&before_);
    std::fesetround(FE_TONEAREST);
  }
  ~HostFloatState() {
    std::fesetenv(&before_);
  }
#endif
  HostFloatState(const HostFloatState&) = delete;
  HostFloatState& operator=(const HostFloatState&) = delete;

 private:
#if defined(__x86_64__)
  static constexpr unsigned kUsual = 0x1f80;  // all exceptions masked
  static void set(unsigned state) {
    __asm__ volatile("" ::: "memory");
    __builtin_ia32_ldmxcsr(state);
    __asm__ volatile("" ::: "memory");
  }
  unsigned before_;
#else
  std::fenv_t before_;
#endif
};

}  // namespace warpsim

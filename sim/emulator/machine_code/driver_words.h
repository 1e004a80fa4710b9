// The words that the driver stores in constant bank 0 before the parameters, from 7.0 to 9.0: dimensions, windows of
// generic addresses, the end of the stack, sizes of clusters. Their places: section 12 of the CUDA binary utilities'
// ABI as compiled code shows it (own experiments with code for 7.5 to 9.0).
#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

class DriverWords {
 public:
  // `stack_bytes`: of a thread; with `stack_grows` the end of the stack is only known when the kernel is launched.
  DriverWords(std::uint32_t architecture, std::uint32_t stack_bytes, bool stack_grows)
      : architecture_(architecture), stack_bytes_(stack_bytes), stack_grows_(stack_grows) {}

  // The PTX that sets a register to the word at this offset; empty if it is not known.
  std::string set(const std::string& name, std::int64_t offset) const;

 private:
  std::uint32_t architecture_;
  std::uint32_t stack_bytes_;
  bool stack_grows_;
};

}  // namespace warpsim

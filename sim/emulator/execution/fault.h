// Errors that end a kernel early and that a device reports to its host.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace warpsim {

enum class FaultKind : std::uint8_t {
  kIllegalAddress,
  kMisalignedAddress,
  kIllegalInstruction,  // wrong operands at run time: a barrier number, a member mask without the own lane
  kAssert,
  kTrap,
  kDeadlock,  // the launch would never end
  kLimit,     // a limit that the user has set was reached
  kStackOverflow,
};

// The text names kernel, thread, line and address.
class KernelFault : public std::runtime_error {
 public:
  KernelFault(FaultKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  FaultKind kind() const { return kind_; }

 private:
  FaultKind kind_;
};

}  // namespace warpsim

#include "cuda/device/kernel_failure.h"

namespace warpsim::cuda {

Failure failure_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::kIllegalAddress:
      return Failure::kIllegalAddress;
    case FaultKind::kMisalignedAddress:
      return Failure::kMisalignedAddress;
    case FaultKind::kIllegalInstruction:
      return Failure::kIllegalInstruction;
    case FaultKind::kAssert:
      return Failure::kAssert;
    case FaultKind::kTrap:
      return Failure::kTrap;
    case FaultKind::kDeadlock:
      return Failure::kTimeout;
    case FaultKind::kLimit:
      return Failure::kLimited;
    case FaultKind::kStackOverflow:
      return Failure::kIllegalAddress;
  }
  return Failure::kIllegalInstruction;
}

}  // namespace warpsim::cuda

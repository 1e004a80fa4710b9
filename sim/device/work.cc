#include "device/work.h"

#include <algorithm>

namespace warpsim {

const char* name_of(WorkKind kind) {
  switch (kind) {
    case WorkKind::kKernel:
      return "kernel";
    case WorkKind::kToDevice:
      return "copy to device";
    case WorkKind::kToHost:
      return "copy to host";
    case WorkKind::kInDevice:
      return "copy in device";
    case WorkKind::kToPeer:
      return "copy between devices";
    case WorkKind::kFill:
      return "fill";
    case WorkKind::kMigration:
      return "migration";
    case WorkKind::kMarker:
      return "event";
    case WorkKind::kValueWait:
      return "wait for value";
    case WorkKind::kHostFunction:
      return "host function";
    case WorkKind::kInstant:
      return "instant";
  }
  return "";
}

bool are_over(const std::vector<Dependence>& work) {
  return std::ranges::all_of(work, [](const Dependence& each) { return is_over(each.work); });
}

}  // namespace warpsim

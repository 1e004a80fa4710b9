#include "frontend/ptx/ptx_code.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "codegen/copy_fillers.h"

namespace warpsim {

namespace {

// Or constants whose address the instruction does not state.
bool accesses_memory(const StaticInstruction& instruction) {
  switch (instruction.kind) {
    case OpKind::kLoad:
    case OpKind::kStore:
    case OpKind::kAtomic:
    case OpKind::kReduction:
    case OpKind::kAsyncCopy:
    case OpKind::kLoadMatrix:
    case OpKind::kStoreMatrix:
    case OpKind::kTexture:
      return true;
    case OpKind::kConstantLoad:
      return instruction.indexed_constant;
    default:
      return false;
  }
}

}  // namespace

PtxCode::PtxCode(const KernelImage& kernel, MachineCode machine)
    : machine_(std::move(machine)),
      constants_(kernel, machine_.program->architecture),
      entry_(&kernel.entry()),
      functions_(kernel.module().module().functions.data()),
      accesses_(machine_.program->instructions.size()),
      executors_(machine_.program->instructions.size(), Executors::kOwn) {
  const std::size_t count = kernel.module().module().functions.size();
  for (std::size_t i = 0; i < executors_.size(); ++i) {
    const std::vector<std::string>& text = machine_.program->text;
    if (i < text.size() && text[i].starts_with(codegen::kNobody)) {
      executors_[i] = Executors::kNobody;
    } else if (i < machine_.for_all.size() && machine_.for_all[i]) {
      executors_[i] = Executors::kAll;
    }
  }
  SIM_CHECK(machine_.places.size() == count, "machine code of another module");
  for (std::uint32_t number = 0; number < count; ++number) {
    const FunctionCode* const function = kernel.function(number);
    if (function == nullptr) {
      continue;
    }
    std::vector<MachinePlace>& places = machine_.places[number];
    SIM_CHECK(places.size() == function->operations.size(), "machine code of another kernel");
    for (const MachinePlace& place : places) {
      find_accesses(place);
    }
    for (const Operation& operation : function->operations) {
      has_barriers_ = has_barriers_ || operation.barrier_role != BarrierRole::kNone;
    }
    // All paths of a function end at its end (see PtxBlock): if no code is there, at the return before it.
    const std::uint32_t end = function->end();
    if (places[end].count == 0 && end != 0 && function->operations[end - 1].control == Control::kReturn) {
      places[end] = places[end - 1];
    }
  }
}

void PtxCode::find_accesses(const MachinePlace& place) {
  std::uint16_t parts = 0;
  for (std::uint32_t i = place.first; i < place.first + place.count; ++i) {
    const StaticInstruction& instruction = machine_.program->instructions[i];
    if (accesses_memory(instruction) && executors_[i] != Executors::kNobody) {
      accesses_[i] = {parts++, 0, instruction.space, instruction.kind == OpKind::kLoadMatrix};
    }
  }
  most_parts_ = std::max<std::uint32_t>(most_parts_, parts);
  for (std::uint32_t i = place.first; i < place.first + place.count; ++i) {
    if (accesses_memory(machine_.program->instructions[i]) && executors_[i] != Executors::kNobody) {
      accesses_[i].parts = parts;
    }
  }
}

}  // namespace warpsim

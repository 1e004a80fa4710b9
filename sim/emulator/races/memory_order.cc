#include "emulator/races/memory_order.h"

#include <algorithm>
#include <string_view>

namespace warpsim {

namespace {

bool has(const ptx::Instruction& instruction, std::string_view word) {
  return std::ranges::find(instruction.modifiers, word) != instruction.modifiers.end();
}

MemoryOrder order_of(const ptx::Instruction& instruction, MemoryOrder otherwise) {
  return has(instruction, "acq_rel") || has(instruction, "sc") ? MemoryOrder::kAcquireRelease
         : has(instruction, "acquire")                         ? MemoryOrder::kAcquire
         : has(instruction, "release")                         ? MemoryOrder::kRelease
         : has(instruction, "relaxed") || has(instruction, "volatile") || has(instruction, "mmio")
             ? MemoryOrder::kRelaxed
             : otherwise;
}

MemoryScope scope_of(const ptx::Instruction& instruction, MemoryScope otherwise) {
  return has(instruction, "cta")                                   ? MemoryScope::kBlock
         : has(instruction, "cluster")                             ? MemoryScope::kCluster
         : has(instruction, "gpu") || has(instruction, "gl")       ? MemoryScope::kDevice
         : has(instruction, "sys") || has(instruction, "volatile") ? MemoryScope::kSystem
                                                                   : otherwise;
}

void set(Operation& operation, MemoryRole role, MemoryOrder order, MemoryScope scope) {
  operation.memory_role = role;
  operation.order = order;
  operation.scope = scope;
}

// For cp.async and cp.async.bulk.
void set_copy_order(const ptx::Instruction& instruction, Operation& operation) {
  const bool bulk = has(instruction, "bulk");
  const bool waits = has(instruction, "wait_group");
  if (has(instruction, "commit_group")) {
    operation.memory_role = bulk ? MemoryRole::kCommitBulk : MemoryRole::kCommit;
  } else if (waits || has(instruction, "wait_all")) {
    operation.memory_role = bulk ? MemoryRole::kWaitBulk : MemoryRole::kWait;
    operation.offset =
        waits && !instruction.operands.empty() ? static_cast<std::int64_t>(instruction.operands.front().bits) : -1;
  } else if (!bulk && has(instruction, "mbarrier")) {
    set(operation, MemoryRole::kReport, MemoryOrder::kRelease, MemoryScope::kBlock);
  } else if (!has(instruction, "prefetch")) {
    operation.memory_role = MemoryRole::kCopy;
  }
}

// Arrivals release and waits acquire unless their words say otherwise.
void set_barrier_order(const ptx::Instruction& instruction, Operation& operation) {
  const bool tests = has(instruction, "test_wait") || has(instruction, "try_wait");
  const bool arrives = has(instruction, "arrive") || has(instruction, "arrive_drop");
  const MemoryRole role = tests ? MemoryRole::kTest : arrives ? MemoryRole::kArrive : MemoryRole::kAccess;
  const MemoryOrder strong = tests                                                   ? MemoryOrder::kAcquire
                             : arrives                                               ? MemoryOrder::kRelease
                             : has(instruction, "init") || has(instruction, "inval") ? MemoryOrder::kWeak
                                                                                     : MemoryOrder::kRelaxed;
  if (!has(instruction, "pending_count")) {
    set(operation, role, order_of(instruction, strong), scope_of(instruction, MemoryScope::kBlock));
  }
}

// Operations of machine code on barriers in shared memory.
void set_machine_order(const ptx::Instruction& instruction, Operation& operation) {
  if (has(instruction, "arrivegroup") || has(instruction, "arrivecopied")) {
    set(operation, MemoryRole::kArrive, MemoryOrder::kRelease, MemoryScope::kBlock);
  } else if (has(instruction, "completecopied")) {
    set(operation, MemoryRole::kReport, MemoryOrder::kRelease, MemoryScope::kBlock);
  } else if (has(instruction, "exchbar")) {
    set(operation, MemoryRole::kAccess, MemoryOrder::kWeak, MemoryScope::kBlock);
  }
}

}  // namespace

void set_memory_order(const ptx::Instruction& instruction, Operation& operation) {
  const std::string_view opcode = instruction.opcode;
  const bool asynchronous = has(instruction, "async");
  if (opcode == "cp") {
    set_copy_order(instruction, operation);
  } else if ((opcode == "st" || opcode == "red") && asynchronous) {
    operation.memory_role = MemoryRole::kCopy;
  } else if (opcode == "ld" || opcode == "ldu" || opcode == "st") {
    const MemoryOrder order = order_of(instruction, MemoryOrder::kWeak);
    set(operation, MemoryRole::kAccess, order, scope_of(instruction, MemoryScope::kSystem));
  } else if (opcode == "atom" || opcode == "red") {
    set(operation, MemoryRole::kAccess, order_of(instruction, MemoryOrder::kRelaxed),
        scope_of(instruction, MemoryScope::kDevice));
  } else if (opcode == "membar" || opcode == "fence") {
    set(operation, MemoryRole::kFence, order_of(instruction, MemoryOrder::kAcquireRelease),
        scope_of(instruction, MemoryScope::kSystem));
  } else if (opcode == "mbarrier") {
    set_barrier_order(instruction, operation);
  } else if (opcode == "sass") {
    set_machine_order(instruction, operation);
  } else if (opcode == "bar" || opcode == "barrier") {
    operation.order = order_of(instruction, MemoryOrder::kAcquireRelease);
  }
}

}  // namespace warpsim

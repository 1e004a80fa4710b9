#include "emulator/host_code/x86/translator.h"

#include <algorithm>
#include <cstring>

#include "emulator/host_code/host_run.h"
#include "emulator/host_code/x86/forms.h"

namespace warpsim {

namespace {

// A block is entered only with as many operations left: longer ones would often be left to handlers.
constexpr std::uint32_t kMostInBlock = 48;

bool is_for_all_lanes(const FunctionCode& function, OperandPlace members) {
  if (members >= 0) {
    return false;
  }
  LaneMask first = 0;
  std::memcpy(&first, function.constants_end() + members, sizeof first);
  return first == kAllLanes;  // a constant is the same in all lanes
}

// The operations at which blocks begin, and so the translated code.
std::vector<bool> block_begins(const FunctionCode& function) {
  const std::vector<Operation>& operations = function.operations;
  std::vector<bool> begins(operations.size(), false);
  begins[function.constant_operations] = true;
  for (std::uint32_t i = 0; i + 1 < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (operation.control == Control::kBranch) {
      begins[operation.target] = true;
      begins[std::min<std::size_t>(operation.reconvergence, operations.size() - 1)] = true;
    }
    if (operation.control != Control::kNone || operation.writes_common) {
      begins[i + 1] = true;  // where the warp goes on after it has executed this one itself
    }
  }
  for (const std::vector<std::uint32_t>& table : function.branch_tables) {
    for (const std::uint32_t target : table) {
      begins[target] = true;
    }
  }
  std::uint32_t length = 0;
  for (std::uint32_t i = 0; i < operations.size(); ++i) {
    length = begins[i] ? 0 : length + 1;
    if (length == kMostInBlock) {
      begins[i] = true;
      length = 0;
    }
  }
  return begins;
}

}  // namespace

HostTranslator::HostTranslator(const FunctionCode& function, HostLanes lanes, std::uint32_t first_window)
    : function_(function),
      e_(function, lanes, first_window),
      lanes_(lanes),
      begins_(block_begins(function)),
      meets_(function.operations.size(), false),
      labels_(function.operations.size()),
      entries_(function.operations.size(), 0) {
  for (const Operation& operation : function.operations) {
    if (operation.control == Control::kBranch || operation.control == Control::kIndirectBranch) {
      meets_[std::min<std::size_t>(operation.reconvergence, meets_.size() - 1)] = true;
    }
  }
}

// Branches of loops in which threads may wait for others are left to the warp, as is what lanes wait for that may be
// elsewhere.
bool HostTranslator::is_translated(const Operation& operation) const {
  switch (operation.control) {
    case Control::kNone:
      return true;
    case Control::kBranch:
      return !operation.waits;
    case Control::kConverge:
      return operation.plain && operation.variant != kLeavesBarrier;
    case Control::kWarpSync:
      return operation.plain && lanes_ == HostLanes::kAll && is_for_all_lanes(function_, operation.e);
    default:
      return false;
  }
}

void HostTranslator::translate() {
  emit_prologue();
  const auto count = static_cast<std::uint32_t>(function_.operations.size());
  for (std::uint32_t begin = 0; begin < count;) {
    std::uint32_t end = begin + 1;
    while (end < count && !begins_[end]) {
      ++end;
    }
    if (begins_[begin]) {
      emit_block(begin, end);
    }
    begin = end;
  }
  emit_writes();
  e_.finish(epilogue_);
  e_.ready(Xbyak::CodeArray::PROTECT_RW);  // it is copied before it is executed
}

void HostTranslator::emit_prologue() {
  e_.push(e_.rbx);
  e_.push(e_.rbp);
  e_.push(e_.r12);
  e_.push(e_.r13);
  e_.push(e_.r14);  // the stack is aligned to 16 bytes now
  e_.mov(e_.r12, e_.rdi);
  e_.mov(e_.rbx, e_.qword[e_.r12 + offsetof(HostRun, registers)]);
  e_.mov(e_.rbp, e_.qword[e_.r12 + offsetof(HostRun, constants_end)]);
  e_.mov(e_.r13, e_.qword[e_.r12 + offsetof(HostRun, left)]);
  e_.mov(e_.r14, e_.qword[e_.r12 + offsetof(HostRun, threads)]);
  e_.jmp(e_.rsi);
  e_.L(epilogue_);
  e_.mov(e_.qword[e_.r12 + offsetof(HostRun, left)], e_.r13);
  e_.mov(e_.qword[e_.r12 + offsetof(HostRun, threads)], e_.r14);
  e_.vzeroupper();
  e_.pop(e_.r14);
  e_.pop(e_.r13);
  e_.pop(e_.r12);
  e_.pop(e_.rbp);
  e_.pop(e_.rbx);
  e_.ret();
}

// The warp waits for a turn before a write, and goes on with it: a write is also a block of its own.
void HostTranslator::emit_writes() {
  for (std::uint32_t i = 0; i + 1 < function_.operations.size(); ++i) {
    if (function_.operations[i].writes_common && !begins_[i]) {
      emit_block(i, i + 1);
    }
  }
}

void HostTranslator::emit_block(std::uint32_t begin, std::uint32_t end) {
  const std::vector<Operation>& operations = function_.operations;
  if (begins_[begin]) {
    e_.L(labels_[begin]);
  }
  entries_[begin] = static_cast<std::uint32_t>(e_.getSize());
  e_.begin_block();
  e_.set_position(begin, 0, 0);
  if (!is_translated(operations[begin])) {
    entries_[begin] = 0;
    e_.jmp(e_.exit_here());
    return;
  }
  if (meets_[begin]) {
    e_.cmp(e_.dword[e_.r12 + offsetof(HostRun, stop)], begin);
    e_.je(e_.exit_here());
  }
  std::uint32_t translated = 0;
  while (begin + translated < end && is_translated(operations[begin + translated])) {
    ++translated;
  }
  e_.cmp(e_.r13, translated);
  e_.jl(e_.exit_here());
  std::uint32_t plain = 0;
  for (std::uint32_t done = 0; done < translated; ++done) {
    const std::uint32_t number = begin + done;
    const Operation& operation = operations[number];
    e_.set_position(number, done, plain);
    if (operation.control == Control::kBranch) {
      emit_branch(number, done, plain);
      return;
    }
    if (operation.control == Control::kConverge) {
      emit_convergence(number);
      plain += 1;
      continue;
    }
    if (operation.writes_common) {
      e_.lea(e_.rax, e_.ptr[e_.r13 - done]);
      e_.cmp(e_.rax, e_.qword[e_.r12 + (operation.writes_after_read ? offsetof(HostRun, read_floor)
                                                                    : offsetof(HostRun, write_floor))]);
      e_.jle(e_.exit_here());
    }
    e_.begin_operation();
    if (!emit_form(e_)) {
      e_.call_handler();
    }
    e_.end_operation();
    plain += operation.plain ? 1 : 0;
  }
  const std::uint32_t next = begin + translated;
  if (next < end) {  // the next one is not translated
    e_.set_position(next, translated, plain);
    e_.jmp(e_.exit_here());
    return;
  }
  go_on(next, translated, plain, false);
}

// Counts the operations of the block and continues at the target, or ends there.
void HostTranslator::go_on(std::uint32_t target, std::uint32_t operations, std::uint32_t plain, bool backwards) {
  e_.sub(e_.r13, operations);
  e_.count_plain(plain);
  if (backwards) {
    e_.set_position(target, 0, 0);
    e_.dec(e_.qword[e_.r12 + offsetof(HostRun, turns_left)]);
    e_.jz(e_.exit_here());
  }
  if (target >= labels_.size() || !begins_[target]) {
    e_.set_position(target, 0, 0);
    e_.jmp(e_.exit_here());
  } else {
    e_.jmp(labels_[target]);
  }
}

// Lanes that do not wait at the barrier pass it, and all together if none is missing.
void HostTranslator::emit_convergence(std::uint32_t number) {
  const Operation& operation = function_.operations[number];
  Xbyak::Label passes;
  e_.read_predicate(e_.eax, operation.a, false);
  if (lanes_ == HostLanes::kAll) {
    e_.test(e_.eax, e_.eax);
    e_.jz(passes);
    e_.cmp(e_.eax, kAllLanes);
    e_.jne(e_.exit_here());
  } else {
    e_.mov(e_.edx, e_.dword[e_.r12 + offsetof(HostRun, lanes)]);
    e_.mov(e_.ecx, e_.eax);
    e_.and_(e_.ecx, e_.edx);
    e_.jz(passes);
    e_.cmp(e_.ecx, e_.edx);
    e_.jne(e_.exit_here());
    e_.or_(e_.ecx, e_.dword[e_.r12 + offsetof(HostRun, exited)]);
    e_.andn(e_.ecx, e_.ecx, e_.eax);
    e_.jnz(e_.exit_here());
    if (operation.variant == kConvergesAgain) {
      e_.mov(e_.dword[e_.rbx + static_cast<std::size_t>(std::int64_t{operation.a})], 0xffffffffU);
    }
  }
  e_.L(passes);
}

// The warp's turn is counted for branches backwards, taken or not.
void HostTranslator::emit_branch(std::uint32_t number, std::uint32_t before, std::uint32_t plain) {
  const Operation& operation = function_.operations[number];
  const bool backwards = operation.target <= number;
  if (operation.plain) {
    go_on(operation.target, before + 1, plain + 1, backwards);
    return;
  }
  Xbyak::Label not_taken;
  e_.load_lanes(operation);
  e_.test(e_.r8d, e_.r8d);
  e_.jz(not_taken);
  if (lanes_ == HostLanes::kAll) {
    e_.cmp(e_.r8d, kAllLanes);
  } else {
    e_.cmp(e_.r8d, e_.dword[e_.r12 + offsetof(HostRun, lanes)]);
  }
  e_.jne(e_.exit_here());
  e_.popcnt(e_.eax, e_.r8d);
  e_.add(e_.r14, e_.rax);
  go_on(operation.target, before + 1, plain, backwards);
  e_.L(not_taken);
  go_on(number + 1, before + 1, plain, backwards);
}

}  // namespace warpsim

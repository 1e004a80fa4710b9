// Calls, returns and jumps to computed addresses: of code, in the module's space of code addresses (lifted_module.h),
// and of functions of the driver, whose addresses are above it.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "emulator/machine_code/lifted_module.h"
#include "emulator/machine_code/lifter.h"
#include "emulator/memory/generic_address.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

// Each statement of the call has its own guard.
void add_system_call(Lifter& l, const SystemFunction& function, const std::string& guard) {
  std::string_view rest = function.call;
  std::string text = "{";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view statement = rest.substr(0, end);
    text += statement.starts_with('.') ? fmt::format(" {};", statement) : fmt::format(" {}{};", guard, statement);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  l.add_text(text + " }");
}

// The function whose address is in this register of 64 bits, if it is one of the driver's.
void call_system_function(Lifter& l, const std::string& address) {
  // Unset where the guard does not hold.
  const std::string is_other = l.predicate_scratch();
  l.add_always(fmt::format("setp.ne.u32 {}, 0, 0", is_other));
  l.add(fmt::format("setp.ge.u64 {}, {}, {:#x}", is_other, address, kFunctionWindow));
  const std::string is_meant = l.predicate_scratch();
  for (const SystemFunction* const function : l.callable_system_functions()) {
    const std::uint64_t own = system_function_address(function->name);
    l.add_always(fmt::format("setp.eq.and.u64 {}, {}, {:#x}, {}", is_meant, address, own, is_other));
    l.add_always(fmt::format("setp.ne.and.u64 {0}, {1}, {2:#x}, {0}", is_other, address, own));
    add_system_call(l, *function, fmt::format("@{} ", is_meant));
  }
  l.add_always(fmt::format("@{} sass.nocode", is_other));
}

void call_system_function(Lifter& l, std::uint64_t address) {
  const auto found = std::ranges::find_if(system_functions(), [address](const SystemFunction& function) {
    return system_function_address(function.name) == address;
  });
  if (found == system_functions().end()) {
    l.fail("no function of the system has this address");
  }
  add_system_call(l, *found, fmt::format("@{} ", l.guard()));
}

// Continues at the address in the register plus an offset; under a predicate, too, if one is given.
void jump(Lifter& l, const std::string& address, std::int64_t offset, const std::string& predicate = {}) {
  l.needs_computed_targets();
  const std::string target = l.scratch();
  l.add(fmt::format("add.u32 {}, {}, {}", target, address, static_cast<std::int32_t>(offset)));
  if (l.kernel_bytes() != 0) {
    const std::string is_function = l.predicate_scratch();
    l.add(fmt::format("setp.ge.u32 {}, {}, {}", is_function, target, kFunctionsBegin));
    const std::int64_t distance =
        static_cast<std::int64_t>(l.kernel_bytes()) - static_cast<std::int64_t>(kFunctionsBegin);
    const std::string distance_here = l.scratch();
    l.add(fmt::format("selp.s32 {}, {}, 0, {}", distance_here, distance, is_function));
    l.add(fmt::format("add.u32 {}, {}, {}", target, target, distance_here));
  }
  l.add(fmt::format("shr.u32 {}, {}, 4", target, target));
  const std::string branch = fmt::format("brx.idx {}, all_instructions", target);
  if (predicate.empty()) {
    l.add(branch);
  } else {
    l.add_under(predicate, branch);
  }
}

// To an address in a register, relative to this instruction or to the start of the code.
void lift_jump(Lifter& l, std::size_t base, const std::string& predicate = {}) {
  const MachineOperand& displacement = l.operand(base + 1);
  const bool absolute = l.modifier_text("return_to") == "ABS";
  std::int64_t offset = displacement.value;
  if (displacement.kind == Kind::kDisplacement && !absolute) {
    offset += static_cast<std::int64_t>(l.instruction().address) + sass::kInstructionBytes;
  }
  jump(l, l.word(l.operand(base)), offset, predicate);
}

void lift_call(Lifter& l) {
  if (l.operand(0).kind == Kind::kTarget) {
    l.add("bra " + l.target(0));
  } else {
    lift_jump(l, 0);
  }
}

// Calls to absolute addresses: of functions, which lie in the space of code addresses, or of functions of the driver,
// whose addresses are above it and which return to the next instruction.
void lift_absolute_call(Lifter& l) {
  if (l.operand(0).kind == Kind::kDisplacement) {
    const auto address = static_cast<std::uint64_t>(l.operand(0).value);
    if (is_in(kFunctionWindow, address)) {
      call_system_function(l, address);
    } else {
      l.add("bra " + l.target(0));
    }
    return;
  }
  if (l.operand(0).kind != Kind::kRegister) {
    l.fail("only calls to addresses in general registers are supported");
  }
  const std::string address = l.pair(0);
  call_system_function(l, address);
  const std::string is_code = l.predicate_scratch();
  l.add(fmt::format("setp.lt.u64 {}, {}, {:#x}", is_code, address, kFunctionWindow));
  jump(l, l.word(l.operand(0)), l.operand_count() > 1 ? l.operand(1).value : 0, is_code);
}

// The address behind this instruction plus an offset (9.0), or that of the instruction (before).
void lift_address(Lifter& l) {
  const std::uint64_t value =
      l.operand_count() > 1 ? static_cast<std::uint64_t>(l.operand(1).value) : l.instruction().address;
  l.add(fmt::format("mov.b32 {}, {}", l.destination(0, 0), static_cast<std::uint32_t>(value)));
  l.add(fmt::format("mov.b32 {}, 0", l.destination(0, 1)));
}

void lift_return(Lifter& l) {
  lift_jump(l, 1, l.shown(0) ? l.predicate(0) : std::string());
}

constexpr LiftedOpcode kCallOpcodes[] = {
    {"CALL.REL", lift_call}, {"CALL.ABS", lift_absolute_call},
    {"LEPC", lift_address},  {"RET", lift_return},
    {"BRX", lift_return},    {"BRXU", lift_return},
};

}  // namespace

std::span<const LiftedOpcode> lifted_call_opcodes() {
  return kCallOpcodes;
}

}  // namespace warpsim

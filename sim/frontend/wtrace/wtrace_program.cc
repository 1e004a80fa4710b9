#include "frontend/wtrace/wtrace_program.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "frontend/wtrace/wtrace_stream.h"
#include "isa/opcode_table.h"
#include "isa/sass_decode.h"

namespace warpsim::wtrace {
namespace {

constexpr std::uint32_t kRegisters = 256;

void put_operands(const StaticInstruction& from, trace::StaticInstruction& to) {
  for (const RegisterRange& range : from.destinations) {
    trace::RegisterRange& out = *to.add_destinations();
    out.set_first(range.first);
    out.set_count(range.count);
  }
  for (const RegisterRange& range : from.sources) {
    trace::RegisterRange& out = *to.add_sources();
    out.set_first(range.first);
    out.set_count(range.count);
  }
  to.set_predicate_sources(from.predicate_sources);
  to.set_predicate_destinations(from.predicate_destinations);
  if (from.guard != kNoPredicate) {
    to.set_guard(from.guard);
  }
  to.set_uniform_sources(from.uniform_sources);
  to.set_uniform_destinations(from.uniform_destinations);
  to.set_uniform_predicate_sources(from.uniform_predicate_sources);
  to.set_uniform_predicate_destinations(from.uniform_predicate_destinations);
  if (from.has_constant_operand) {
    to.mutable_constant()->set_bank(from.constant_bank);
    to.mutable_constant()->set_offset(from.constant_offset);
  }
}

void put_control(const ControlBits& from, trace::ControlBits& to) {
  to.set_stall_cycles(from.stall_cycles);
  to.set_yield(from.yield);
  to.set_write_barrier(from.write_barrier);
  to.set_read_barrier(from.read_barrier);
  to.set_wait_mask(from.wait_mask);
  to.set_reuse_mask(from.reuse_mask);
}

void put_instruction(const StaticProgram& program, std::size_t index, trace::StaticInstruction& to) {
  const StaticInstruction& from = program.instructions[index];
  to.set_pc(from.pc);
  to.set_opcode(from.opcode);
  if (from.has_control) {
    put_control(from.control, *to.mutable_control());
  }
  if (index < program.text.size() && !program.text[index].empty()) {
    to.set_text(program.text[index]);
    return;
  }
  put_operands(from, to);
  to.set_immediate(from.immediate);
  to.set_depbar_counter(from.depbar_counter);
  to.set_barrier_threads(from.barrier_threads);
  StaticInstruction by_opcode;
  classify(program.opcodes.at(from.opcode), program.architecture, by_opcode);
  if (by_opcode.bytes_per_lane != from.bytes_per_lane) {
    to.set_bytes_per_lane(from.bytes_per_lane);
  }
}

// Converts the fields of one instruction and reports those out of range.
class InstructionReader {
 public:
  explicit InstructionReader(const trace::StaticInstruction& from) : from_(from) {}

  // Appends the instruction to `program`, whose opcodes are known.
  void read(StaticProgram& program) const;

 private:
  std::uint8_t small(std::uint32_t value, const char* name, std::uint32_t limit = kRegisters) const {
    if (value >= limit) {
      throw StreamError(
          fmt::format("the instruction at pc {:#x} has {} {}; expected less than {}", from_.pc(), name, value, limit));
    }
    return static_cast<std::uint8_t>(value);
  }
  template <typename Ranges, typename Array>
  void read_ranges(const Ranges& ranges, const char* name, Array& to) const;
  void read_control(const trace::ControlBits& control, ControlBits& to) const;
  void read_operands(StaticInstruction& to) const;

  const trace::StaticInstruction& from_;
};

template <typename Ranges, typename Array>
void InstructionReader::read_ranges(const Ranges& ranges, const char* name, Array& to) const {
  if (static_cast<std::size_t>(ranges.size()) > to.size()) {
    throw StreamError(fmt::format("the instruction at pc {:#x} has {} {}; expected at most {}", from_.pc(),
                                  ranges.size(), name, to.size()));
  }
  for (int i = 0; i < ranges.size(); ++i) {
    RegisterRange& range = to[static_cast<std::size_t>(i)];
    range.first = small(ranges[i].first(), name);
    range.count = small(ranges[i].count(), name, kRegisters + 1U - range.first);
  }
}

void InstructionReader::read_control(const trace::ControlBits& control, ControlBits& to) const {
  to.stall_cycles = small(control.stall_cycles(), "stall_cycles", 16);
  to.yield = control.yield();
  to.write_barrier = small(control.write_barrier(), "write_barrier", 8);
  to.read_barrier = small(control.read_barrier(), "read_barrier", 8);
  to.wait_mask = small(control.wait_mask(), "wait_mask", 64);
  to.reuse_mask = small(control.reuse_mask(), "reuse_mask", 16);
}

void InstructionReader::read_operands(StaticInstruction& to) const {
  read_ranges(from_.destinations(), "destinations", to.destinations);
  read_ranges(from_.sources(), "sources", to.sources);
  to.predicate_sources = small(from_.predicate_sources(), "predicate_sources");
  to.predicate_destinations = small(from_.predicate_destinations(), "predicate_destinations");
  to.guard = from_.has_guard() ? small(from_.guard(), "guard", kNoPredicate) : kNoPredicate;
  to.uniform_sources = from_.uniform_sources();
  to.uniform_destinations = from_.uniform_destinations();
  to.uniform_predicate_sources = small(from_.uniform_predicate_sources(), "uniform_predicate_sources");
  to.uniform_predicate_destinations = small(from_.uniform_predicate_destinations(), "uniform_predicate_destinations");
  to.has_constant_operand = from_.has_constant();
  to.constant_bank = small(from_.constant().bank(), "constant.bank");
  to.constant_offset = from_.constant().offset();
  to.immediate = from_.immediate();
  to.depbar_counter = small(from_.depbar_counter(), "depbar_counter");
  if (from_.barrier_threads() > std::numeric_limits<std::uint16_t>::max()) {
    throw StreamError(fmt::format("the instruction at pc {:#x} has barrier_threads {}; expected at most 65535",
                                  from_.pc(), from_.barrier_threads()));
  }
  to.barrier_threads = static_cast<std::uint16_t>(from_.barrier_threads());
  if (from_.has_bytes_per_lane()) {
    to.bytes_per_lane = small(from_.bytes_per_lane(), "bytes_per_lane");
  }
}

void InstructionReader::read(StaticProgram& program) const {
  if (from_.opcode() >= program.opcodes.size()) {
    throw StreamError(fmt::format("the instruction at pc {:#x} has opcode {}; expected less than {}", from_.pc(),
                                  from_.opcode(), program.opcodes.size()));
  }
  if (from_.pc() % 8 != 0) {
    throw StreamError(fmt::format(
        "the instruction at pc {:#x} has a PC that is not a multiple of 8; expected the offset of an instruction",
        from_.pc()));
  }
  StaticInstruction& to = program.instructions.emplace_back();
  to.pc = from_.pc();
  if (from_.text().empty()) {
    to.opcode = static_cast<std::uint16_t>(from_.opcode());
    classify(program.opcodes[to.opcode], program.architecture, to);
    read_operands(to);
  } else {
    try {
      decode_sass(from_.text(), program.architecture, program.opcodes, to);
    } catch (const std::invalid_argument& error) {
      throw StreamError(fmt::format("the instruction at pc {:#x}: {}", from_.pc(), error.what()));
    }
  }
  to.has_control = from_.has_control();
  if (to.has_control) {
    read_control(from_.control(), to.control);
  }
}

}  // namespace

trace::Function to_message(const StaticProgram& program) {
  trace::Function function;
  function.set_name(program.function);
  function.set_architecture(program.architecture);
  function.set_has_listing(program.has_listing);
  function.set_has_control(program.has_control);
  function.set_instruction_bytes(program.instruction_bytes);
  for (const std::string& opcode : program.opcodes) {
    function.add_opcodes(opcode);
  }
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    put_instruction(program, i, *function.add_instructions());
  }
  return function;
}

StaticProgram from_message(const trace::Function& function) {
  StaticProgram program;
  program.function = function.name();
  program.architecture = function.architecture();
  program.has_listing = function.has_listing();
  program.has_control = function.has_control();
  program.instruction_bytes = function.instruction_bytes();
  program.opcodes.assign(function.opcodes().begin(), function.opcodes().end());
  if (program.opcodes.size() > std::numeric_limits<std::uint16_t>::max()) {
    throw StreamError(fmt::format("the function has {} opcodes; expected at most 65535", program.opcodes.size()));
  }
  bool has_text = false;
  for (const trace::StaticInstruction& from : function.instructions()) {
    InstructionReader(from).read(program);
    program.text.push_back(from.text());
    has_text = has_text || !from.text().empty();
  }
  if (!has_text) {
    program.text.clear();
  }
  return program;
}

}  // namespace warpsim::wtrace

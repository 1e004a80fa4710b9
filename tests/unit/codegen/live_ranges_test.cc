#include "codegen/live_ranges.h"

#include <catch2/catch.hpp>

#include "codegen/register_assignment.h"
#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;
using namespace warpsim::codegen;

namespace {

// Machine code that a test writes itself: the control flow is that of `body`, one instruction each.
struct Written {
  explicit Written(const std::string& body) : kernel(body), graph(ptx::make_flow_graph(*kernel.function)) {
    for (std::uint32_t i = 0; i <= kernel.function->body.size(); ++i) {
      selected.places.push_back({i, 1, 0, false});
    }
    selected.places.back().count = 0;
  }
  Number value(std::uint8_t words = 1, Number part_of = kNone, std::uint8_t word = 0) {
    selected.values.push_back({Value::File::kGeneral, words, part_of, word});
    return static_cast<Number>(selected.values.size() - 1);
  }
  static MachineOperand operand(Number value) {
    MachineOperand result;
    result.value = value;
    return result;
  }
  void code(const std::string& opcode, const std::vector<Number>& values) {
    MachineInstruction instruction;
    instruction.opcode = opcode;
    for (const Number value : values) {
      instruction.operands.push_back(operand(value));
    }
    selected.code.push_back(instruction);
  }
  std::string range(Number value) const {
    std::string text;
    const std::vector<std::vector<LiveSegment>> ranges = find_live_ranges(graph, selected);
    for (const LiveSegment& segment : ranges[value]) {
      text += "[" + std::to_string(segment.begin) + "," + std::to_string(segment.end) + ")";
    }
    return text;
  }
  AssignedRegisters registers() const { return assign_registers(graph, selected, CompileTarget().register_steps); }

  Kernel kernel;
  ptx::FlowGraph graph;
  SelectedFunction selected;
};

constexpr const char* kStraight = "mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3; mov.u32 %r4, 4; ret;";
constexpr const char* kLoop =
    "mov.u32 %r1, 1; head: mov.u32 %r2, 2; mov.u32 %r3, 3; setp.lt.s32 %p1, %r3, %r2; @%p1 bra head; ret;";

TEST_CASE("a value is needed from its write to its last read, with holes between reads and new writes") {
  Written w(kStraight);
  const Number a = w.value();
  const Number b = w.value();
  w.code("MOV", {a});
  w.code("MOV", {b, a});
  w.code("MOV", {a});
  w.code("IADD3", {b, a, b});
  w.code("EXIT", {});
  CHECK(w.range(a) == "[1,3)[5,7)");
  CHECK(w.range(b) == "[3,8)");
}

TEST_CASE("a loop-carried value is needed in the whole loop, a redefined value is not") {
  Written w(kLoop);
  const Number sum = w.value();
  const Number step = w.value();
  const Number fresh = w.value();
  w.code("MOV", {sum});
  w.code("MOV", {fresh, step});
  w.code("IADD3", {sum, sum, fresh});
  w.code("NOP", {});
  w.code("BRA", {});
  w.code("EXIT", {});
  CHECK(w.range(sum) == "[1,10)");
  CHECK(w.range(fresh) == "[3,5)");
  CHECK(w.range(step).empty());  // never written
}

TEST_CASE("a guarded write keeps the old value") {
  Written w(kStraight);
  const Number a = w.value();
  const Number p = w.value();
  w.selected.values[p].file = Value::File::kPredicate;
  w.code("MOV", {a});
  w.code("NOP", {});
  w.code("MOV", {a});
  w.selected.code.back().guard = Written::operand(p);
  w.code("MOV", {w.value(), a});
  w.code("EXIT", {});
  CHECK(w.range(a) == "[1,7)");
}

TEST_CASE("parts of a vector are consecutive, and a result may reuse the register of an operand") {
  Written w(kStraight);
  const Number single = w.value();
  const Number vector = w.value(4);
  std::vector<Number> parts;
  for (std::uint8_t i = 0; i < 4; ++i) {
    parts.push_back(w.value(1, vector, i));
  }
  const Number sum = w.value();
  w.code("MOV", {single});
  w.code("LDG.E.128", {vector, single});
  w.code("FADD", {sum, parts[0], parts[1]});
  w.code("FADD", {sum, parts[2], sum});
  w.code("EXIT", {});
  const AssignedRegisters registers = w.registers();
  CHECK(registers.first[vector] % 4 == 0);
  CHECK(registers.first[parts[3]] == registers.first[vector] + 3);
  CHECK((registers.first[sum] == registers.first[parts[0]] || registers.first[sum] == registers.first[parts[1]]));
  CHECK(registers.general == registers.first[vector] + 4);
}

TEST_CASE("registers that are read together are in different banks") {
  Written w(kStraight);
  const Number a = w.value();
  const Number b = w.value();
  const Number c = w.value();
  const Number d = w.value();
  w.code("MOV", {a});
  w.code("MOV", {b});
  w.code("MOV", {c});
  w.code("FFMA", {d, a, c, b});
  w.code("FMUL", {d, a, c});
  const AssignedRegisters registers = w.registers();
  CHECK(registers.first[a] % 2 != registers.first[b] % 2);
}

}  // namespace

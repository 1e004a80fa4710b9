#include "codegen/code_estimate.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;
using namespace warpsim::codegen;

namespace {

// Instructions of one block or of a loop, one for each instruction of PTX, on general registers by number.
struct Code {
  explicit Code(const std::string& body) : kernel(body), graph(ptx::make_flow_graph(*kernel.function)) {
    for (std::uint32_t i = 0; i < 8; ++i) {
      selected.values.push_back({});
      registers.first.push_back(i);
    }
    for (std::uint32_t i = 0; i <= kernel.function->body.size(); ++i) {
      selected.places.push_back({i, 1, 0, false});
    }
  }
  void add(const std::string& opcode, const std::vector<Number>& values) {
    MachineInstruction instruction;
    instruction.opcode = opcode;
    for (const Number value : values) {
      MachineOperand operand;
      operand.value = value;
      instruction.operands.push_back(operand);
    }
    selected.code.push_back(instruction);
  }
  std::uint64_t cycles() const { return CodeEstimate(graph, selected).cycles(registers); }

  Kernel kernel;
  ptx::FlowGraph graph;
  SelectedFunction selected;
  AssignedRegisters registers;
};

TEST_CASE("estimate of code: an instruction waits for its operands") {
  Code chain("mov.u32 %r1, 1; mov.u32 %r2, 2; ret;");
  chain.add("FADD", {1, 0, 0});
  chain.add("FADD", {2, 1, 1});
  chain.add("EXIT", {});
  CHECK(chain.cycles() == 4 + 2);  // the second one at 4, the end at 5
  Code independent("mov.u32 %r1, 1; mov.u32 %r2, 2; ret;");
  independent.add("FADD", {1, 0, 0});
  independent.add("FADD", {2, 0, 0});
  independent.add("EXIT", {});
  CHECK(independent.cycles() == 3);
}

TEST_CASE("estimate of code: a write waits for a memory access that may still read the register") {
  Code code("mov.u32 %r1, 1; mov.u32 %r2, 2; ret;");
  code.add("LDG.E", {3, 0});
  code.add("MOV", {0, 4});
  code.add("EXIT", {});
  CHECK(code.cycles() == 16 + 2);
}

TEST_CASE("estimate of code: loops count more") {
  Code loop("mov.u32 %r1, 1; head: mov.u32 %r2, 2; setp.lt.s32 %p1, %r2, %r1; @%p1 bra head; ret;");
  loop.add("MOV", {1, 0});
  loop.add("MOV", {2, 0});
  loop.add("MOV", {3, 0});
  loop.add("BRA", {});
  loop.add("EXIT", {});
  CHECK(loop.cycles() == 1 + 8 * 3 + 1);
}

}  // namespace

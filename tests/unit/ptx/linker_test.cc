#include "ptx/linker.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ptx/parser.h"

namespace warpsim::ptx {
namespace {

std::unique_ptr<const Module> linked(const std::vector<std::string>& texts) {
  std::vector<std::unique_ptr<Module>> units;
  for (const std::string& text : texts) {
    units.push_back(
        parse_module(".version 9.0\n.target sm_90\n.address_size 64\n" + text, "u" + std::to_string(units.size())));
  }
  return link_modules(std::move(units), "whole");
}

// The body of the function in the operand of a kernel's only call or mov.
const Function& named_by(const Module& module, const std::string& kernel) {
  const Operand& operand = module.find_function(kernel)->body.front().operands.back();
  return module.function_of(module.symbols[operand.number]);
}

TEST_CASE("a declaration refers to another module's definition") {
  const auto module =
      linked({".extern .func f;\n.extern .global .u32 v;\n.visible .global .u64 to_f = f;\n"
              ".entry k() { .reg .b64 %q; mov.u64 %q, f; mov.u64 %q, v; ret; }",
              ".visible .global .u32 w = 1;\n.visible .global .u32 v = 7;\n.visible .func f { exit; }"});
  CHECK(module->file == "whole");
  CHECK(named_by(*module, "k").has_body);
  const Function& kernel = *module->find_function("k");
  const Variable& v = module->variables[module->symbols[kernel.body[1].operands[1].number].number];
  CHECK(v.linkage == Linkage::kVisible);
  CHECK(v.initial.at(0).bits == 7);
  REQUIRE(module->variables.size() == 3);  // the declaration was replaced
  const InitialValue& to_f = module->find_variable("to_f")->initial.at(0);
  CHECK(module->function_of(module->symbols[static_cast<std::size_t>(to_f.symbol)]).name == "f");
  CHECK(module->function_of(module->symbols[static_cast<std::size_t>(to_f.symbol)]).has_body);
}

TEST_CASE("local names of modules do not collide") {
  const std::string own = ".global .u32 v = ";
  const auto module = linked({own + "1;\n.func f { ret; }\n.entry a() { .reg .b64 %q; mov.u64 %q, f; }",
                              own + "2;\n.func f { exit; }\n.entry b() { .reg .b64 %q; mov.u64 %q, f; }"});
  CHECK(named_by(*module, "a").body.front().opcode == "ret");
  CHECK(named_by(*module, "b").body.front().opcode == "exit");
  CHECK(module->variables.size() == 2);
}

TEST_CASE("weak definitions are replaced, others must be unique") {
  const std::string use = "\n.entry k() { .reg .b64 %q; mov.u64 %q, f; }";
  for (const bool weak_first : {true, false}) {
    std::vector<std::string> texts = {".weak .func f { ret; }" + use, ".visible .func f { exit; }"};
    if (!weak_first) {
      std::swap(texts[0], texts[1]);
    }
    CHECK(named_by(*linked(texts), "k").body.front().opcode == "exit");
  }
  CHECK(named_by(*linked({".weak .func f { ret; }" + use, ".weak .func f { exit; }"}), "k").body.front().opcode ==
        "ret");
  CHECK_THROWS_AS(linked({".visible .func f { ret; }", ".visible .func f { exit; }"}), PtxError);
  CHECK_THROWS_AS(linked({".extern .global .u32 v[4];", ".visible .global .u32 v[2];"}), PtxError);
}

TEST_CASE("an undefined name stays declared, and shared memory stays with its module") {
  const auto module =
      linked({".extern .func vprintf;\n.extern .shared .b8 s[];\n.entry k() { .reg .b64 %q; mov.u64 %q, vprintf; }",
              ".extern .shared .b8 s[];\n.file 1 \"b.cu\"\n.entry l() { .loc 1 5 0 ret; }"});
  CHECK_FALSE(named_by(*module, "k").has_body);
  CHECK(module->variables.size() == 2);
  const Instruction& with_line = module->find_function("l")->body.front();
  CHECK(module->files.at(with_line.source_file - 1) == "b.cu");
}

}  // namespace
}  // namespace warpsim::ptx

// Linked cubins against nvlink's results for the same units (tests/data/sass/cubins/units_first.cu).
#include "sass/cubin_linker.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sass/archive_members.h"
#include "unit/sass/cubin_file.h"

namespace warpsim::sass {
namespace {

using Catch::Matchers::Contains;
using test::bytes_of;
using test::cubin_of;
using test::load_cubin;

bool is_external(std::string_view name) {
  return name == "vprintf";
}

struct Unit {
  explicit Unit(const std::string& name) : file(name), bytes(load_cubin(name)) {}
  LinkInput input() const { return {bytes_of(bytes), file}; }
  std::string file;
  std::string bytes;
};

Cubin linked(const std::vector<LinkInput>& inputs) {
  const std::string bytes = link_cubins(inputs, is_external, "linked");
  return {bytes_of(bytes), "linked"};
}

Cubin linked_units(const std::string& architecture) {
  const Unit first("units_first." + architecture + ".cubin");
  const Unit second("units_second." + architecture + ".cubin");
  return linked({first.input(), second.input()});
}

std::string error_of(const std::vector<LinkInput>& inputs) {
  try {
    link_cubins(inputs, is_external, "linked");
  } catch (const InvalidCubin& error) {
    return error.what();
  }
  return "no error";
}

const CubinSymbol* symbol_named(const Cubin& cubin, const std::string& name) {
  const auto found = std::ranges::find(cubin.symbols(), name, &CubinSymbol::name);
  return found == cubin.symbols().end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("linked units have the functions, needs and code of nvlink's result", "[sass]") {
  const std::string architecture = GENERATE("sm_75", "sm_90");
  CAPTURE(architecture);
  const Cubin ours = linked_units(architecture);
  const Cubin theirs = cubin_of("units." + architecture + ".cubin");
  CHECK_FALSE(ours.is_relocatable());
  CHECK(ours.architecture() == theirs.architecture());
  CHECK(ours.functions().size() == theirs.functions().size());
  std::size_t kernels = 0;
  for (const CubinFunction& expected : theirs.functions()) {
    INFO(expected.name);
    const CubinFunction* const function = ours.find_function(expected.name);
    REQUIRE(function != nullptr);
    CHECK(function->is_kernel == expected.is_kernel);
    CHECK(function->frame_bytes == expected.frame_bytes);
    CHECK(function->info.exits == expected.info.exits);
    const auto code = ours.code(*function);
    CHECK(std::ranges::equal(code, theirs.code(expected)));
    if (expected.is_kernel) {
      ++kernels;
      CHECK(function->registers == expected.registers);
      CHECK(function->stack_bytes == expected.stack_bytes);
      CHECK(function->barriers == expected.barriers);
      CHECK(function->static_shared_bytes == expected.static_shared_bytes);
      CHECK(function->info.parameter_offset == expected.info.parameter_offset);
      CHECK(function->info.parameter_bytes == expected.info.parameter_bytes);
      CHECK(function->info.parameters.size() == expected.info.parameters.size());
    }
  }
  CHECK(kernels == 4);
}

TEST_CASE("linked units have the variables of all units and one definition of each", "[sass]") {
  const std::string architecture = GENERATE("sm_75", "sm_90");
  CAPTURE(architecture);
  const Cubin ours = linked_units(architecture);
  const Cubin theirs = cubin_of("units." + architecture + ".cubin");
  CHECK(ours.variables().size() == theirs.variables().size());
  for (const char* const name : {"launches", "numbers", "table", "own_table", "pointer"}) {
    INFO(name);
    const auto variable = std::ranges::find(ours.variables(), name, &CubinVariable::name);
    const auto expected = std::ranges::find(theirs.variables(), name, &CubinVariable::name);
    REQUIRE(variable != ours.variables().end());
    CHECK(variable->bytes == expected->bytes);
    CHECK(std::ranges::equal(ours.initial_bytes(*variable), theirs.initial_bytes(*expected)));
  }
  // Both units define it.
  CHECK(std::ranges::count(ours.functions(), "_Z6thriceIiET_S0_", &CubinFunction::name) == 1);
  // Of each unit its own.
  CHECK(std::ranges::count_if(ours.functions(), [](const CubinFunction& function) {
          return function.name.find("local_function") != std::string::npos;
        }) == 2);
}

TEST_CASE("the order of units decides only about places", "[sass]") {
  const Unit first("units_first.sm_90.cubin");
  const Unit second("units_second.sm_90.cubin");
  const Cubin one = linked({first.input(), second.input()});
  const Cubin other = linked({second.input(), first.input()});
  for (const CubinFunction& function : one.functions()) {
    INFO(function.name);
    const CubinFunction* const same = other.find_function(function.name);
    REQUIRE(same != nullptr);
    CHECK(same->registers == function.registers);
    CHECK(same->stack_bytes == function.stack_bytes);
    CHECK(same->static_shared_bytes == function.static_shared_bytes);
  }
}

TEST_CASE("a relocatable cubin is linked alone as nvlink does it", "[sass]") {
  const std::string architecture = GENERATE("sm_75", "sm_90");
  const Unit unit("relocatable." + architecture + ".cubin");
  const Cubin ours = linked({unit.input()});
  const Cubin theirs = cubin_of("linked." + architecture + ".cubin");
  for (const CubinFunction& expected : theirs.functions()) {
    INFO(expected.name);
    const CubinFunction* const function = ours.find_function(expected.name);
    REQUIRE(function != nullptr);
    const auto code = ours.code(*function);
    CHECK(std::ranges::equal(code, theirs.code(expected)));
    if (expected.is_kernel) {
      CHECK(function->registers == expected.registers);
      CHECK(function->stack_bytes == expected.stack_bytes);
      CHECK(function->static_shared_bytes == expected.static_shared_bytes);
    }
  }
  // The driver's function remains.
  const CubinSymbol* const print = symbol_named(ours, "vprintf");
  REQUIRE(print != nullptr);
  CHECK(print->section == CubinSection::kNone);
}

TEST_CASE("the stack of kernels that may reach a recursion is unknown, as after nvlink", "[sass]") {
  const std::string architecture = GENERATE("sm_75", "sm_90");
  CAPTURE(architecture);
  const Unit unit("functions_unit." + architecture + ".cubin");
  const Cubin ours = linked({unit.input()});
  const Cubin theirs = cubin_of("functions." + architecture + ".cubin");
  for (const CubinFunction& expected : theirs.functions()) {
    INFO(expected.name);
    const CubinFunction* const function = ours.find_function(expected.name);
    REQUIRE(function != nullptr);
    CHECK(function->registers == expected.registers);
    CHECK(function->stack_bytes == expected.stack_bytes);
  }
  // Through pointers; the other kernel only takes an address.
  CHECK(ours.find_function("call")->stack_bytes == ~std::uint32_t{0});
  CHECK(ours.find_function("name")->stack_bytes == 0);
}

TEST_CASE("units that do not fit together are errors that name the symbol", "[sass]") {
  const Unit first("units_first.sm_90.cubin");
  const Unit second("units_second.sm_90.cubin");
  CHECK_THAT(error_of({first.input()}),
             Contains("units_first.sm_90.cubin: section .text.") && Contains("undefined reference to '"));
  LinkInput again = second.input();
  again.name = "again.cubin";
  CHECK_THAT(error_of({second.input(), again}), Contains("again.cubin: multiple definition of '") &&
                                                    Contains("', which units_second.sm_90.cubin defines first"));
  const Unit other("units_second.sm_75.cubin");
  CHECK(error_of({first.input(), other.input()}) ==
        "units_second.sm_75.cubin: code for sm_75; expected sm_90, for which units_first.sm_90.cubin is");
  const Unit done("units.sm_90.cubin");
  CHECK(error_of({done.input()}) ==
        "units.sm_90.cubin: machine code that is linked already; expected relocatable code (nvcc -rdc=true)");
  const Unit printing("relocatable.sm_90.cubin");
  const std::vector<LinkInput> alone{printing.input()};
  CHECK_THROWS_WITH(link_cubins(
                        alone, [](std::string_view) { return false; }, "linked"),
                    Contains("undefined reference to 'vprintf'"));
}

TEST_CASE("changed units end with an error or with a cubin that can be read", "[sass]") {
  const Unit first("units_first.sm_90.cubin");
  const Unit second("units_second.sm_90.cubin");
  constexpr std::size_t kStep = 97;
  for (std::size_t at = 0; at < first.bytes.size(); at += kStep) {
    std::string changed = first.bytes;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    const std::vector<LinkInput> inputs{{bytes_of(changed), "changed"}, second.input()};
    INFO(at);
    try {
      const std::string bytes = link_cubins(inputs, is_external, "linked");
      const Cubin cubin(bytes_of(bytes), "linked");
      CHECK_FALSE(cubin.is_relocatable());
    } catch (const UserError& error) {
      CHECK_THAT(error.what(), Contains("changed: ") || Contains("units_second") || Contains("linked: "));
    }
  }
}

TEST_CASE("members of a library are taken if they define what is missing", "[sass]") {
  const Unit first("units_first.sm_90.cubin");
  const Unit second("units_second.sm_90.cubin");
  const Unit unused("relocatable.sm_90.cubin");
  const std::vector<LinkInput> units{first.input()};
  const std::vector<LinkInput> members{unused.input(), second.input()};
  CHECK(needed_members(units, members) == std::vector<std::size_t>{1});
  const std::vector<LinkInput> both{first.input(), second.input()};
  CHECK(needed_members(both, members).empty());
}

}  // namespace warpsim::sass

#include "ptx/name_scopes.h"

#include <catch2/catch.hpp>

#include "ptx/name_pool.h"

namespace warpsim::ptx {
namespace {

struct Scopes {
  NamePool names;
  NameScopes scopes;
  std::vector<Register> registers;

  Scopes() {
    scopes.enter();
    scopes.set_registers(&registers);
  }
  std::optional<Place> declare(const char* name) {
    return scopes.declare(names.intern(name), NameKind::kVariable, 7, {++line, 1});
  }
  std::optional<Place> declare_registers(const char* prefix, std::uint64_t count) {
    return scopes.declare_registers(names.intern(prefix), count, {{}, DataType::kB32, 1}, {++line, 1});
  }
  const Binding* find(const char* name) { return scopes.find(names.intern(name)); }

  std::uint32_t line = 0;
};

TEST_CASE("Registers declared by count become registers when they are first named") {
  Scopes s;
  CHECK_FALSE(s.declare_registers("%r", 4000000000));
  CHECK(s.registers.empty());
  CHECK(s.find("%r4000000000") == nullptr);
  CHECK(s.find("%r01") == nullptr);
  CHECK(s.find("%r") == nullptr);
  REQUIRE(s.find("%r3999999999") != nullptr);
  CHECK(s.find("%r0")->number == 1);
  CHECK(s.find("%r0")->kind == NameKind::kRegister);
  CHECK(s.find("%r3999999999")->number == 0);
  REQUIRE(s.registers.size() == 2);
  CHECK(s.registers[0].name == "%r3999999999");
  CHECK(s.registers[0].type == DataType::kB32);
}

TEST_CASE("An inner scope hides names of the outer one until it ends") {
  Scopes s;
  s.declare_registers("%r", 10);
  s.declare("x");
  const std::uint32_t outer = s.find("%r3")->number;
  s.scopes.enter();
  CHECK_FALSE(s.declare("x"));
  CHECK(s.find("x")->depth == 2);
  CHECK_FALSE(s.declare_registers("%r", 5));
  CHECK(s.find("%r3")->number != outer);
  CHECK(s.find("%r3")->depth == 2);
  CHECK(s.find("%r7")->depth == 1);  // beyond the inner five
  s.scopes.leave();
  CHECK(s.find("%r3")->number == outer);
  CHECK(s.find("%r7")->depth == 1);
  CHECK(s.find("x")->depth == 1);
  CHECK(s.registers.size() == 3);
}

TEST_CASE("A name is declared once per scope, singly or by count, in any order") {
  Scopes s;
  CHECK_FALSE(s.declare("a3"));
  CHECK(s.declare("a3")->line == 1);
  CHECK(s.declare_registers("a", 4)->line == 1);
  CHECK_FALSE(s.declare_registers("a", 3));
  CHECK(s.declare("a2")->line == 4);
  CHECK_FALSE(s.declare("a03"));
  CHECK(s.declare_registers("a", 2)->line == 4);
  SECTION("but the longer prefix of two matching counts is used") {
    CHECK_FALSE(s.declare_registers("b", 20));
    CHECK_FALSE(s.declare_registers("b1", 2));
    CHECK(s.find("b10")->place.line == 9);
    CHECK(s.find("b12")->place.line == 8);
  }
  SECTION("and again when the scope has ended") {
    s.scopes.leave();
    s.scopes.enter();
    CHECK_FALSE(s.declare_registers("a", 4));
    CHECK(s.declare("a3")->line == 8);
  }
}

}  // namespace
}  // namespace warpsim::ptx

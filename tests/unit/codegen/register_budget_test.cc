#include "codegen/register_budget.h"

#include <catch2/catch.hpp>

#include "unit/codegen/generate.h"

namespace warpsim::test {
namespace {

// Loads `count` words and adds them up.
std::string sum_of(std::uint32_t count) {
  std::string body = "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.f32 %f0, 0f00000000;\n";
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string reg = "%f" + std::to_string(i + 1);
    body += "ld.global.f32 " + reg + ", [%rd1+" + std::to_string(8 * i) + "]; add.f32 %f0, %f0, " + reg + ";\n";
  }
  return body + "st.global.f32 [%rd2], %f0; ret;";
}

std::uint32_t registers_with(const std::vector<std::uint32_t>& steps, std::uint32_t loads) {
  const std::unique_ptr<ptx::Module> module = ptx::parse_module(kernel_text(sum_of(loads)), "t.ptx");
  optimise_for_machine(*module, 0, {.architecture = 90, .register_steps = steps});
  return generate_code(*module, 0, {.architecture = 90, .register_steps = steps}).registers_per_thread;
}

TEST_CASE("register budget: loads go first as far as the first step of the target, and not further") {
  CHECK(registers_with({32, 64, 255}, 60) <= 32);
  CHECK(registers_with({32, 64, 255}, 60) > 28);
  CHECK(registers_with({48, 64, 255}, 60) <= 48);
  CHECK(registers_with({48, 64, 255}, 60) > 42);
}

TEST_CASE("register budget: a kernel with few values takes few registers on every target") {
  CHECK(registers_with({32, 255}, 4) == 16);
  CHECK(registers_with({64, 255}, 4) == 16);
}

// The products behind the barrier need more registers than there are, whatever their order; the loads before it do not.
TEST_CASE("register budget: loads go first before a barrier, although the code behind it has no registers left") {
  std::string body = "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x;\n";
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    body += "ld.global.f32 %f4" + n + ", [%rd1+" + std::to_string(64 * i) + "]; st.shared.f32 [%r1+" +
            std::to_string(128 * i) + "], %f4" + n + ";\n";
  }
  body += "bar.sync 0;\n";
  std::string sums;
  for (int i = 10; i < 40; ++i) {
    const std::string reg = "%f" + std::to_string(i);
    body += "ld.shared.f32 " + reg + ", [%r1+" + std::to_string(16 * i) + "]; mul.f32 " + reg + ", " + reg + ", " +
            reg + ";\n";
    sums += "add.f32 %f3, %f3, " + reg + "; mul.f32 %f4, %f4, " + reg + ";\n";
  }
  body += "mov.f32 %f3, 0f00000000; mov.f32 %f4, 0f3f800000;\n" + sums +
          "st.global.f32 [%rd1], %f3; st.global.f32 [%rd1+4], %f4; ret;";
  const std::unique_ptr<ptx::Module> module = ptx::parse_module(kernel_text(body), "t.ptx");
  optimise_for_machine(*module, 0, {.architecture = 90, .register_steps = {32, 255}});
  std::uint32_t loads = 0;
  for (const ptx::Instruction& instruction : module->functions[0].body) {
    if (instruction.opcode == "st") {
      break;
    }
    loads += instruction.opcode == "ld" && instruction.modifiers[0] == "global" ? 1 : 0;
  }
  CHECK(loads == 8);
}

}  // namespace
}  // namespace warpsim::test

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

}  // namespace
}  // namespace warpsim::test

// Cubins of program.cu and shapes.ptx in tests/data/sass/cubins; the sources state what the kernels have.
#include "sass/cubin.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <stdexcept>

#include "unit/sass/cubin_file.h"

namespace warpsim::sass {
namespace {

using test::cubin_of;
using test::number_at;

std::set<std::string> names_of(const std::vector<CubinFunction>& functions) {
  std::set<std::string> names;
  for (const CubinFunction& function : functions) {
    names.insert(function.name);
  }
  return names;
}

const CubinVariable& variable(const Cubin& cubin, std::string_view name) {
  for (const CubinVariable& each : cubin.variables()) {
    if (each.name == name) {
      return each;
    }
  }
  throw std::runtime_error("no variable " + std::string(name));
}

TEST_CASE("a cubin states its architecture, kernels and functions") {
  const auto [architecture, file] =
      GENERATE(std::pair(75U, "program.sm_75.cubin"), std::pair(80U, "program.sm_80.cubin"),
               std::pair(90U, "program.sm_90.cubin"));
  CAPTURE(file);
  const Cubin cubin = cubin_of(file);
  CHECK(cubin.architecture() == architecture);
  CHECK(cubin.virtual_architecture() == architecture);
  CHECK_FALSE(cubin.is_relocatable());
  CHECK(names_of(cubin.functions()) == std::set<std::string>{"report", "steps", "$steps$_Z6triplei"});
  const CubinFunction* const steps = cubin.find_function("steps");
  const CubinFunction* const triple = cubin.find_function("$steps$_Z6triplei");
  REQUIRE(steps != nullptr);
  REQUIRE(triple != nullptr);
  CHECK(steps->is_kernel);
  CHECK_FALSE(triple->is_kernel);
  CHECK(triple->section == steps->section);
  CHECK(triple->offset > 0);
  CHECK(cubin.code(*triple).data() == cubin.code(*steps).data() + triple->offset);
  CHECK(cubin.find_function("step") == nullptr);
}

TEST_CASE("a kernel states its resources and its parameters in order") {
  const auto [first, file] =
      GENERATE(std::pair(0x160U, "program.sm_75.cubin"), std::pair(0x160U, "program.sm_80.cubin"),
               std::pair(0x210U, "program.sm_90.cubin"));
  CAPTURE(file);
  const Cubin cubin = cubin_of(file);
  const CubinFunction& steps = *cubin.find_function("steps");
  CHECK(steps.info.parameter_offset == first);
  CHECK(steps.info.parameter_bytes == 25);
  REQUIRE(steps.info.parameters.size() == 3);
  CHECK(steps.info.parameters[0].offset == 0);
  CHECK(steps.info.parameters[0].bytes == 8);
  CHECK(steps.info.parameters[1].offset == 8);
  CHECK(steps.info.parameters[1].bytes == 16);
  CHECK(steps.info.parameters[2].offset == 24);
  CHECK(steps.info.parameters[2].bytes == 1);
  CHECK(steps.info.max_threads == Dimensions{128, 1, 1});
  CHECK_FALSE(steps.info.required_threads);
  CHECK_FALSE(steps.info.cluster);
  CHECK(steps.static_shared_bytes == 100);
  CHECK(steps.barriers == 1);
  CHECK(steps.registers >= 8);
  const CubinFunction& report = *cubin.find_function("report");
  CHECK(report.static_shared_bytes == 0);
  CHECK(report.barriers == 0);
  CHECK(report.stack_bytes == 8);  // printf's argument
  REQUIRE(report.info.externals.size() == 1);
  CHECK(cubin.symbols()[report.info.externals[0]].name == "vprintf");
}

TEST_CASE("a kernel states the shapes that it requires, and parameters of any size") {
  const Cubin cubin = cubin_of("shapes.sm_90.cubin");
  const FunctionInfo& fixed = cubin.find_function("fixed")->info;
  CHECK(fixed.required_threads == Dimensions{64, 2, 1});
  CHECK(fixed.cluster == Dimensions{2, 1, 1});
  CHECK(fixed.explicit_cluster);
  CHECK_FALSE(fixed.max_cluster_blocks);
  const FunctionInfo& bounded = cubin.find_function("bounded")->info;
  CHECK(bounded.max_threads == Dimensions{96, 1, 1});
  CHECK(bounded.max_cluster_blocks == 4);
  CHECK_FALSE(bounded.cluster);
  CHECK_FALSE(bounded.explicit_cluster);
  REQUIRE(bounded.parameters.size() == 3);
  CHECK(bounded.parameters[1].offset == 4);
  CHECK(bounded.parameters[1].bytes == 4400);
  CHECK(bounded.parameters[2].offset == 4404);
  CHECK(bounded.parameters[2].bytes == 1);
  CHECK(bounded.parameter_bytes == 4405);
}

TEST_CASE("jumps through a table name their targets, and the bank holds them") {
  const Cubin cubin = cubin_of("program.sm_90.cubin");
  const CubinFunction& steps = *cubin.find_function("steps");
  REQUIRE_FALSE(steps.info.indirect_branches.empty());
  const CubinSection* const bank = cubin.constant_bank(steps, 2);
  REQUIRE(bank != nullptr);
  std::set<std::uint32_t> table;
  for (std::size_t at = 0; at + 4 <= bank->content.size(); at += 4) {
    table.insert(number_at<std::uint32_t>(bank->content, at));
  }
  for (const IndirectBranch& branch : steps.info.indirect_branches) {
    CHECK(branch.offset % 16 == 0);
    REQUIRE_FALSE(branch.targets.empty());
    for (const std::uint32_t target : branch.targets) {
      CHECK(table.contains(target));
    }
  }
  CHECK(cubin.constant_bank(*cubin.find_function("report"), 2) == nullptr);
}

TEST_CASE("constant banks are those of the kernel or of all kernels") {
  const Cubin cubin = cubin_of("program.sm_80.cubin");
  const CubinFunction& steps = *cubin.find_function("steps");
  const CubinFunction& report = *cubin.find_function("report");
  REQUIRE(cubin.constant_bank(steps, 0) != nullptr);
  CHECK(cubin.constant_bank(steps, 0)->bytes == 0x160 + 25);
  CHECK(cubin.constant_bank(report, 0)->bytes == 0x160 + 4);
  REQUIRE(cubin.constant_bank(steps, 3) != nullptr);
  CHECK(cubin.constant_bank(steps, 3) == cubin.constant_bank(report, 3));
  CHECK(number_at<std::uint32_t>(cubin.constant_bank(steps, 3)->content, 8) == 30);
  CHECK(cubin.constant_bank(steps, 5) == nullptr);
}

TEST_CASE("variables have a section, an offset and their initial bytes") {
  const Cubin cubin = cubin_of("program.sm_75.cubin");
  const CubinVariable& counter = variable(cubin, "counter");
  CHECK(cubin.sections()[counter.section].name == ".nv.global.init");
  CHECK(counter.bytes == 4);
  CHECK(number_at<std::uint32_t>(cubin.initial_bytes(counter), 0) == 7);
  const CubinVariable& zeros = variable(cubin, "zeros");
  CHECK(zeros.bytes == 64);
  CHECK(cubin.initial_bytes(zeros).empty());
  const CubinVariable& weights = variable(cubin, "weights");
  CHECK(cubin.sections()[weights.section].kind == CubinSection::Kind::kConstant);
  CHECK(number_at<std::uint32_t>(cubin.initial_bytes(weights), 12) == 40);
}

TEST_CASE("relocations are applied when addresses are known, and again with others") {
  Cubin cubin = cubin_of("program.sm_90.cubin");
  std::map<std::string, std::uint64_t> addresses;
  const auto address_of = [&addresses](const CubinSymbol& symbol) { return addresses.at(symbol.name); };
  for (const std::uint64_t base : {0x7f00'0000'0000ULL, 0x1000ULL}) {
    addresses = {{"vprintf", base},
                 {"counter", base + 0x100},
                 {"zeros", base + 0x200},
                 {"middle", base + 0x300},
                 {"$str", base + 0x400}};
    cubin.apply_relocations(address_of);
    const std::vector<std::byte>& bank = cubin.constant_bank(*cubin.find_function("steps"), 4)->content;
    std::set<std::uint64_t> slots;
    for (std::size_t at = 0; at < bank.size(); at += 8) {
      slots.insert(number_at<std::uint64_t>(bank, at));
    }
    CHECK(slots == std::set<std::uint64_t>{base, base + 0x100, base + 0x200, base + 0x300, base + 0x400});
    // &zeros[3]
    CHECK(number_at<std::uint64_t>(cubin.initial_bytes(variable(cubin, "middle")), 0) == base + 0x20c);
  }
}

TEST_CASE("linked code has the addresses of functions and variables in its instructions") {
  Cubin cubin = cubin_of("linked.sm_90.cubin");
  const CubinFunction* const triple = cubin.find_function("_Z6triplei");
  REQUIRE(triple != nullptr);
  CHECK_FALSE(triple->is_kernel);
  CHECK(triple->section != cubin.find_function("steps")->section);
  constexpr std::uint64_t kAddress = 0x0000'7f12'3456'7890;
  cubin.apply_relocations([](const CubinSymbol&) { return kAddress; });
  std::size_t halves = 0;
  for (const CubinRelocation& relocation : cubin.relocations()) {
    const std::vector<std::byte>& code = cubin.sections()[relocation.section].content;
    if (relocation.type->name == "R_CUDA_ABS32_LO_32" && relocation.addend == 0) {
      CHECK(number_at<std::uint32_t>(code, relocation.offset + 4) == 0x34567890);
      ++halves;
    } else if (relocation.type->name == "R_CUDA_ABS32_HI_32" && relocation.addend == 0) {
      CHECK(number_at<std::uint32_t>(code, relocation.offset + 4) == 0x7f12);
      ++halves;
    } else if (relocation.type->name == "R_CUDA_ABS55_16_34") {
      // Bits 9 to 2 of the address are in bits 23 to 16, the others from bit 34 on.
      const auto low = number_at<std::uint64_t>(code, relocation.offset);
      const auto high = number_at<std::uint64_t>(code, relocation.offset + 8);
      const std::uint64_t upper = (low >> 34U | high << 30U) & ((1ULL << 47U) - 1);
      CHECK((upper << 10U | (low >> 16U & 0xffU) << 2U) == kAddress);
      ++halves;
    }
  }
  CHECK(halves >= 6);
}

TEST_CASE("relocations without addends keep the value in their place as the addend") {
  Cubin cubin = cubin_of("linked.sm_75.cubin");
  for (const std::uint64_t address : {0x1234'5678'9ab0ULL, 0x10ULL}) {
    cubin.apply_relocations([address](const CubinSymbol&) { return address; });
    for (const CubinRelocation& relocation : cubin.relocations()) {
      const auto word = number_at<std::uint64_t>(cubin.sections()[relocation.section].content, relocation.offset);
      if (relocation.type->name == "R_CUDA_ABS47_34") {
        CHECK(word >> 34U == (address >> 2U & 0x3fff'ffffU));
      } else if (relocation.type->name == "R_CUDA_ABS32_LO_32") {
        CHECK(word >> 32U == (address + relocation.addend & 0xffff'ffffU));
      }
    }
  }
}

TEST_CASE("relocatable code is read, but has to be linked before addresses are applied") {
  Cubin cubin = cubin_of("relocatable.sm_90.cubin");
  CHECK(cubin.is_relocatable());
  CHECK(names_of(cubin.functions()) == std::set<std::string>{"report", "steps", "_Z6triplei"});
  CHECK_FALSE(cubin.relocations().empty());
  CHECK_THROWS_WITH(cubin.apply_relocations([](const CubinSymbol&) { return 0; }),
                    "relocatable.sm_90.cubin: relocatable code (nvcc -rdc=true); expected code that nvlink has linked");
}

TEST_CASE("a cubin states the architecture of the PTX from which it was compiled") {
  CHECK(cubin_of("../examples/vector_add.sm_90.cubin").virtual_architecture() == 75);
}

TEST_CASE("the layout of CUDA 12 has the architecture in the lower byte of the flags, and registers with the section") {
  std::string file = test::load_cubin("program.sm_75.cubin");
  test::put<std::uint8_t>(file, 7, 0x33);
  test::put<std::uint8_t>(file, 8, 7);
  test::put<std::uint32_t>(file, 48, 0x48054b);
  CHECK(Cubin(test::bytes_of(file), "old").architecture() == 75);
  CHECK(Cubin(test::bytes_of(file), "old").virtual_architecture() == 75);  // a note, if there is one, is first
  // .nv.info as it would be without REGCOUNT and NUM_BARRIERS: their records become others that are skipped.
  const std::size_t header = test::header_of(file, ".text.steps");
  const auto flags = number_at<std::uint64_t>(test::bytes_of(file), header + 8);
  test::put<std::uint64_t>(file, header + 8, flags | 5U << 20U);
  CHECK(Cubin(test::bytes_of(file), "old").find_function("report")->barriers == 0);
  const std::size_t info = test::content_of(file, ".nv.info");
  const auto size = number_at<std::uint64_t>(test::bytes_of(file), test::header_of(file, ".nv.info") + 32);
  for (std::size_t at = info; at < info + size; at += 12) {
    if (file[at + 1] == 0x2f) {
      file[at + 1] = 0x37;
    }
  }
  const auto registers = number_at<std::uint32_t>(test::bytes_of(file), header + 44) >> 24U;
  CHECK(registers > 0);
  CHECK(Cubin(test::bytes_of(file), "old").find_function("steps")->registers == registers);
}

}  // namespace
}  // namespace warpsim::sass

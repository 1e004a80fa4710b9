#include "cuda/device/simulated_device.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"

namespace warpsim::cuda {
namespace {

const std::string kConfigs = WARPSIM_SOURCE_DIR "/configs/";
constexpr const char* kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

std::string empty_kernel(const std::string& directives = "", const std::string& body = "ret;") {
  return kHead + (".visible .entry k() " + directives + " { .reg .b32 %r<4>; .reg .b64 %q<4>; .reg .pred %p;\n") +
         body + "\n}\n";
}

Launch launch_of(const Dim3& grid, const Dim3& block, std::uint32_t dynamic_shared_bytes = 0) {
  Launch launch;
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_shared_bytes = dynamic_shared_bytes;
  return launch;
}

// The tiny GPU with a module: two SMs of four blocks each, at most 256 threads per block.
struct Tiny {
  SimulatedDevice device{kConfigs + "test_tiny.yaml", {.functional_only = true}};
  ModuleId module = 0;
  KernelId kernel = 0;

  explicit Tiny(const std::string& ptx = empty_kernel()) {
    const Outcome loaded = device.load_module(ptx, "t.ptx", module);
    INFO(loaded.message);
    REQUIRE(loaded);
    const Outcome found = device.find_kernel(module, "k", kernel);
    INFO(found.message);
    REQUIRE(found);
  }
  const KernelInfo& info() { return device.info(kernel); }
  Outcome launch(const Dim3& grid, const Dim3& block, const std::vector<std::uint64_t>& parameters = {}) {
    Launch launch = launch_of(grid, block);
    launch.parameters = std::as_bytes(std::span(parameters));
    return device.launch(kernel, launch);
  }
};

void check_failure(const Outcome& outcome, Failure failure, const std::string& words) {
  INFO(outcome.message);
  CHECK(outcome.failure == failure);
  CHECK(outcome.message.find(words) != std::string::npos);
}

TEST_CASE("a device that does not exist is a user error") {
  CHECK_THROWS_AS(SimulatedDevice("no_such_gpu", {.functional_only = true}), UserError);
}

TEST_CASE("invalid PTX does not load, and the message names file and line") {
  Tiny tiny;
  ModuleId module = 0;
  check_failure(tiny.device.load_module(kHead + std::string("nonsense"), "bad.ptx", module), Failure::kInvalidPtx,
                "bad.ptx:4");
  CHECK(module == 0);
}

TEST_CASE("variables beyond the device's memory do not load") {
  Tiny tiny;
  ModuleId module = 0;
  check_failure(tiny.device.load_module(kHead + std::string(".global .b8 a[2147483648];\n"), "big.ptx", module),
                Failure::kOutOfMemory, "big.ptx");
}

TEST_CASE("PTX for a newer capability does not load unless it is forced") {
  const std::string newer = ".version 8.7\n.target sm_100\n.address_size 64\n.visible .entry k() { ret; }\n";
  ModuleId module = 0;
  SimulatedDevice strict(kConfigs + "test_tiny.yaml", {.functional_only = true});
  check_failure(strict.load_module(newer, "n.ptx", module), Failure::kNoBinaryForGpu, "sm_100");
  SimulatedDevice forced(kConfigs + "test_tiny.yaml", {.functional_only = true, .force_target = true});
  CHECK(forced.load_module(newer, "n.ptx", module));
}

TEST_CASE("PTX for an older capability loads, PTX only for another architecture does not") {
  Tiny tiny;
  ModuleId module = 0;
  const auto load = [&](const std::string& target) {
    return tiny.device.load_module(".version 8.0\n.target " + target + "\n.address_size 64\n", "o.ptx", module).failure;
  };
  CHECK(load("sm_52") == Failure::kNone);
  CHECK(load("sm_90a") == Failure::kNone);
  SimulatedDevice volta(kConfigs + "v100.yaml", {.functional_only = true});
  CHECK(volta.load_module(".version 8.0\n.target sm_90a\n.address_size 64\n", "o.ptx", module).failure ==
        Failure::kNoBinaryForGpu);
  CHECK(volta.load_module(".version 8.0\n.target sm_70\n.address_size 64\n", "o.ptx", module));
}

TEST_CASE("an unsupported instruction is an error when its kernel is looked up") {
  Tiny tiny;
  ModuleId module = 0;
  KernelId kernel = 0;
  REQUIRE(tiny.device.load_module(empty_kernel("", "frobnicate.u32 %r1, %r2;\nret;"), "i.ptx", module));
  check_failure(tiny.device.find_kernel(module, "k", kernel), Failure::kInvalidPtx, "i.ptx:5");
}

TEST_CASE("kernels and variables that do not exist are not found") {
  Tiny tiny;
  KernelId kernel = 0;
  VariableInfo variable;
  check_failure(tiny.device.find_kernel(tiny.module, "other", kernel), Failure::kNotFound, "other");
  check_failure(tiny.device.find_variable(tiny.module, "v", variable), Failure::kNotFound, "v");
}

TEST_CASE("a kernel is looked up once") {
  Tiny tiny;
  KernelId again = 0;
  REQUIRE(tiny.device.find_kernel(tiny.module, "k", again));
  CHECK(again == tiny.kernel);
}

TEST_CASE("a module's variables begin with the values in the text") {
  Tiny tiny(kHead + std::string(".visible .global .align 4 .u32 v[4] = {1, 2, 0xffffffff};\n"
                                ".visible .const .align 8 .u64 address = generic(v);\n"
                                ".visible .entry k() { ret; }\n"));
  VariableInfo variable;
  REQUIRE(tiny.device.find_variable(tiny.module, "v", variable));
  CHECK(variable.bytes == 16);
  CHECK_FALSE(variable.managed);
  std::vector<std::uint32_t> words(4);
  std::memcpy(words.data(), tiny.device.memory().host(variable.address, 16), 16);
  CHECK(words == std::vector<std::uint32_t>{1, 2, 0xffffffff, 0});
  VariableInfo pointer;
  REQUIRE(tiny.device.find_variable(tiny.module, "address", pointer));
  std::uint64_t address = 0;
  std::memcpy(&address, tiny.device.memory().host(pointer.address, 8), 8);
  CHECK(address == variable.address);
}

TEST_CASE("a kernel's shared, local and constant memory and its parameters are reported") {
  Tiny tiny(kHead + std::string(".const .b8 c[100];\n.visible .entry k(.param .u32 a, .param .u64 b, .param .u8 c0) {\n"
                                ".shared .align 4 .b8 s[40];\n.local .align 8 .b8 l[24];\n.reg .b32 %r;\n"
                                "st.shared.u32 [s], 1; st.local.u32 [l], 1; ret; }\n"));
  const KernelInfo& info = tiny.info();
  CHECK(info.name == "k");
  CHECK(info.static_shared_bytes == 40);
  CHECK(info.local_bytes == 32);  // frames are multiples of 16 bytes
  CHECK(info.constant_bytes == 100);
  REQUIRE(info.parameters.size() == 3);
  CHECK(info.parameters[1].offset == 8);
  CHECK(info.parameters[1].bytes == 8);
  CHECK(info.parameters[2].offset == 16);
  CHECK(info.parameter_bytes == 17);
  CHECK(info.ptx_version == 80);
  CHECK(info.target == 90);
}

TEST_CASE("registers are at least the GPU's minimum and at most those that the kernel requests") {
  CHECK(Tiny().info().registers == 16);
  std::string wide;  // 40 values live at once
  for (int i = 0; i < 40; ++i) {
    wide += "ld.volatile.global.u32 %v" + std::to_string(i) + ", [0];\n";
  }
  for (int i = 0; i < 40; ++i) {
    wide += "st.volatile.global.u32 [0], %v" + std::to_string(i) + ";\n";
  }
  const std::uint32_t registers = Tiny(empty_kernel("", ".reg .b32 %v<40>;\n" + wide + "ret;")).info().registers;
  CHECK(registers >= 40);
  CHECK(registers <= 56);
  CHECK(Tiny(empty_kernel(".maxnreg 32", ".reg .b32 %v<40>;\n" + wide + "ret;")).info().registers == 32);
}

// 60 values live at once; 256 threads have 8,192 registers of the tiny GPU's SM: 32 each.
TEST_CASE("generated code has as many registers as its blocks have room for") {
  std::string body = ".reg .pred %none;\n.reg .b32 %v<60>;\nsetp.ne.u32 %none, 0, 0;\n@!%none ret;\n";
  for (int i = 0; i < 60; ++i) {
    body += "ld.volatile.global.u32 %v" + std::to_string(i) + ", [0];\n";
  }
  for (int i = 0; i < 60; ++i) {
    body += "st.volatile.global.u32 [0], %v" + std::to_string(i) + ";\n";
  }
  body += "ret;";
  CHECK(Tiny(empty_kernel("", body)).info().registers >= 60);
  const std::uint32_t room = Tiny(empty_kernel(".maxntid 256", body)).info().registers;
  CHECK(room == 32);
  CHECK(Tiny(empty_kernel(".maxntid 64\n.minnctapersm 4", body)).info().registers == room);
  Tiny unbounded(empty_kernel("", body));
  CHECK(unbounded.launch({1, 1, 1}, {256, 1, 1}));
  CHECK(unbounded.info().registers == room);
  CHECK_THAT(unbounded.device.take_findings().front(), Catch::Contains("estimated"));
}

TEST_CASE("the kernel's bounds and the GPU limit blocks") {
  CHECK(Tiny().info().most_threads_per_block == 256);
  Tiny bounded(empty_kernel(".maxntid 32, 2, 1"));
  CHECK(bounded.info().most_threads_per_block == 64);
  CHECK(bounded.launch({1, 1, 1}, {64, 1, 1}));
  check_failure(bounded.launch({1, 1, 1}, {65, 1, 1}), Failure::kInvalidConfiguration, "at most 64");
}

TEST_CASE("grids, blocks and clusters beyond the GPU's limits are refused") {
  Tiny tiny;
  CHECK(tiny.launch({1, 1, 1}, {256, 1, 1}));
  check_failure(tiny.launch({0, 1, 1}, {32, 1, 1}), Failure::kInvalidConfiguration, "(0, 1, 1)");
  check_failure(tiny.launch({1, 65536, 1}, {32, 1, 1}), Failure::kInvalidConfiguration, "(1, 65536, 1)");
  check_failure(tiny.launch({1, 1, 1}, {257, 1, 1}), Failure::kInvalidConfiguration, "(257, 1, 1)");
  check_failure(tiny.launch({1, 1, 1}, {1, 1, 65}), Failure::kInvalidConfiguration, "(1, 1, 65)");
  Launch launch = launch_of({3, 1, 1}, {32, 1, 1});
  launch.cluster = {2, 1, 1};
  check_failure(tiny.device.launch(tiny.kernel, launch), Failure::kInvalidConfiguration, "clusters of (2, 1, 1)");
}

TEST_CASE("a block that needs more shared memory than an SM has is refused") {
  Tiny tiny;
  CHECK(tiny.device.launch(tiny.kernel, launch_of({1, 1, 1}, {32, 1, 1}, 15360)));
  check_failure(tiny.device.launch(tiny.kernel, launch_of({1, 1, 1}, {32, 1, 1}, 15361)), Failure::kOutOfResources,
                "kernel k: ");
}

TEST_CASE("a cooperative grid must be resident at once") {
  Tiny tiny;
  Launch launch = launch_of({8, 1, 1}, {32, 1, 1});
  launch.cooperative = true;
  CHECK(tiny.device.launch(tiny.kernel, launch));
  launch.grid.x = 9;
  check_failure(tiny.device.launch(tiny.kernel, launch), Failure::kCooperativeTooLarge, "8 are resident");
  launch.cooperative = false;
  CHECK(tiny.device.launch(tiny.kernel, launch));
}

TEST_CASE("a launch writes the memory that its parameters point to") {
  Tiny tiny(kHead + std::string(".visible .entry k(.param .u64 p) { .reg .b32 %t; .reg .b64 %a, %o;\n"
                                "ld.param.u64 %a, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4;\n"
                                "add.u64 %a, %a, %o; st.global.u32 [%a], %t; ret; }\n"));
  const Address out = tiny.device.memory().allocate(16);
  REQUIRE(tiny.launch({1, 1, 1}, {4, 1, 1}, {out}));
  std::vector<std::uint32_t> words(4);
  std::memcpy(words.data(), tiny.device.memory().host(out, 16), 16);
  CHECK(words == std::vector<std::uint32_t>{0, 1, 2, 3});
  // One more thread than words.
  check_failure(tiny.launch({1, 1, 1}, {5, 1, 1}, {out}), Failure::kIllegalAddress, "thread (4, 0, 0)");
}

TEST_CASE("a fault of a kernel becomes the error that a program gets") {
  Tiny trap(empty_kernel("", "trap;"));
  check_failure(trap.launch({1, 1, 1}, {1, 1, 1}), Failure::kTrap, "t.ptx:5: kernel k: thread (0, 0, 0)");
  Tiny misaligned(empty_kernel("", "mov.u64 %q1, 0; ld.shared.u32 %r1, [%q1+2]; ret;"));
  CHECK(misaligned.device.launch(misaligned.kernel, launch_of({1, 1, 1}, {1, 1, 1}, 64)).failure ==
        Failure::kMisalignedAddress);
  Tiny stuck(empty_kernel("", "bar.sync 0, 64; ret;"));
  check_failure(stuck.launch({1, 1, 1}, {32, 1, 1}), Failure::kTimeout, "deadlock");
}

TEST_CASE("a limit of instructions has its own error") {
  const DeviceOptions options = {.functional_only = true, .max_instructions = 1000};
  SimulatedDevice device(kConfigs + "test_tiny.yaml", options);
  ModuleId module = 0;
  KernelId kernel = 0;
  REQUIRE(device.load_module(empty_kernel("", "L: add.u32 %r1, %r1, 1; bra L;"), "t.ptx", module));
  REQUIRE(device.find_kernel(module, "k", kernel));
  check_failure(device.launch(kernel, launch_of({1, 1, 1}, {32, 1, 1})), Failure::kLimited, "1000 warp instructions");
}

TEST_CASE("reads of uninitialised shared memory are reported only if the check is on") {
  const DeviceOptions options = {.functional_only = true, .checks = {.uninitialised = false}};
  SimulatedDevice device(kConfigs + "test_tiny.yaml", options);
  ModuleId module = 0;
  KernelId kernel = 0;
  REQUIRE(device.load_module(empty_kernel("", ".shared .b32 s;\nld.shared.u32 %r1, [s]; ret;"), "t.ptx", module));
  REQUIRE(device.find_kernel(module, "k", kernel));
  REQUIRE(device.launch(kernel, launch_of({1, 1, 1}, {32, 1, 1})));
  CHECK(device.take_findings().empty());
  CHECK(device.check_summary().empty());
}

TEST_CASE("a finding is reported once for each kernel and line") {
  Tiny tiny(empty_kernel("", ".shared .b32 s;\nld.shared.u32 %r1, [s]; ret;"));
  REQUIRE(tiny.launch({2, 1, 1}, {32, 1, 1}));
  REQUIRE(tiny.launch({1, 1, 1}, {32, 1, 1}));
  const std::vector<std::string> findings = tiny.device.take_findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].find("t.ptx:6") != std::string::npos);
  CHECK(tiny.device.take_findings().empty());
}

TEST_CASE("output of kernels is returned once") {
  Tiny tiny(kHead + std::string(".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                                ".global .align 1 .b8 text[4] = {104, 105, 10, 0};\n"
                                ".visible .entry k() { .reg .b64 %a;\n.param .b64 f; .param .b64 a; .param .b32 r;\n"
                                "mov.u64 %a, text; cvta.global.u64 %a, %a; st.param.b64 [f], %a; st.param.b64 [a], 0;\n"
                                "call.uni (r), vprintf, (f, a); ret; }\n"));
  REQUIRE(tiny.launch({2, 1, 1}, {1, 1, 1}));
  CHECK(tiny.device.take_printed() == "hi\nhi\n");
  CHECK(tiny.device.take_printed().empty());
}

TEST_CASE("a module that is unloaded removes its kernels, not those of others") {
  Tiny tiny;
  ModuleId second = 0;
  KernelId kernel = 0;
  REQUIRE(tiny.device.load_module(empty_kernel(), "second.ptx", second));
  REQUIRE(tiny.device.find_kernel(second, "k", kernel));
  CHECK(kernel != tiny.kernel);
  tiny.device.unload_module(tiny.module);
  CHECK(tiny.device.launch(kernel, launch_of({1, 1, 1}, {32, 1, 1})));
}

}  // namespace
}  // namespace warpsim::cuda

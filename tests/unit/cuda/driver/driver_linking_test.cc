// The driver's linker with machine code: units that refer to each other run as one module.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cuda/current_device.h"
#include "cuda/device/simulated_device.h"
#include "cuda/driver/driver_api.h"
#include "cuda/modules/link_inputs.h"
#include "support/cuda_program.h"
#include "support/temporary_folder.h"

namespace warpsim::cuda {
namespace {

constexpr int kCubin = 0;
constexpr int kPtx = 1;
constexpr int kObject = 3;
constexpr int kLibrary = 4;
constexpr std::uint32_t kThreads = 32;

std::string unit(const std::string& name) {
  return TemporaryFolder::read(WARPSIM_SOURCE_DIR "/tests/data/sass/cubins/" + name);
}

struct Link {
  Link() {
    process_context().use_device(std::make_unique<SimulatedDevice>(WARPSIM_SOURCE_DIR "/configs/h200.yaml",
                                                                   DeviceOptions{.functional_only = true}));
    enter_primary_context();
    REQUIRE(cuLinkCreate_v2(0, nullptr, nullptr, &state) == 0);
  }
  ~Link() {
    cuLinkDestroy(state);
    process_context().use_device(nullptr);
  }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  int add(int type, const std::string& data, const char* name) const {
    return cuLinkAddData_v2(state, type, data.data(), data.size(), name, 0, nullptr, nullptr);
  }
  int complete() { return cuLinkComplete(state, &image, &bytes); }

  void* state = nullptr;
  void* image = nullptr;
  std::size_t bytes = 0;
};

struct Loaded {
  explicit Loaded(const Link& link) { REQUIRE(cuModuleLoadData(&module, link.image) == 0); }

  std::vector<int> run(const char* kernel_name, std::vector<int> values, int n, unsigned dynamic_bytes) const {
    KernelHandle kernel = nullptr;
    REQUIRE(cuModuleGetFunction(&kernel, module, kernel_name) == 0);
    std::uint64_t out = 0;
    REQUIRE(cuMemAlloc_v2(&out, values.size() * sizeof(int)) == 0);
    REQUIRE(cuMemcpyHtoD_v2(out, values.data(), values.size() * sizeof(int)) == 0);
    void* arguments[] = {&out, &n};
    REQUIRE(cuLaunchKernel(kernel, 1, 1, 1, kThreads, 1, 1, dynamic_bytes, nullptr, arguments, nullptr) == 0);
    REQUIRE(cuMemcpyDtoH_v2(values.data(), out, values.size() * sizeof(int)) == 0);
    return values;
  }
  std::vector<int> variable(const char* name) const {
    std::uint64_t address = 0;
    std::size_t bytes = 0;
    REQUIRE(cuModuleGetGlobal_v2(&address, &bytes, module, name) == 0);
    std::vector<int> values(bytes / sizeof(int));
    REQUIRE(cuMemcpyDtoH_v2(values.data(), address, bytes) == 0);
    return values;
  }

  ModuleHandle module = nullptr;
};

int scale(int x) {
  return 2 * x + 9 * x + (x + 1225) + x;
}

// An archive with one member.
std::string archive_of(const std::string& member) {
  std::string size = std::to_string(member.size());
  size.resize(10, ' ');
  std::string header = "unit.o/";
  header.resize(48, ' ');
  return "!<arch>\n" + header + size + "`\n" + member;
}

void check_kernels(const Link& link) {
  const Loaded loaded(link);
  const std::vector<int> zeros(kThreads, 0);
  constexpr int kNumber = 5;
  const std::vector<int> first = loaded.run("first", zeros, kNumber, 0);
  const std::vector<int> through = loaded.run("through_pointer", zeros, 0, kThreads * sizeof(int));
  std::vector<int> values(kThreads);
  for (int i = 0; i < static_cast<int>(kThreads); ++i) {
    const auto at = static_cast<std::size_t>(i);
    // local_function() of the first unit; table[1].
    CHECK(first[at] == scale(kNumber + 31 - i) + (kNumber * 7 + 6) + 2);
    CHECK(through[at] == scale(i) + i);
    values[at] = i;
  }
  CHECK(loaded.variable("launches") == std::vector<int>{3 + kThreads});
  CHECK(loaded.run("alone", values, 0, 0)[7] == 21);
  loaded.run("second", values, 0, 0);
  CHECK(loaded.variable("numbers")[9] == 27);
}

}  // namespace

TEST_CASE("the driver links relocatable cubins, which call each other's functions", "[machine_code]") {
  Link link;
  const bool reversed = GENERATE(false, true);
  REQUIRE(link.add(kCubin, unit(reversed ? "units_second.sm_90.cubin" : "units_first.sm_90.cubin"), "one") == 0);
  REQUIRE(link.add(kCubin, unit(reversed ? "units_first.sm_90.cubin" : "units_second.sm_90.cubin"), "other") == 0);
  REQUIRE(link.complete() == 0);
  check_kernels(link);
}

TEST_CASE("the driver links members of libraries that are needed", "[machine_code]") {
  Link link;
  REQUIRE(link.add(kObject, unit("units_first.sm_90.cubin"), "first") == 0);
  REQUIRE(link.add(kLibrary, archive_of(unit("relocatable.sm_90.cubin")), "unused.a") == 0);
  REQUIRE(link.add(kLibrary, archive_of(unit("units_second.sm_90.cubin")), "second.a") == 0);
  REQUIRE(link.complete() == 0);
  check_kernels(link);
  const Loaded loaded(link);
  KernelHandle kernel = nullptr;
  CHECK(cuModuleGetFunction(&kernel, loaded.module, "steps") == kNotFound);
}

TEST_CASE("the driver links files", "[machine_code]") {
  Link link;
  for (const char* const name : {"units_first.sm_90.cubin", "units_second.sm_90.cubin"}) {
    const std::string path = std::string(WARPSIM_SOURCE_DIR "/tests/data/sass/cubins/") + name;
    REQUIRE(cuLinkAddFile_v2(link.state, kCubin, path.c_str(), 0, nullptr, nullptr) == 0);
  }
  CHECK(cuLinkAddFile_v2(link.state, kCubin, "/nothing/here.cubin", 0, nullptr, nullptr) == kFileNotFound);
  REQUIRE(link.complete() == 0);
  check_kernels(link);
}

TEST_CASE("links of machine code that cannot be completed are errors", "[machine_code]") {
  Link link;
  CHECK(link.complete() == kInvalidValue);
  CHECK(link.add(kCubin, "text", "text") == kInvalidImage);
  CHECK(link.add(kLibrary, "text", "text") == kInvalidImage);
  const std::string archive = archive_of(unit("units_first.sm_90.cubin"));
  CHECK(link.add(kLibrary, archive.substr(0, archive.size() - 1), "short.a") == kInvalidImage);
  CHECK(link.add(5, "text", "bitcode") == kNotSupported);
  REQUIRE(link.add(kCubin, unit("units_first.sm_90.cubin"), "first") == 0);
  CHECK(link.complete() == kUnknown);
  SECTION("PTX beside machine code") {
    REQUIRE(link.add(kPtx, ".version 8.0\n.target sm_70\n.address_size 64\n", "ptx") == 0);
    CHECK(link.complete() == kNoBinaryForGpu);
  }
  SECTION("two definitions") {
    REQUIRE(link.add(kCubin, unit("units_second.sm_90.cubin"), "second") == 0);
    REQUIRE(link.add(kCubin, unit("units_second.sm_90.cubin"), "second again") == 0);
    CHECK(link.complete() == kUnknown);
  }
}

TEST_CASE("inputs of a link state what is wrong with them", "[machine_code]") {
  constexpr std::uint32_t kCapability = 90;
  const auto bytes_of = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  const std::string cubin = unit("units_first.sm_90.cubin");
  CHECK(unit_of_cubin(bytes_of(cubin), "first").cubin == cubin);
  CHECK(unit_of_object(bytes_of(cubin), "first", kCapability).cubin == cubin);
  CHECK_THROWS_WITH(unit_of_cubin(bytes_of("text"), "input"),
                    "input: no cubin; a relocatable one is expected (nvcc -rdc=true -cubin)");
  CHECK_THROWS_AS(unit_of_object(bytes_of("text"), "input", kCapability), UserError);
  CHECK_THROWS_AS(unit_of_fat_binary(bytes_of("text"), "input", kCapability), UserError);
  const std::string archive = archive_of(cubin) + archive_of(cubin).substr(8);
  const std::vector<LinkUnit> members = units_of_library(bytes_of(archive), "both.a", kCapability);
  REQUIRE(members.size() == 2);
  CHECK(members[0].name == "both.a (member at 0x8)");
  CHECK(members[1].cubin == cubin);
  CHECK_THROWS_WITH(units_of_library(bytes_of(archive + "x"), "both.a", kCapability),
                    Catch::Contains("the archive ends within the header of a member"));
  CHECK_THROWS_WITH(units_of_library(bytes_of("!<arch>\n" + std::string(60, 'x')), "bad.a", kCapability),
                    Catch::Contains("bad.a: offset 0x38: a member of 'xxxxxxxxxx' bytes"));
}

}  // namespace warpsim::cuda

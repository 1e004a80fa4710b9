// The shipped GPU descriptions: complete, and at least one for each compute capability from 1.0 to 9.0.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "config/config_tree.h"
#include "core/gpu/gpu_config.h"

namespace warpsim::test {
namespace {

namespace fs = std::filesystem;

const fs::path kConfigs = WARPSIM_SOURCE_DIR "/configs";

std::map<std::string, GpuConfig> shipped() {
  std::map<std::string, GpuConfig> gpus;
  for (const fs::directory_entry& entry : fs::directory_iterator(kConfigs)) {
    if (entry.path().extension() == ".yaml" && entry.path().stem() != "test_tiny") {
      gpus[entry.path().stem()] = ConfigTree::load(entry.path(), {}).read<GpuConfig>();
    }
  }
  return gpus;
}

std::uint32_t sm_count(const GpuConfig& gpu) {
  return Topology(gpu.topology).sm_count();
}

TEST_CASE("Shipped GPUs: each compute capability has at least one", "[core]") {
  std::set<std::string> capabilities;
  for (const auto& [name, gpu] : shipped()) {
    capabilities.insert(gpu.compute_capability);
  }
  CHECK(capabilities == std::set<std::string>{"1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "3.0", "3.2",
                                              "3.5", "3.7", "5.0", "5.2", "5.3", "6.0", "6.1", "6.2",
                                              "7.0", "7.2", "7.5", "8.0", "8.6", "8.7", "8.9", "9.0"});
}

TEST_CASE("Shipped GPUs: a family's file is named after its compute capability", "[core]") {
  for (const fs::directory_entry& entry : fs::directory_iterator(kConfigs / "families")) {
    const std::string stem = entry.path().stem();
    INFO(stem);
    // A family alone is not a GPU; with a GPU's name it states its capability.
    const fs::path folder = fs::absolute(kConfigs / "families");
    const std::string text = "extends: " + entry.path().filename().string() + "\n";
    std::string capability;
    auto tree = ConfigTree::parse(text, folder / "none.yaml", {});
    CHECK_THROWS(
        tree.read([&capability](ConfigSection& section) { section.text("compute_capability", capability, ""); }));
    CHECK(stem == "cc_" + capability.substr(0, 1) + "_" + capability.substr(2));
  }
}

TEST_CASE("Shipped GPUs: programmatic dependent launch is there from 9.0 on", "[core]") {
  for (const auto& [name, gpu] : shipped()) {
    INFO(name);
    CHECK(gpu.device_queues.programmatic_launches == (gpu.compute_capability == "9.0"));
  }
}

TEST_CASE("Shipped GPUs: the number of SMs is that of the product", "[core]") {
  const std::map<std::string, std::uint32_t> expected = {{"geforce8800gtx", 16},
                                                         {"geforce9800gtx", 16},
                                                         {"gt240", 12},
                                                         {"gtx280", 30},
                                                         {"gtx480", 15},
                                                         {"m2090", 16},
                                                         {"gtx560ti", 8},
                                                         {"gtx680", 8},
                                                         {"tegrak1", 1},
                                                         {"k40", 15},
                                                         {"k80", 13},
                                                         {"gtx750ti", 5},
                                                         {"gtx980", 16},
                                                         {"tegrax1", 2},
                                                         {"p100", 56},
                                                         {"gtx1080", 20},
                                                         {"tegrax2", 2},
                                                         {"v100", 80},
                                                         {"xavier", 8},
                                                         {"t4", 40},
                                                         {"rtx2080ti", 68},
                                                         {"a100", 108},
                                                         {"rtx3070", 46},
                                                         {"a6000", 84},
                                                         {"orin", 16},
                                                         {"rtx4090", 128},
                                                         {"h100", 132},
                                                         {"h200", 132}};
  const auto gpus = shipped();
  for (const auto& [name, sms] : expected) {
    INFO(name);
    REQUIRE(gpus.count(name) == 1);
    CHECK(sm_count(gpus.at(name)) == sms);
  }
}

}  // namespace
}  // namespace warpsim::test

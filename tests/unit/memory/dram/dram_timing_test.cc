#include "memory/dram/dram_timing.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "config/config_tree.h"

using namespace warpsim;

namespace {

// The DRAM section of the tiny GPU, with one value changed.
DramConfig read_dram(const std::string& override_text) {
  const std::string path = std::string(WARPSIM_SOURCE_DIR) + "/configs/test_tiny.yaml";
  ConfigTree tree = ConfigTree::load(path, {override_text});
  DramConfig config;
  try {
    tree.read([&config](ConfigSection& section) { section.nested("dram", config, "DRAM"); });
  } catch (const ConfigError& error) {
    // The other sections of the file are not read here; any error about this one is a failure.
    if (std::string(error.what()).find("'dram.") != std::string::npos) {
      throw;
    }
  }
  return config;
}

}  // namespace

TEST_CASE("DRAM timing: each constraint is read under its JEDEC name") {
  CHECK(read_dram("dram.timing_cycles.t_rcd=17").timing.t_rcd == 17);
  CHECK(read_dram("dram.timing_cycles.t_faw=23").timing.t_faw == 23);
  CHECK(read_dram("dram.timing_cycles.t_wtr_l=9").timing.t_wtr_l == 9);
  CHECK(read_dram("dram.refresh=all_bank").refresh == RefreshMode::kAllBank);
}

TEST_CASE("DRAM timing: a constraint of zero cycles is refused with its path") {
  CHECK_THROWS_WITH(read_dram("dram.timing_cycles.t_rcd=0"), Catch::Contains("'dram.timing_cycles.t_rcd'"));
  CHECK_THROWS_WITH(read_dram("dram.refresh=sometimes"), Catch::Contains("'dram.refresh'"));
}

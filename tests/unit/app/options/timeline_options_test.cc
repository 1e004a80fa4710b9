#include "app/options/timeline_options.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support/program.h"

using namespace warpsim;

namespace {

TEST_CASE("a timeline's window and lists are read strictly") {
  TimelineOptions options;
  set_window(options, "100:2000");
  CHECK(options.from == 100);
  CHECK(options.to == 2000);
  for (const char* text : {"", "5", "5:", ":5", "5:5", "6:5", "a:9", "1:9x", "-1:4"}) {
    CHECK_THROWS_WITH(set_window(options, text), Catch::Contains("expected FROM:TO in core cycles"));
  }
  CHECK(number_list("timeline-sms", "0,3-5") == std::vector<std::uint32_t>{0, 3, 4, 5});
  for (const char* text : {"", ",", "1,", "3-2", "2,1", "1,1", "x", "0-9999999", "1-"}) {
    CHECK_THROWS_WITH(number_list("timeline-sms", text), Catch::StartsWith("--timeline-sms '" + std::string(text)));
  }
}

TEST_CASE("SMs of a timeline are the first with work, all, or a list") {
  CHECK(TimelineOptions{}.sms.kind == SmSelection::Kind::kFirstBlock);
  CHECK(sm_selection("timeline-sms", "first").kind == SmSelection::Kind::kFirstBlock);
  CHECK(sm_selection("timeline-sms", "all").kind == SmSelection::Kind::kAll);
  const SmSelection listed = sm_selection("timeline-sms", "2,4-5");
  CHECK(listed.kind == SmSelection::Kind::kListed);
  CHECK(listed.numbers == std::vector<std::uint32_t>{2, 4, 5});
  CHECK_THROWS_WITH(
      sm_selection("timeline-blocks", "some"),
      "--timeline-blocks 'some': expected ascending numbers and ranges, for example 0,3-5, or first, or all");
}

TEST_CASE("an impossible timeline is refused with the reason") {
  const TemporaryFolder folder;
  const std::string run = "run " WARPSIM_SOURCE_DIR "/traces/vecadd.wtrace --gpu test_tiny --out " + folder.at("r.db");
  const auto error = [&](const std::string& options) {
    const test::ProgramOutcome outcome = test::run_program(run + " --replace " + options);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  const std::string file = " --timeline " + folder.at("t.pftrace");
  CHECK_THAT(error("--timeline-window 0:9"), Catch::Contains("--timeline-window needs --timeline FILE"));
  CHECK_THAT(error("--timeline-sub-cores 0"), Catch::Contains("--timeline-sub-cores needs --timeline FILE"));
  CHECK_THAT(error(file + " --timeline-launch 7"), Catch::Contains("--timeline-launch 7: no such launch"));
  CHECK_THAT(error(file + " --timeline-sms 700"), Catch::Contains("there is no SM 700 to show: the GPU has"));
  CHECK_THAT(error(file + " --timeline-blocks 0,700"), Catch::Contains("there is no SM 700 to show: the GPU has"));
  CHECK_THAT(error(file + " --timeline-sub-cores 70"), Catch::Contains("there is no sub-core 70 to show: an SM has"));
  CHECK_THAT(error(file + " --timeline-warp-slots 70"),
             Catch::Contains("there is no warp slot 70 to show: a sub-core"));
  CHECK_THAT(error(file + " --timeline-channels 900"), Catch::Contains("there is no DRAM channel 900"));
  CHECK_THAT(error(WARPSIM_SOURCE_DIR "/traces/vecadd.wtrace" + file), Catch::Contains("several traces"));
}

}  // namespace

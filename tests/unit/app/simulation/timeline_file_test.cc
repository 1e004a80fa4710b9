// Timelines of runs of PTX, as a user requests them.
#include "app/simulation/timeline_file.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>

#include "base/error.h"
#include "perfetto_trace.pb.h"
#include "support/program.h"

namespace warpsim {
namespace {

const std::string kVectorAdd =
    "run " WARPSIM_SOURCE_DIR "/examples/vector_add/vector_add.ptx --gpu test_tiny --launch ";

struct ShownRun {
  std::string title;
  std::map<std::string, int> slices;  // begun, by name
  std::set<std::string> tracks;       // names
  std::set<std::string> texts;        // of arguments
};

ShownRun read(const std::string& path) {
  perfetto::Trace trace;
  std::ifstream file(path, std::ios::binary);
  REQUIRE(trace.ParseFromIstream(&file));
  ShownRun run;
  std::map<std::uint64_t, std::string> names;
  for (const perfetto::TracePacket& packet : trace.packet()) {
    if (packet.track_descriptor().has_process()) {
      run.title = packet.track_descriptor().process().process_name();
    }
    for (const perfetto::EventName& name : packet.interned_data().event_names()) {
      names[name.iid()] = name.name();
    }
    for (const perfetto::InternedString& text : packet.interned_data().debug_annotation_string_values()) {
      run.texts.insert(text.str());
    }
    if (packet.has_track_descriptor()) {
      run.tracks.insert(packet.track_descriptor().name());
    }
    if (packet.track_event().type() == perfetto::TrackEvent::TYPE_SLICE_BEGIN) {
      ++run.slices[names.at(packet.track_event().name_iid())];
    }
  }
  return run;
}

TEST_CASE("a timeline of PTX shows one launch, with all its blocks and the issues of its warps") {
  const TemporaryFolder folder;
  const std::string launch =
      folder.write("l.yaml",
                   "launches:\n"
                   "  - {kernel: vector_add, grid: 1, block: 32, parameters: [x, x, x, {s32: 9}]}\n"
                   "  - {kernel: vector_add, grid: 4, block: 64, parameters: [x, x, x, {s32: 200}]}\n"
                   "buffers: [{name: x, type: f32, elements: 256}]\n");
  const std::string file = folder.at("t.pftrace");
  const auto shown = [&](const std::string& options) {
    const test::ProgramOutcome outcome = test::run_program(
        kVectorAdd + launch + " --timeline " + file + " --timeline-window 0:1000000 --timeline-blocks all" + options);
    INFO(outcome.err);
    CHECK(outcome.code == 0);
    return read(file);
  };
  const ShownRun first = shown("");
  CHECK_THAT(first.title,
             Catch::StartsWith("launch 0, ") && Catch::Contains("vector_add") && Catch::EndsWith("test_tiny"));
  const ShownRun second = shown(" --timeline-launch 1");
  CHECK_THAT(second.title, Catch::StartsWith("launch 1, "));
  CHECK(first.slices.count("block 0") == 1);
  CHECK(first.slices.count("block 3") == 0);
  CHECK(second.slices.count("block 3") == 1);
  CHECK(first.slices.at("selected") > 0);
  CHECK(second.slices.at("selected") > first.slices.at("selected"));
}

TEST_CASE("a timeline of a trace shows one SM, readable names and instructions with their operands") {
  const TemporaryFolder folder;
  const std::string file = folder.at("t.pftrace");
  const test::ProgramOutcome outcome =
      test::run_program("run " WARPSIM_SOURCE_DIR "/traces/vecadd.wtrace --gpu test_tiny --progress never --out " +
                        folder.at("r.db") + " --timeline " + file + " --timeline-window 0:4000");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  const ShownRun run = read(file);
  CHECK_THAT(run.title, Catch::StartsWith("launch 0, k_vecadd(") && Catch::Contains("float"));
  const auto is_sm = [](const std::string& name) { return name.starts_with("SM "); };
  CHECK(std::ranges::count_if(run.tracks, is_sm) == 1);
  CHECK(run.slices.count("selected") == 1);
  const auto adds = [](const std::string& text) {
    return text.find("FADD R") != std::string::npos && text.find(", R") != std::string::npos;
  };
  CHECK(std::ranges::count_if(run.texts, adds) >= 1);
}

TEST_CASE("an impossible timeline of PTX is refused with the reason") {
  const TemporaryFolder folder;
  const std::string run = kVectorAdd + WARPSIM_SOURCE_DIR "/examples/vector_add/launch.yaml --timeline ";
  const auto error = [&](const std::string& options) {
    const test::ProgramOutcome outcome = test::run_program(run + options);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  const std::string file = folder.at("t.pftrace");
  CHECK_THAT(error(file + " --timeline-launch 7"), Catch::Contains("--timeline-launch 7: no such launch"));
  CHECK_THAT(error(file + " --timeline-sms 700"), Catch::Contains("there is no SM 700 to show"));
  CHECK_THAT(error(file + " --functional-only"), Catch::Contains("--functional-only simulates no timing"));
  CHECK_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace warpsim

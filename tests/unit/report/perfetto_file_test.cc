#include "report/perfetto_file.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "base/error.h"
#include "perfetto_trace.pb.h"
#include "support/temporary_folder.h"

using namespace warpsim;

namespace {

perfetto::Trace read(const std::string& path) {
  perfetto::Trace trace;
  std::ifstream file(path, std::ios::binary);
  REQUIRE(trace.ParseFromIstream(&file));
  return trace;
}

TEST_CASE("perfetto: tracks, slices in order, values, names stored once") {
  Timeline timeline;
  TimelinePart& part = timeline.add_part();
  const TimelinePart::Track sm = part.add_track({"SM 0"});
  const TimelinePart::Track warp = part.add_track({"warp 0", sm});
  const TimelinePart::Track queue = part.add_track({"queue", sm, TimelinePart::Clock::kCore, "requests"});
  timeline.open({100, 200, 1}, {});
  part.slice(warp, part.name("wait"), 110, 120);
  part.value(queue, 105, 3);
  part.slice(warp, part.name("selected"), 120, 121);
  timeline.close();
  const TemporaryFolder folder;
  write_perfetto(folder.at("t.pftrace"), timeline, {"launch", 50});

  const perfetto::Trace trace = read(folder.at("t.pftrace"));
  std::map<std::uint64_t, perfetto::TrackDescriptor> tracks;
  std::map<std::uint64_t, std::string> names;
  std::vector<std::string> events;
  for (const perfetto::TracePacket& packet : trace.packet()) {
    CHECK(packet.trusted_packet_sequence_id() == 1);
    CHECK(packet.unknown_fields().empty());
    if (packet.has_track_descriptor()) {
      tracks[packet.track_descriptor().uuid()] = packet.track_descriptor();
    }
    for (const perfetto::EventName& name : packet.interned_data().event_names()) {
      names[name.iid()] = name.name();
    }
    if (packet.has_track_event()) {
      const perfetto::TrackEvent& event = packet.track_event();
      REQUIRE(tracks.count(event.track_uuid()) == 1);
      const std::string what = event.type() == perfetto::TrackEvent::TYPE_COUNTER
                                   ? std::to_string(event.counter_value())
                                   : (event.has_name_iid() ? names.at(event.name_iid()) : "end");
      events.push_back(std::to_string(packet.timestamp()) + " " + tracks[event.track_uuid()].name() + " " + what);
    }
  }
  REQUIRE(tracks.size() == 4);
  CHECK(tracks[1].process().process_name() == "launch");
  CHECK(tracks[2].parent_uuid() == 1);
  CHECK(tracks[3].parent_uuid() == 2);
  CHECK(tracks[4].counter().unit_name() == "requests");
  CHECK(events == std::vector<std::string>{"60 warp 0 wait", "70 warp 0 end", "70 warp 0 selected", "71 warp 0 end",
                                           "55 queue 3"});
}

TEST_CASE("perfetto: slices have the text, address and source line of their instruction as arguments") {
  Timeline timeline;
  TimelinePart& part = timeline.add_part();
  const TimelinePart::Track warp = part.add_track({"warp"});
  timeline.set_instructions({{0x10, "LDG.E R2, [R4.64]", "a.cu:7"}, {0x20, "EXIT", ""}});
  timeline.open({0, 100, 1}, {});
  part.state(warp, part.name("wait"), 0, 10, 0);
  part.state(warp, part.name("wait"), 10, 20, 1);
  part.state(warp, part.name("drain"), 20, 30);
  timeline.close();
  const TemporaryFolder folder;
  write_perfetto(folder.at("t.pftrace"), timeline, {"launch"});

  std::map<std::uint64_t, std::string> names;
  std::map<std::uint64_t, std::string> texts;
  std::vector<std::vector<std::string>> arguments;
  const perfetto::Trace trace = read(folder.at("t.pftrace"));
  for (const perfetto::TracePacket& packet : trace.packet()) {
    CHECK(packet.unknown_fields().empty());
    for (const perfetto::DebugAnnotationName& name : packet.interned_data().debug_annotation_names()) {
      names[name.iid()] = name.name();
    }
    for (const perfetto::InternedString& text : packet.interned_data().debug_annotation_string_values()) {
      texts[text.iid()] = text.str();
    }
    if (packet.track_event().type() == perfetto::TrackEvent::TYPE_SLICE_BEGIN) {
      std::vector<std::string>& of_slice = arguments.emplace_back();
      for (const perfetto::DebugAnnotation& argument : packet.track_event().debug_annotations()) {
        const std::string value = argument.has_string_value_iid() ? texts.at(argument.string_value_iid())
                                                                  : std::to_string(argument.pointer_value());
        of_slice.push_back(names.at(argument.name_iid()) + "=" + value);
      }
    }
  }
  CHECK(arguments ==
        std::vector<std::vector<std::string>>{
            {"instruction=LDG.E R2, [R4.64]", "address=16", "source=a.cu:7"}, {"instruction=EXIT", "address=32"}, {}});
}

TEST_CASE("perfetto: tracks without events are omitted, those above tracks with events are kept") {
  Timeline timeline;
  TimelinePart& part = timeline.add_part();
  const TimelinePart::Track used = part.add_track({"SM 0"});
  const TimelinePart::Track slot = part.add_track({"slot", used});
  part.add_track({"empty slot", used});
  part.add_track({"SM 1"});
  timeline.open({0, 100, 1}, {});
  part.slice(slot, part.name("block 0"), 0, 10);
  timeline.close();
  const TemporaryFolder folder;
  write_perfetto(folder.at("t.pftrace"), timeline, {"launch"});
  std::vector<std::string> names;
  const perfetto::Trace trace = read(folder.at("t.pftrace"));
  for (const perfetto::TracePacket& packet : trace.packet()) {
    if (packet.has_track_descriptor() && !packet.track_descriptor().has_process()) {
      names.push_back(packet.track_descriptor().name());
    }
  }
  CHECK(names == std::vector<std::string>{"SM 0", "slot"});
}

TEST_CASE("perfetto: a file that cannot be written is an error with its name, and no file is left") {
  const Timeline timeline;
  CHECK_THROWS_WITH(write_perfetto("/nowhere/t.pftrace", timeline, {"t"}),
                    Catch::Contains("/nowhere/t.pftrace: cannot be written"));
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.at("taken/inside"));
  CHECK_THROWS_AS(write_perfetto(folder.at("taken"), timeline, {"t"}), UserError);
}

}  // namespace

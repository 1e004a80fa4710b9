#include "report/perfetto_work.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "base/error.h"
#include "perfetto_trace.pb.h"
#include "report/device_pieces.h"
#include "support/device_work.h"

using namespace warpsim;

namespace {

QueryTable work_by_hand(const std::string& change = "") {
  Database database(":memory:", Database::Mode::kCreate);
  test::fill_device_work(database);
  if (!change.empty()) {
    database.execute(change);
  }
  return read_table(database, "SELECT * FROM device_timeline");
}

struct Decoded {
  perfetto::Trace trace;
  std::map<std::uint64_t, perfetto::TrackDescriptor> tracks;
  std::map<std::uint64_t, std::string> names;
  std::map<std::uint64_t, std::string> arguments;

  explicit Decoded(const std::string& content) {
    REQUIRE(trace.ParseFromString(content));
    for (const perfetto::TracePacket& packet : trace.packet()) {
      CHECK(packet.trusted_packet_sequence_id() == 1);
      CHECK(packet.unknown_fields().empty());
      if (packet.has_track_descriptor()) {
        CHECK(tracks.emplace(packet.track_descriptor().uuid(), packet.track_descriptor()).second);
      }
      for (const perfetto::EventName& name : packet.interned_data().event_names()) {
        names[name.iid()] = name.name();
      }
      for (const perfetto::DebugAnnotationName& name : packet.interned_data().debug_annotation_names()) {
        arguments[name.iid()] = name.name();
      }
    }
  }

  // "GPU 0: G/stream 7"
  std::string path(std::uint64_t track) const {
    const perfetto::TrackDescriptor& descriptor = tracks.at(track);
    return tracks.at(descriptor.parent_uuid()).name() + "/" + descriptor.name();
  }

  // "10000-30000 first" by track path; the events of each track in the order of the file. An event that ends before it
  // begins, or that overlaps the one before it, fails.
  std::multimap<std::string, std::string> slices() const {
    std::multimap<std::string, std::string> all;
    std::map<std::uint64_t, const perfetto::TracePacket*> open;
    std::map<std::uint64_t, std::uint64_t> last;
    for (const perfetto::TracePacket& packet : trace.packet()) {
      const perfetto::TrackEvent& event = packet.track_event();
      if (!packet.has_track_event() || event.type() == perfetto::TrackEvent::TYPE_COUNTER) {
        continue;
      }
      const std::uint64_t track = event.track_uuid();
      if (event.type() == perfetto::TrackEvent::TYPE_INSTANT) {
        all.emplace(path(track), std::to_string(packet.timestamp()) + " " + names.at(event.name_iid()));
        continue;
      }
      CHECK(packet.timestamp() >= last[track]);
      last[track] = packet.timestamp();
      if (event.type() == perfetto::TrackEvent::TYPE_SLICE_BEGIN) {
        CHECK(open[track] == nullptr);
        open[track] = &packet;
      } else {
        REQUIRE(open[track] != nullptr);
        all.emplace(path(track), std::to_string(open[track]->timestamp()) + "-" + std::to_string(packet.timestamp()) +
                                     " " + names.at(open[track]->track_event().name_iid()));
        open[track] = nullptr;
      }
    }
    return all;
  }
};

std::multiset<std::string> at(const std::multimap<std::string, std::string>& slices, const std::string& track) {
  std::multiset<std::string> found;
  for (auto [place, end] = slices.equal_range(track); place != end; ++place) {
    found.insert(place->second);
  }
  return found;
}

TEST_CASE("perfetto: work of devices is on tracks of streams, kernels, copies and graphs") {
  const Decoded decoded(perfetto_of_work(work_by_hand()));
  const auto slices = decoded.slices();
  using Texts = std::multiset<std::string>;
  CHECK(at(slices, "GPU 0: G/stream 7") == Texts{"0-10000 copy to device", "10000-30000 first", "15000-25000 first"});
  CHECK(at(slices, "GPU 0: G/default stream") == Texts{"30000-31000 first"});
  CHECK(at(slices, "GPU 0: G/kernels") == Texts{"10000-30000 first", "15000-25000 first", "30000-31000 first"});
  CHECK(at(slices, "GPU 0: G/copies to device") == Texts{"0-10000 copy to device"});
  CHECK(at(slices, "GPU 0: G/work of graphs") == Texts{"10000-30000 first", "15000-25000 first"});
  CHECK(at(slices, "GPU 0: G/submitted by the host") ==
        Texts{"0 copy to device", "1000 first", "1000 first", "2000 first"});
  CHECK(at(slices, "GPU 1: H/stream 7") == Texts{"4000-6000 copy between devices"});
  CHECK(at(slices, "GPU 1: H/copies between devices") == Texts{"4000-6000 copy between devices"});
  CHECK(slices.size() == 17);
  // Of one run: one process. Nothing is on a track without work.
  int processes = 0;
  for (const auto& [uuid, track] : decoded.tracks) {
    processes += track.has_process() ? 1 : 0;
  }
  CHECK(processes == 1);
  CHECK(decoded.tracks.at(1).process().process_name() == "two");
  CHECK(decoded.tracks.at(2).child_ordering() == perfetto::TrackDescriptor::EXPLICIT);
}

TEST_CASE("perfetto: kernels at once, flows from the submission to the start, arguments") {
  const Decoded decoded(perfetto_of_work(work_by_hand()));
  std::string counts;
  std::map<std::uint64_t, int> flows;
  std::map<std::string, std::string> values;  // of the second kernel, in its stream
  for (const perfetto::TracePacket& packet : decoded.trace.packet()) {
    const perfetto::TrackEvent& event = packet.track_event();
    if (event.type() == perfetto::TrackEvent::TYPE_COUNTER) {
      counts += std::to_string(packet.timestamp()) + ":" + std::to_string(event.counter_value()) + " ";
    }
    for (const std::uint64_t flow : event.flow_ids()) {
      CHECK(event.type() == perfetto::TrackEvent::TYPE_INSTANT);
      ++flows[flow];
    }
    for (const std::uint64_t flow : event.terminating_flow_ids()) {
      CHECK(event.type() == perfetto::TrackEvent::TYPE_SLICE_BEGIN);
      CHECK(decoded.path(event.track_uuid()).find("stream") != std::string::npos);
      ++flows[flow];
    }
    if (packet.timestamp() == 15000 && !event.terminating_flow_ids().empty()) {
      for (const perfetto::DebugAnnotation& argument : event.debug_annotations()) {
        values[decoded.arguments.at(argument.name_iid())] =
            argument.has_string_value()   ? argument.string_value()
            : argument.has_double_value() ? std::to_string(static_cast<int>(argument.double_value()))
            : argument.has_bool_value()   ? (argument.bool_value() ? "yes" : "no")
                                          : std::to_string(argument.int_value());
      }
    }
  }
  CHECK(counts == "10000:1 15000:2 25000:1 30000:1 31000:0 ");
  CHECK(flows == std::map<std::uint64_t, int>{{1, 2}, {2, 2}, {3, 2}, {4, 2}, {5, 2}});
  CHECK(values == std::map<std::string, std::string>{{"work", "3"},
                                                     {"kind", "kernel"},
                                                     {"launch", "1"},
                                                     {"stream", "7"},
                                                     {"in graph", "yes"},
                                                     {"priority", "-1"},
                                                     {"waited for work before, us", "9"},
                                                     {"waited for queue, us", "3"},
                                                     {"waited for place, us", "2"}});
}

TEST_CASE("perfetto: lanes hold work that does not overlap, and ends are no overlap") {
  std::vector<DevicePiece> pieces(4);
  const std::uint64_t times[][2] = {{0, 10}, {5, 8}, {8, 20}, {10, 12}};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].start = times[i][0];
    pieces[i].end = times[i][1];
  }
  CHECK(lanes_of(pieces, {0, 1, 2, 3}) == std::vector<std::vector<std::size_t>>{{0, 3}, {1, 2}});
  CHECK(lanes_of(pieces, {2}) == std::vector<std::vector<std::size_t>>{{2}});
}

TEST_CASE("perfetto: a value of another type is an error that names the column") {
  CHECK_THROWS_WITH(perfetto_of_work(work_by_hand("UPDATE device_work SET end_ns = -1000 WHERE work_index = 1")),
                    Catch::EndsWith("a piece of work of a device has no valid end_us"));
}

}  // namespace

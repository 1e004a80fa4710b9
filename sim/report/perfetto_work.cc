#include "report/perfetto_work.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <vector>

#include "report/device_pieces.h"
#include "report/perfetto_packets.h"

namespace warpsim {

namespace {

namespace pf = perfetto;

// Names of slice arguments, by number from 1.
enum WorkArgument : std::uint8_t {
  kNumber = 1,
  kKind,
  kLaunch,
  kStream,
  kGraph,
  kPriority,
  kBytes,
  kPeer,
  kWaitedForWork,
  kWaitedForQueue,
  kWaitedForPlace
};
constexpr const char* kWorkArguments[] = {"work",
                                          "kind",
                                          "launch",
                                          "stream",
                                          "in graph",
                                          "priority",
                                          "bytes",
                                          "other device",
                                          "waited for work before, us",
                                          "waited for queue, us",
                                          "waited for place, us"};

// Of the driver, in no stream.
constexpr const char* kPageFaults = "page faults";
constexpr const char* kDirections[][2] = {{"copy to device", "copies to device"},
                                          {"copy to host", "copies to host"},
                                          {"copy between devices", "copies between devices"},
                                          {"copy in device", "copies in device"},
                                          {"fill", "fills"},
                                          {"migration", "migrations of managed memory"},
                                          {kPageFaults, "batches of page faults"}};

const std::string& name_of(const DevicePiece& piece) {
  return piece.kernel.empty() ? piece.kind : piece.kernel;
}

class WorkWriter {
 public:
  WorkWriter(std::string& out, const std::vector<DevicePieces>& devices) : packets_(out), devices_(devices) {}

  void write() {
    name_all();
    for (const DevicePieces& device : devices_) {
      device_ = &device;
      write_device();
    }
  }

 private:
  // Each name is written once; events name it by number.
  void name_all() {
    pf::TracePacket packet = PerfettoPackets::packet();
    packet.set_sequence_flags(pf::TracePacket::SEQ_INCREMENTAL_STATE_CLEARED);
    pf::InternedData& interned = *packet.mutable_interned_data();
    for (std::size_t i = 0; i < std::size(kWorkArguments); ++i) {
      pf::DebugAnnotationName& name = *interned.add_debug_annotation_names();
      name.set_iid(i + 1);
      name.set_name(kWorkArguments[i]);
    }
    for (const DevicePieces& device : devices_) {
      for (const DevicePiece& piece : device.pieces) {
        if (names_.try_emplace(name_of(piece), names_.size() + 1).second) {
          pf::EventName& name = *interned.add_event_names();
          name.set_iid(names_.size());
          name.set_name(name_of(piece));
        }
      }
    }
    packets_.put(packet);
  }

  void write_device() {
    if (device_ == devices_.data() || device_[-1].run != device_->run) {
      describe_run();
    }
    rank_ = 0;
    pf::TracePacket packet = PerfettoPackets::packet();
    pf::TrackDescriptor& descriptor = *packet.mutable_track_descriptor();
    parent_ = ++tracks_;
    descriptor.set_uuid(parent_);
    descriptor.set_name(fmt::format("GPU {}: {}", device_->device, device_->gpu));
    descriptor.set_parent_uuid(process_);
    // Only tracks below one that is no process have an order of their own.
    descriptor.set_child_ordering(pf::TrackDescriptor::EXPLICIT);
    packets_.put(packet);
    first_flow_ = flows_;
    flows_ += device_->pieces.size();
    write_submissions();
    write_counts();
    write_lanes("kernels", [](const DevicePiece& piece) { return piece.kind == "kernel"; });
    write_streams();
    for (const auto& [kind, name] : kDirections) {
      write_lanes(name, [kind = kind](const DevicePiece& piece) { return piece.kind == kind; });
    }
    write_lanes("work of graphs", [](const DevicePiece& piece) { return piece.in_graph; });
  }

  void describe_run() {
    process_ = ++tracks_;
    pf::TracePacket packet = PerfettoPackets::packet();
    pf::TrackDescriptor& descriptor = *packet.mutable_track_descriptor();
    descriptor.set_uuid(process_);
    descriptor.mutable_process()->set_pid(++processes_);
    descriptor.mutable_process()->set_process_name(device_->run);
    packets_.put(packet);
  }

  std::uint64_t add_track(const std::string& name, const char* unit = nullptr) {
    pf::TracePacket packet = PerfettoPackets::packet();
    pf::TrackDescriptor& descriptor = *packet.mutable_track_descriptor();
    descriptor.set_uuid(++tracks_);
    descriptor.set_name(name);
    descriptor.set_parent_uuid(parent_);
    descriptor.set_sibling_order_rank(rank_);
    if (unit != nullptr) {
      descriptor.mutable_counter()->set_unit_name(unit);
    }
    packets_.put(packet);
    return tracks_;
  }

  static pf::TracePacket event(std::uint64_t track, std::uint64_t nanoseconds, pf::TrackEvent::Type type) {
    pf::TracePacket packet = PerfettoPackets::packet();
    packet.set_sequence_flags(pf::TracePacket::SEQ_NEEDS_INCREMENTAL_STATE);
    packet.set_timestamp(nanoseconds);
    packet.mutable_track_event()->set_type(type);
    packet.mutable_track_event()->set_track_uuid(track);
    return packet;
  }

  std::uint64_t flow(std::size_t piece) const { return first_flow_ + piece + 1; }

  void write_submissions() {
    ++rank_;
    const std::uint64_t track = add_track("submitted by the host");
    for (std::size_t i = 0; i < device_->pieces.size(); ++i) {
      const DevicePiece& piece = device_->pieces[i];
      if (piece.kind == kPageFaults) {
        continue;
      }
      pf::TracePacket packet = event(track, piece.submitted, pf::TrackEvent::TYPE_INSTANT);
      packet.mutable_track_event()->set_name_iid(names_.at(name_of(piece)));
      packet.mutable_track_event()->add_flow_ids(flow(i));
      packets_.put(packet);
    }
  }

  void write_counts() {
    std::map<std::uint64_t, std::int64_t> changes;
    for (const DevicePiece& piece : device_->pieces) {
      if (piece.kind == "kernel") {
        ++changes[piece.start];
        --changes[piece.end];
      }
    }
    if (changes.empty()) {
      return;
    }
    ++rank_;
    const std::uint64_t track = add_track("kernels at once", "kernels");
    std::int64_t count = 0;
    for (const auto& [time, change] : changes) {
      count += change;
      pf::TracePacket packet = event(track, time, pf::TrackEvent::TYPE_COUNTER);
      packet.mutable_track_event()->set_counter_value(count);
      packets_.put(packet);
    }
  }

  void write_streams() {
    std::map<std::int64_t, std::vector<std::size_t>> streams;
    for (std::size_t i = 0; i < device_->pieces.size(); ++i) {
      if (device_->pieces[i].kind != kPageFaults) {
        streams[device_->pieces[i].stream].push_back(i);
      }
    }
    for (const auto& [stream, chosen] : streams) {
      write_lanes(stream == 0 ? "default stream" : fmt::format("stream {}", stream), chosen, true);
    }
  }

  void write_lanes(const std::string& name, const std::function<bool(const DevicePiece&)>& belongs) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < device_->pieces.size(); ++i) {
      if (belongs(device_->pieces[i])) {
        chosen.push_back(i);
      }
    }
    write_lanes(name, chosen, false);
  }

  // `flows`: the track to whose slices the flows from the submissions lead.
  void write_lanes(const std::string& name, const std::vector<std::size_t>& chosen, bool flows) {
    ++rank_;
    for (const std::vector<std::size_t>& lane : lanes_of(device_->pieces, chosen)) {
      const std::uint64_t track = add_track(name);
      for (const std::size_t i : lane) {
        const DevicePiece& piece = device_->pieces[i];
        pf::TracePacket begin = event(track, piece.start, pf::TrackEvent::TYPE_SLICE_BEGIN);
        begin.mutable_track_event()->set_name_iid(names_.at(name_of(piece)));
        if (flows) {
          begin.mutable_track_event()->add_terminating_flow_ids(flow(i));
        }
        add_arguments(*begin.mutable_track_event(), piece);
        packets_.put(begin);
        packets_.put(event(track, piece.end, pf::TrackEvent::TYPE_SLICE_END));
      }
    }
  }

  static void add_arguments(pf::TrackEvent& event, const DevicePiece& piece) {
    const auto add = [&event](WorkArgument name) -> pf::DebugAnnotation& {
      pf::DebugAnnotation& argument = *event.add_debug_annotations();
      argument.set_name_iid(name);
      return argument;
    };
    add(kNumber).set_int_value(piece.index);
    add(kKind).set_string_value(piece.kind);
    if (piece.launch) {
      add(kLaunch).set_int_value(*piece.launch);
    }
    add(kStream).set_int_value(piece.stream);
    add(kGraph).set_bool_value(piece.in_graph);
    add(kPriority).set_int_value(piece.priority);
    if (piece.bytes != 0) {
      add(kBytes).set_int_value(piece.bytes);
    }
    if (piece.peer) {
      add(kPeer).set_int_value(*piece.peer);
    }
    add(kWaitedForWork).set_double_value(piece.waited_for_work);
    add(kWaitedForQueue).set_double_value(piece.waited_for_queue);
    add(kWaitedForPlace).set_double_value(piece.waited_for_place);
  }

  PerfettoPackets packets_;
  const std::vector<DevicePieces>& devices_;
  const DevicePieces* device_ = nullptr;  // that is being written
  std::map<std::string, std::uint64_t> names_;
  std::uint64_t tracks_ = 0;
  std::uint64_t process_ = 0;  // of the run
  std::uint64_t parent_ = 0;   // of the device
  std::uint64_t flows_ = 0;
  std::uint64_t first_flow_ = 0;
  std::int32_t processes_ = 0;
  std::int32_t rank_ = 0;
};

}  // namespace

std::string perfetto_of_work(const QueryTable& work) {
  const std::vector<DevicePieces> devices = device_pieces(work);
  std::string content;
  { WorkWriter(content, devices).write(); }
  return content;
}

}  // namespace warpsim

#include "report/perfetto_file.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/output_file.h"
#include "report/perfetto_packets.h"

namespace warpsim {

namespace {

namespace pf = perfetto;

constexpr std::uint64_t kProcess = 1;  // uuid of the whole
// Names of slice arguments, by number from 1.
enum ArgumentName : std::uint8_t { kInstructionArgument = 1, kAddressArgument, kSourceArgument };
constexpr const char* kArgumentNames[] = {"instruction", "address", "source"};

std::uint64_t uuid_of(Timeline::Track track) {
  return track + 2ULL;
}

class PerfettoWriter {
 public:
  PerfettoWriter(std::string& out, const Timeline& timeline, const PerfettoSetting& setting)
      : packets_(out), timeline_(timeline), setting_(setting) {}

  void write() {
    describe_whole();
    const std::vector<bool> used = used_tracks();
    for (Timeline::Track track = 0; track < timeline_.tracks().size(); ++track) {
      if (used[track]) {
        describe(track);
      }
    }
    name_slices();
    write_slices();
    for (const Timeline::Value& value : timeline_.values()) {
      pf::TracePacket packet = event(value.track, value.at, pf::TrackEvent::TYPE_COUNTER);
      packet.mutable_track_event()->set_counter_value(static_cast<std::int64_t>(value.value));
      packets_.put(packet);
    }
  }

 private:
  void describe_whole() {
    pf::TracePacket packet = PerfettoPackets::packet();
    pf::TrackDescriptor& descriptor = *packet.mutable_track_descriptor();
    descriptor.set_uuid(kProcess);
    descriptor.mutable_process()->set_pid(1);
    descriptor.mutable_process()->set_process_name(setting_.title);
    packets_.put(packet);
  }

  // Tracks with events, and their parents.
  std::vector<bool> used_tracks() const {
    std::vector<bool> used(timeline_.tracks().size());
    const auto use = [&](Timeline::Track track) {
      for (; track != Timeline::kNoTrack && !used[track]; track = timeline_.tracks()[track].parent) {
        used[track] = true;
      }
    };
    for (const Timeline::Slice& slice : timeline_.slices()) {
      use(slice.track);
    }
    for (const Timeline::Value& value : timeline_.values()) {
      use(value.track);
    }
    return used;
  }

  void describe(Timeline::Track track) {
    const Timeline::TrackInfo& info = timeline_.tracks()[track];
    pf::TracePacket packet = PerfettoPackets::packet();
    pf::TrackDescriptor& descriptor = *packet.mutable_track_descriptor();
    descriptor.set_uuid(uuid_of(track));
    descriptor.set_name(info.name);
    descriptor.set_parent_uuid(info.parent == Timeline::kNoTrack ? kProcess : uuid_of(info.parent));
    if (info.unit != nullptr) {
      descriptor.mutable_counter()->set_unit_name(info.unit);
    }
    packets_.put(packet);
  }

  void name_slices() {
    pf::TracePacket packet = PerfettoPackets::packet();
    packet.set_sequence_flags(pf::TracePacket::SEQ_INCREMENTAL_STATE_CLEARED);
    for (std::size_t i = 0; i < timeline_.names().size(); ++i) {
      pf::EventName& name = *packet.mutable_interned_data()->add_event_names();
      name.set_iid(i + 1);
      name.set_name(timeline_.names()[i]);
    }
    name_arguments(*packet.mutable_interned_data());
    packets_.put(packet);
  }

  // Each text is written once; slices name it by number: an instruction's text, then, if it is known, its source.
  void name_arguments(pf::InternedData& interned) {
    for (std::size_t i = 0; i < std::size(kArgumentNames); ++i) {
      pf::DebugAnnotationName& name = *interned.add_debug_annotation_names();
      name.set_iid(i + 1);
      name.set_name(kArgumentNames[i]);
    }
    const auto add = [&](const std::string& text) {
      pf::InternedString& value = *interned.add_debug_annotation_string_values();
      value.set_iid(static_cast<std::uint64_t>(interned.debug_annotation_string_values_size()));
      value.set_str(text);
      return value.iid();
    };
    for (const Timeline::Instruction& instruction : timeline_.instructions()) {
      texts_.push_back({add(instruction.text), instruction.source.empty() ? 0 : add(instruction.source)});
    }
  }

  void add_arguments(pf::TrackEvent& event, std::uint32_t instruction) const {
    const auto add = [&event](ArgumentName name) -> pf::DebugAnnotation& {
      pf::DebugAnnotation& argument = *event.add_debug_annotations();
      argument.set_name_iid(name);
      return argument;
    };
    add(kInstructionArgument).set_string_value_iid(texts_[instruction].text);
    add(kAddressArgument).set_pointer_value(timeline_.instructions()[instruction].address);
    if (texts_[instruction].source != 0) {
      add(kSourceArgument).set_string_value_iid(texts_[instruction].source);
    }
  }

  pf::TracePacket event(Timeline::Track track, Cycle cycle, pf::TrackEvent::Type type) const {
    pf::TracePacket packet = PerfettoPackets::packet();
    packet.set_sequence_flags(pf::TracePacket::SEQ_NEEDS_INCREMENTAL_STATE);
    packet.set_timestamp(
        static_cast<std::uint64_t>(std::llround(setting_.first_cycle + timeline_.core_cycle(track, cycle))));
    packet.mutable_track_event()->set_type(type);
    packet.mutable_track_event()->set_track_uuid(uuid_of(track));
    return packet;
  }

  // Track by track, so that each slice ends before the next one begins.
  void write_slices() {
    const std::vector<Timeline::Slice>& slices = timeline_.slices();
    std::vector<std::size_t> order(slices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&slices](std::size_t i) { return slices[i].track; });
    for (const std::size_t i : order) {
      const Timeline::Slice& slice = slices[i];
      pf::TracePacket begin = event(slice.track, slice.from, pf::TrackEvent::TYPE_SLICE_BEGIN);
      begin.mutable_track_event()->set_name_iid(slice.name + 1ULL);
      if (slice.instruction < texts_.size()) {
        add_arguments(*begin.mutable_track_event(), slice.instruction);
      }
      packets_.put(begin);
      packets_.put(event(slice.track, slice.to, pf::TrackEvent::TYPE_SLICE_END));
    }
  }

  struct InstructionTexts {  // by number; 0: none
    std::uint64_t text = 0;
    std::uint64_t source = 0;
  };

  PerfettoPackets packets_;
  const Timeline& timeline_;
  const PerfettoSetting& setting_;
  std::vector<InstructionTexts> texts_;  // by instruction
};

}  // namespace

void write_perfetto(const std::string& path, const Timeline& timeline, const PerfettoSetting& setting) {
  std::string content;
  PerfettoWriter(content, timeline, setting).write();
  write_output_file(path, content);
}

}  // namespace warpsim

// Writes the packets of a Perfetto trace one after another, so that a long trace is not held in memory as one message.
#pragma once

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstdint>
#include <string>

#include "perfetto_trace.pb.h"

namespace warpsim {

class PerfettoPackets {
 public:
  // Appends to `out`, which is complete after the end of this object's life.
  explicit PerfettoPackets(std::string& out) : stream_(&out), coded_(&stream_) {}

  // A packet of the only sequence of the trace.
  static perfetto::TracePacket packet() {
    perfetto::TracePacket packet;
    packet.set_trusted_packet_sequence_id(1);
    return packet;
  }
  void put(const perfetto::TracePacket& packet) {
    constexpr std::uint32_t kPacketTag = 1 << 3 | 2;  // a field of the message Trace
    coded_.WriteTag(kPacketTag);
    coded_.WriteVarint32(static_cast<std::uint32_t>(packet.ByteSizeLong()));
    packet.SerializeWithCachedSizes(&coded_);
  }

 private:
  google::protobuf::io::StringOutputStream stream_;
  google::protobuf::io::CodedOutputStream coded_;
};

}  // namespace warpsim

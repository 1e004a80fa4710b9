#include "memory/access/atomic_packets.h"

#include <algorithm>
#include <bit>

#include "memory/access/bank_passes.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kLinesOfGroup = 4;
constexpr Address kGroupBytes = 4096;

using Lanes = std::array<Address, kWarpSize>;

// The first lane of `lanes` for each address.
LaneMask first_of_each_address(const Lanes& addresses, LaneMask lanes) {
  LaneMask round = 0;
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    bool taken = false;
    for (LaneMask others = round; others != 0 && !taken; others &= others - 1) {
      taken = addresses[static_cast<std::uint32_t>(std::countr_zero(others))] == addresses[lane];
    }
    round |= taken ? 0U : 1U << lane;
  }
  return round;
}

// One group of packets: takes lanes as long as lines and window allow.
class Group {
 public:
  Group(CoalescedAccess& out, Address window) : out_(out), first_(out.line_count), window_(window) {}

  bool take(Address address, std::uint32_t bytes) {
    LineAccess* const packet = address / kGroupBytes == window_ ? packet_of(line_of(address)) : nullptr;
    if (packet == nullptr) {
      return false;
    }
    const std::uint32_t sector = sector_in_line(address);
    const std::uint64_t ones = (std::uint64_t{1} << std::min(bytes, kSectorBytes)) - 1;
    packet->single_lane = packet->sector_mask == 0;
    packet->sector_mask = static_cast<std::uint8_t>(packet->sector_mask | 1U << sector);
    packet->byte_mask[sector] |= static_cast<std::uint32_t>(ones << (address % kSectorBytes));
    for (std::uint32_t word = 0; word < std::max(1U, bytes / kBankBytes); ++word) {
      bank_passes_ = std::max(bank_passes_, ++bank_load_[(address / kBankBytes + word) % kBanks]);
    }
    return true;
  }

  void finish(AtomicPackets& packets) {
    LineAccess* const begin = out_.lines.data() + first_;
    LineAccess* const end = out_.lines.data() + out_.line_count;
    const bool single = std::all_of(begin, end, [](const LineAccess& packet) { return packet.single_lane; });
    for (LineAccess* packet = begin; packet != end; ++packet) {
      packet->single_lane = single;
      packets.sector_count += static_cast<std::uint32_t>(std::popcount(packet->sector_mask));
    }
    ++packets.groups;
    packets.bank_passes += bank_passes_;
  }

 private:
  LineAccess* packet_of(Address line) {
    for (std::uint32_t i = first_; i < out_.line_count; ++i) {
      if (out_.lines[i].line == line) {
        return &out_.lines[i];
      }
    }
    if (out_.line_count == first_ + kLinesOfGroup) {
      return nullptr;
    }
    LineAccess& packet = out_.lines[out_.line_count++];
    packet = LineAccess{};
    packet.line = line;
    return &packet;
  }

  CoalescedAccess& out_;
  std::uint32_t first_;
  Address window_;
  std::uint8_t bank_passes_ = 0;
  std::array<std::uint8_t, kBanks> bank_load_{};
};

void send_round(const Lanes& addresses, LaneMask round, std::uint32_t bytes, AtomicPackets& packets,
                CoalescedAccess& out) {
  while (round != 0) {
    Group group(out, addresses[static_cast<std::uint32_t>(std::countr_zero(round))] / kGroupBytes);
    for (LaneMask left = round; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      if (group.take(addresses[lane], bytes)) {
        round &= ~(1U << lane);
      }
    }
    group.finish(packets);
  }
}

}  // namespace

AtomicPackets split_atomic(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, CoalescedAccess& out) {
  AtomicPackets packets;
  out.line_count = 0;
  Lanes lanes;
  const std::uint32_t count = expand(addresses, active, lanes);
  LaneMask left = count == 0 ? 0 : kAllLanes >> (kWarpSize - count);
  while (left != 0) {
    const LaneMask round = first_of_each_address(lanes, left);
    left &= ~round;
    send_round(lanes, round, bytes, packets, out);
  }
  out.sector_count = packets.sector_count;
  return packets;
}

}  // namespace warpsim

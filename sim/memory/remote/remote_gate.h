// The gate of a GPU to memory that is not its own: another GPU's over NVLink or PCIe, the host's over PCIe.
//
//   RemoteRequests  requests of this GPU, and their answers; state: outstanding requests
//   GuestRequests   requests of other GPUs to this one's memory, and their answers
//   RemoteRates     the rates of the links in each direction, which both share
//
// To the crossbar the gate is one more slice, as far away as a slice: hardware sends such requests through L2 (Nsight
// Compute counts them there), which does not keep the lines. L1 keeps them as others. Atomics execute at home.
// Modelled: one port per GPU and direction, which all of its traffic shares; a switch between GPUs that limits nothing
// else (PeerLinks builds the links); requests and answers take turns. Not modelled: single links of the port, retries,
// order between reads and writes, topologies with different distances.
// Evidence: tests/hardware/peers for two H100: latencies by footprint and cache operator, rates of reads, writes and
// reductions alone and in both directions.
// Invariant: answers never wait for requests, so there is no deadlock between GPUs that access each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/component.h"
#include "memory/remote/guest_requests.h"
#include "memory/remote/remote_rates.h"
#include "memory/remote/remote_requests.h"

namespace warpsim {

class RemoteGate final : public Component {
 public:
  struct Connections {
    std::vector<RemoteRequests::Links> crossbars;  // by partition
    std::vector<GuestRequests::Port> guests;
  };
  // Links, map and counters outlive the gate.
  RemoteGate(const LinksConfig& config, const RemoteRequests::Setting& setting, const Connections& connections,
             const AddressMap& map, LaunchStats<RemoteGateStats>& stats);
  // Registers the gate at its ends of the links to the crossbars.
  void connect(WakeHandle self);
  // By GPU: the links to the gates of the others, at which the gate registers itself. After connect().
  void set_peers(const std::vector<RemotePeer>& peers);

  // Copies leave this to accesses from a cycle on, which is later than all that was executed.
  void set_shares(const LinkShares& shares, Cycle at) { rates_.set_shares(shares, at); }

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;

  // Writes of this GPU's launches that have arrived.
  L2WriteAccount& written() { return requests_.written(); }
  const L2WriteAccount& written() const { return requests_.written(); }

 private:
  Cycle take_in(Cycle now);
  Cycle send_out(Cycle now);

  Connections connections_;
  RemoteRates rates_;
  RemoteRequests requests_;
  GuestRequests guests_;
  std::vector<RemotePeer> peers_;
  WakeHandle self_;
  std::size_t first_in_ = 0;  // of the inputs that take turns
  std::size_t first_out_ = 0;
};

}  // namespace warpsim

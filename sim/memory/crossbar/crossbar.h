// The crossbar of an L2 partition: between the ports of the partition's GPCs and its slices, with separate networks for
// requests and responses.
//
// A request only goes to a slice of its own partition, which knows how to reach the others (l2_fabric.h). So crossbars
// have nothing in common, and each can have an engine of its own (memory_system.h).
// Modelled: bytes per cycle of each port and of each GPC's concentrator (a slice itself accepts one request per cycle),
// for which requesters take turns, or as a mechanism says (warpsim/arbitration.h);
// finite queues with back-pressure; latency, which differs by GPC and by slice; the L2 request coalescer of each GPC. A
// request goes to the slice of its own partition that is responsible for the line, or to the gate (remote_gate.h),
// which is one more slice here, if the line is in the memory of another GPU or of the host. Requests of other GPUs have
// ports. A request to managed memory that is elsewhere waits at its port (page_faults.h). A request whose SM has no
// translation of its address leaves the port and comes back when it has one (sm_translations.h, translation_stage.h).
// Not modelled: interleaving of
// flits on a link (a message is sent as a whole), virtual channels, the CPCs of a GPC. Evidence: bw.L2.*,
// mlp.store_issue.*, atomic.global.* and L2.hit.* of micro.csv; on an L40 an additive a(SM) + b(slice) explains most of
// the latency (arXiv 2606.22588, abstract); the same is assumed here. Invariant: responses are always accepted
// eventually, so requests can wait for them without deadlock.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ring_buffer.h"
#include "engine/component.h"
#include "engine/link.h"
#include "memory/access/access_window.h"
#include "memory/address_map.h"
#include "memory/crossbar/arbitration_mechanism.h"
#include "memory/crossbar/crossbar_config.h"
#include "memory/crossbar/crossbar_stats.h"
#include "memory/crossbar/l2_request_coalescer.h"
#include "memory/crossbar/port_place.h"
#include "memory/crossbar/response_ports.h"
#include "memory/input_set.h"
#include "memory/rate_limiter.h"
#include "memory/remote/memory_homes.h"
#include "memory/remote/page_faults.h"
#include "memory/slice_message.h"
#include "memory/translation/sm_translations.h"
#include "stats/launch_stats.h"

namespace warpsim {

class Crossbar final : public Component {
 public:
  struct PortLinks {
    Link<MemRequest>* requests;
    Link<MemResponse>* responses;
    std::uint32_t gpc;
    std::uint32_t partition;
    bool guest = false;   // of other GPUs, of walks or of copies: to own memory, and its reads are not merged
    bool copies = false;  // of copies: without messages, it changes no other port's turn
  };
  struct SliceLinks {
    Link<SliceRequest>* requests;
    Link<SliceResponse>* responses;
  };
  // The gate to other memories, and which lines are there.
  struct Gate {
    SliceLinks links = {nullptr, nullptr};  // null: there is no gate
    HomeLookup homes{nullptr, 0, false};
  };

  // Where requests without a translation go, and come back from.
  struct Translations {
    struct Group {
      Link<MemRequest>* misses;
      Link<MemRequest>* translated;
    };
    std::vector<Group> groups = {};                 // of the partition; none: every address is translated
    std::vector<std::uint32_t> group_of_port = {};  // PortPlace::kNoGroup: the port's addresses are translated
  };

  // `ports` and `slices`: all of the GPU, by number; those of other partitions are not used, and may have no links.
  Crossbar(const CrossbarConfig& config, const AddressMap& map, std::uint32_t partition,
           const std::vector<PortLinks>& ports, const std::vector<SliceLinks>& slices, const Gate& gate,
           LaunchStatsNode& parent);

  // Before connect(). The links outlive the crossbar.
  void use_translations(const TranslationConfig& config, const Translations& translations);
  // Between runs of the engine.
  void clear_translations();
  // The windows of launches outlive the crossbar.
  void use_windows(const AccessWindows& windows) { windows_ = &windows; }
  // Registers the crossbar at the far ends of its links.
  void connect(WakeHandle self);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;

  // Between runs of the engine: page faults; requests that may go on now try again at this cycle.
  PageFaults& faults() { return faults_; }
  const PageFaults& faults() const { return faults_; }
  void try_faults_again(Cycle at) {
    faults_.try_again(at);
    self_.wake_at(at);
  }

 private:
  static constexpr std::uint32_t kNoSlice = 0xffffffffU;
  static constexpr std::uint32_t kFaultingSlice = 0xfffffffeU;

  std::uint32_t slice_for(std::uint32_t input, const PortLinks& port, const MemRequest& request);
  bool faults(const MemRequest& request) {
    return homes_.of(request.line, request.op != MemOp::kRead) == MemoryHomes::kFault;
  }
  std::uint32_t port_of(std::uint32_t input, const MemRequest& request) const {
    return input < port_of_input_.size() ? port_of_input_[input] : request.source;
  }
  Cycle take_request(std::uint32_t input, Link<MemRequest>& link, Cycle now);
  bool lacks_translation(std::uint32_t input, std::uint32_t port, const MemRequest& request);
  Cycle ask_for_translation(std::uint32_t input, std::uint32_t port, Link<MemRequest>& link, Cycle now);
  Cycle wait_for_page(std::uint32_t input, const Link<MemRequest>& link, Cycle now);
  Cycle wait_for_turn(std::uint32_t input, std::uint32_t slice, Cycle now);
  Cycle take_response(Link<SliceResponse>& link, Cycle now);
  Cycle take_requests(Cycle now);
  std::uint32_t bytes_of_request(const MemRequest& request) const;

  CrossbarConfig config_;
  const AddressMap* map_;
  std::uint32_t partition_;
  std::vector<PortLinks> ports_;    // by number
  std::vector<SliceLinks> slices_;  // by number, and then the gate
  bool has_gate_;
  HomeLookup homes_;
  const AccessWindows* windows_ = nullptr;
  Translations translations_;
  std::unique_ptr<SmTranslations> sm_translations_;  // null: every address is translated
  WakeHandle self_;
  std::vector<std::uint32_t> port_of_input_;  // those of the partition, in an order in which GPCs alternate
  std::uint32_t turns_;                       // inputs that take turns: those behind are of copies
  PageFaults faults_;                         // by input
  InputSet<MemRequest> request_inputs_;
  InputSet<SliceResponse> response_inputs_;
  InputSet<SliceResponse> gate_input_;
  // Inputs whose requests found a full slice: they get its free entries in order of arrival.
  std::vector<RingBuffer<std::uint32_t>> waiting_for_slice_;
  std::vector<bool> input_waits_;
  Cycle try_again_at_ = kNever;                // when something was freed for an input whose turn may have passed
  std::vector<std::uint32_t> slice_of_input_;  // of its oldest request; kNoSlice: not looked up yet
  std::vector<RateLimiter> port_request_rate_;
  std::vector<RateLimiter> gpc_request_rate_;
  std::vector<L2RequestCoalescer> coalescers_;  // per GPC
  LaunchStats<CrossbarStats> stats_;
  ResponsePorts response_ports_;
  ArbitrationMechanism arbitration_;                                                // of requests
  std::vector<InputSet<MemRequest>::Offered<ArbitrationMechanism::Offer>> offers_;  // of a cycle
};

}  // namespace warpsim

// Requests of a GPU's copy engines to its own memory, for copies between it and the host, or another GPU, that run
// beside kernels.
//
// Modelled: a copy reads or writes one line after another at its rate, through ports of the crossbar that only copies
// use, one for each L2 partition. L2 treats the lines as those of other requesters. Lines that the crossbar does not
// take in time are made up for. Not modelled: that a copy takes longer then; its time is known before
// (device/copy_engines.h). Evidence: tests/hardware/copies_beside.
// State: what is left of each copy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/clock_domain.h"
#include "engine/component.h"
#include "engine/link.h"
#include "memory/address_map.h"
#include "memory/mem_message.h"
#include "memory/remote/engine_copy.h"

namespace warpsim {

class CopyRequests final : public Component {
 public:
  struct Port {
    Link<MemRequest>* requests;
    Link<MemResponse>* responses;
  };
  // `ports`: by partition. `clock`: of the component. Map, links and clock outlive it.
  CopyRequests(const AddressMap& map, const std::vector<Port>& ports, const ClockDomain& clock);
  // Registers the component at its ends of the links.
  void connect(WakeHandle self);

  // Between runs of the system: the copy begins at `at`, which is later than all that was executed. Changes nothing if
  // a copy of this number is under way.
  void start(const EngineCopy& copy, Cycle at);
  // Between runs of the system: what has not been requested is left out.
  void stop() { copies_.clear(); }

  Cycle tick(Cycle now) override;
  // What has not been requested does not count.
  bool idle() const override;
  std::string describe_stall() const override;

 private:
  struct Active {
    EngineCopy copy;
    double begin = 0;  // cycle at which it would have begun if none of it had been copied before
    double cycles_per_byte = 0;
  };
  static Cycle due(const Active& active);
  bool send_one(Active& active, Cycle now);

  const AddressMap* map_;
  std::vector<Port> ports_;
  const ClockDomain* clock_;
  std::vector<Active> copies_;
  WakeHandle self_;
};

}  // namespace warpsim

// The translations that each SM has itself, and its requests that wait for others.
//
// Modelled: a small cache for each SM (translation_array.h, one set); a number of waiting requests for each SM, further
// ones that miss wait at the port with all behind them; requests behind that hit pass those that wait. Each request
// that misses is looked up in the group on its own, also if an earlier one of the region waits. L1 is addressed by
// virtual addresses and needs no translation: only requests that leave the SM come here. Not modelled: instruction and
// constant caches. Evidence: tests/hardware/translation, walks.cu entries (16 regions of 16 MiB, not shared by the SMs
// of a TPC), rates (14 requests; lookups of requests to a region that is waited for), probe.cu l1 (hits of L1 over 192
// regions cost nothing). Belongs to the crossbar, at whose ports requests arrive: a request that waits needs nothing
// from its SM.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/translation/translation_array.h"
#include "memory/translation/translation_config.h"

namespace warpsim {

class SmTranslations {
 public:
  SmTranslations(const TranslationConfig& config, std::size_t ports)
      : misses_(config.sm_misses), ports_(ports, Port(config)) {}
  // All addresses of the port are translated, always.
  void translate_all(std::size_t port) {
    ports_[port].shift = kAllAddresses;
    ports_[port].latest = 0;
  }

  // Whether the port's SM has the translation.
  bool has(std::size_t port, Address line) {
    Port& at = ports_[port];
    const std::uint64_t region = line >> at.shift;
    if (region == at.latest) [[likely]] {
      return true;
    }
    if (!at.array.look_up(region)) {
      return false;
    }
    at.latest = region;
    return true;
  }
  // Whether one more request of the port can wait; the same when it begins and when it has its translation.
  bool can_wait(std::size_t port) const { return ports_[port].waiting < misses_; }
  void waits(std::size_t port) { ++ports_[port].waiting; }
  void translated(std::size_t port, Address line) {
    Port& at = ports_[port];
    --at.waiting;
    at.latest = at.array.region_of(line);
    at.array.insert(at.latest);
  }
  void clear() {
    for (Port& port : ports_) {
      port.array.clear();
      port.latest = port.shift == kAllAddresses ? 0 : kNone;
    }
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::uint32_t kAllAddresses = 63;  // a shift that leaves one region

  struct Port {
    explicit Port(const TranslationConfig& config)
        : array(1, config.sm_entries, config.kib(config.sm_entry_pages), config.starts_full), shift(array.shift()) {}
    TranslationArray array;
    std::uint64_t latest = kNone;  // the latest use, so the first entry of the array
    std::uint32_t shift;           // of an address to its region
    std::uint32_t waiting = 0;
  };

  std::uint32_t misses_;
  std::vector<Port> ports_;
};

}  // namespace warpsim

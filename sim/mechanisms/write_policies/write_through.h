// Write-through: every write goes to the next level at once.
//
// Source: Jouppi, "Cache Write Policies and Performance", ISCA 1993: with both keys true his write-validate, with
// `allocate` false write-around, with both false write-invalidate. Not modelled: fetch-on-write, which reads the rest
// of a line.
// State: none.
#pragma once

#include <cstdint>

#include "warpsim/write_policy.h"

namespace warpsim::mechanism {

class WriteThrough final : public WritePolicy {
 public:
  struct Settings {
    bool allocate = true;
    bool update = true;

    void describe(Keys& keys);
  };

  // std::invalid_argument for lines that would enter when they are written, and leave with the next write.
  WriteThrough(const Settings& settings, const WritePolicySite& site, Counters& counters);

  WriteWay write(const LineWrite& write, std::uint32_t& memo) override;
  void leaves(const WrittenLine& /*line*/) override {}

 private:
  WriteWay absent_;
  WriteWay present_;
};

}  // namespace warpsim::mechanism

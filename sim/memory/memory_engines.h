// What executes a memory system: one engine, or one for each crossbar with what is on its side and one for each column.
// Results are the same.
//
// A part has an engine of its own where its links to the others are not shorter than those that exist anyway, so that
// it shortens no window (system.h).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/clock_domain.h"
#include "engine/engine.h"
#include "memory/crossbar/port_place.h"
#include "memory/memory_config.h"

namespace warpsim {

// Numbers of engines.
struct MemoryDivision {
  std::uint32_t crossbars = 1;
  std::uint32_t columns = 0;  // none: columns are where the crossbar is

  // `shortest_fs`: of the links of SMs that do not lead to memory. `is_connected`: to other memories, through a gate
  // that all crossbars share and that is near to them.
  static MemoryDivision of(const MemoryConfig& config, const std::vector<PortPlace>& ports, const ClockDomain& core,
                           const ClockDomain& l2, std::uint64_t shortest_fs, bool is_connected);
};

class MemoryEngines {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): one engine is the simplest form
  MemoryEngines(Engine& all) : crossbars_{&all} {}
  // Numbers as a division says. There is at least one crossbar's.
  MemoryEngines(std::vector<Engine*> crossbars, std::vector<Engine*> columns)
      : crossbars_(std::move(crossbars)), columns_(std::move(columns)) {}

  // Of what all crossbars share as well.
  Engine& first() const { return *crossbars_.front(); }
  Engine& of_crossbar(std::size_t partition) const { return *crossbars_[crossbars_.size() == 1 ? 0 : partition]; }
  Engine& of_column(std::size_t number) const { return columns_.empty() ? first() : *columns_[number]; }

 private:
  std::vector<Engine*> crossbars_;
  std::vector<Engine*> columns_;
};

}  // namespace warpsim

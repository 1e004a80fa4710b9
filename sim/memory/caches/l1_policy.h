// Which accesses the caches of an SM keep, and the handling of stores: data of each compute capability.
//
// Modelled: the default of loads from global memory, the operator that the compiler was set to use for them
// (nvcc -dlcm), operators of single instructions, loads of read-only data, local memory written back or through.
// Evidence: CUDA C programming guides 4.2 (F.3 to F.5) and 8.0 (G.3 to G.6); PTX ISA, cache operators.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "isa/static_instruction.h"

namespace warpsim {

enum class GlobalLoads : std::uint8_t {
  kKept,   // unless their operator says otherwise
  kOptIn,  // only with operator .ca, or -dlcm=ca
  kNotKept,
};

enum class ReadOnlyLoads : std::uint8_t {
  kInL1,
  kInReadOnlyCache,
  kAsGlobal,  // no path of their own
};

enum class LocalMemory : std::uint8_t { kWrittenThrough, kWrittenBack, kNotKept };

enum class GlobalStores : std::uint8_t {
  kUpdate,      // completely written sectors stay valid
  kInvalidate,  // the line is removed
};

// Cache operator of loads without one of their own.
enum class LoadOperator : std::uint8_t { kHardware, kCacheAll, kCacheGlobal };

struct L1Policy {
  GlobalLoads global_loads = GlobalLoads::kKept;
  LoadOperator load_operator = LoadOperator::kHardware;
  ReadOnlyLoads read_only_loads = ReadOnlyLoads::kInL1;
  LocalMemory local = LocalMemory::kWrittenThrough;
  GlobalStores global_stores = GlobalStores::kUpdate;
};
void describe(ConfigSection& section, L1Policy& policy);

enum class LoadRoute : std::uint8_t { kL1, kReadOnlyCache, kPastL1 };
LoadRoute route_of_load(const L1Policy& policy, bool local, CacheOp op);

}  // namespace warpsim

// A library of mechanisms that warpsim loads: one source file defines
//
//     WARPSIM_LIBRARY(registry) {
//       add<Mine>(registry, "mine", "replaces the line that ...");
//     }
//
// and a description of a GPU names it: `replacement: ./libmine.so:mine`. The path is relative to the YAML file that
// names it, or to the current folder for --set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "warpsim/address_hash.h"
#include "warpsim/arbitration.h"
#include "warpsim/block_placement.h"
#include "warpsim/compression.h"
#include "warpsim/dram_scheduler.h"
#include "warpsim/l1_insertion.h"
#include "warpsim/mechanism.h"
#include "warpsim/miss_admission.h"
#include "warpsim/network.h"
#include "warpsim/prefetcher.h"
#include "warpsim/replacement.h"
#include "warpsim/sector_fetch.h"
#include "warpsim/warp_scheduler.h"
#include "warpsim/write_policy.h"

namespace warpsim::mechanism {

class Registry {
 public:
  virtual void add(const Entry<WarpScheduler>& entry) = 0;
  virtual void add(const Entry<Replacement>& entry) = 0;
  virtual void add(const Entry<Prefetcher>& entry) = 0;
  virtual void add(const Entry<L1Insertion>& entry) = 0;
  virtual void add(const Entry<DramScheduler>& entry) = 0;
  virtual void add(const Entry<BlockPlacement>& entry) = 0;
  virtual void add(const Entry<AddressHash>& entry) = 0;
  virtual void add(const Entry<Network>& entry) = 0;
  virtual void add(const Entry<SectorFetch>& entry) = 0;
  virtual void add(const Entry<WritePolicy>& entry) = 0;
  virtual void add(const Entry<Compression>& entry) = 0;
  virtual void add(const Entry<MissAdmission>& entry) = 0;
  virtual void add(const Entry<Arbitration>& entry) = 0;

 protected:
  ~Registry() = default;
};

template <typename Mechanism>
void add(Registry& registry, const char* name, const char* sentence) {
  registry.add(entry_of<Mechanism>(name, sentence));
}

// What warpsim checks before it calls anything of a library.
struct LibraryInfo {
  std::uint32_t interface_version;
  std::uint32_t pointer_bytes;
  std::uint32_t string_layout;  // of libstdc++
  void (*declare)(Registry& registry);
};

inline constexpr std::uint32_t kStringLayout =
#ifdef _GLIBCXX_USE_CXX11_ABI
    _GLIBCXX_USE_CXX11_ABI;
#else
    1000;  // not libstdc++
#endif

}  // namespace warpsim::mechanism

// NOLINTBEGIN(bugprone-macro-parentheses): the name of a parameter
#define WARPSIM_LIBRARY(registry)                                                                                \
  static void warpsim_declare_mechanisms(::warpsim::mechanism::Registry& registry);                              \
  extern "C" __attribute__((visibility("default"))) const ::warpsim::mechanism::LibraryInfo* warpsim_library() { \
    static const ::warpsim::mechanism::LibraryInfo info{::warpsim::mechanism::kInterfaceVersion, sizeof(void*),  \
                                                        ::warpsim::mechanism::kStringLayout,                     \
                                                        &warpsim_declare_mechanisms};                            \
    return &info;                                                                                                \
  }                                                                                                              \
  static void warpsim_declare_mechanisms(::warpsim::mechanism::Registry& registry)
// NOLINTEND(bugprone-macro-parentheses)

#include "mechanisms/shipped_mechanisms.h"

#include "mechanisms/address_hashes/linear.h"
#include "mechanisms/address_hashes/xor_folded.h"
#include "mechanisms/arbitrations/fixed_priority.h"
#include "mechanisms/arbitrations/least_sent.h"
#include "mechanisms/arbitrations/oldest_first.h"
#include "mechanisms/block_placements/fill_first.h"
#include "mechanisms/block_placements/gpc_first.h"
#include "mechanisms/compressions/drawn_sizes.h"
#include "mechanisms/compressions/equal_sizes.h"
#include "mechanisms/dram_schedulers/first_come.h"
#include "mechanisms/dram_schedulers/least_served.h"
#include "mechanisms/l1_insertion/bypass_all.h"
#include "mechanisms/l1_insertion/reuse_by_pc.h"
#include "mechanisms/miss_admissions/dynamic_threshold.h"
#include "mechanisms/miss_admissions/requester_share.h"
#include "mechanisms/networks/mesh.h"
#include "mechanisms/networks/ring.h"
#include "mechanisms/prefetchers/next_line.h"
#include "mechanisms/prefetchers/stream.h"
#include "mechanisms/prefetchers/stride.h"
#include "mechanisms/replacement/brrip.h"
#include "mechanisms/replacement/drrip.h"
#include "mechanisms/replacement/random.h"
#include "mechanisms/replacement/srrip.h"
#include "mechanisms/replacement/tree_plru.h"
#include "mechanisms/sector_fetch/footprint.h"
#include "mechanisms/sector_fetch/line_if_used.h"
#include "mechanisms/warp_schedulers/cache_conscious.h"
#include "mechanisms/warp_schedulers/criticality_aware.h"
#include "mechanisms/warp_schedulers/two_level_groups.h"
#include "mechanisms/warp_schedulers/youngest_first.h"
#include "mechanisms/write_policies/around_unless_reused.h"
#include "mechanisms/write_policies/write_through.h"

namespace warpsim {

using mechanism::entry_of;

template <>
const std::vector<mechanism::Entry<mechanism::WarpScheduler>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::WarpScheduler>> entries = {
      entry_of<mechanism::CacheConscious>(
          "cache_conscious", "As gto, with loads of fewer warps while warps miss lines of L1 that they have lost"),
      entry_of<mechanism::CriticalityAware>(
          "criticality_aware",
          "Greedy on the warp that is most behind its block: missing instructions and cycles waited"),
      entry_of<mechanism::TwoLevelGroups>(
          "two_level_groups", "Round robin in a group of warps until none of them is ready, then in the next group"),
      entry_of<mechanism::YoungestFirst>("youngest_first", "The warp that issued last, else the one that arrived last"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::Replacement>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::Replacement>> entries = {
      entry_of<mechanism::TreePlru>("tree_plru", "Pseudo-LRU by a tree of bits"),
      entry_of<mechanism::Srrip>(
          "srrip", "Static re-reference interval prediction: lines used once leave before lines used again"),
      entry_of<mechanism::Brrip>("brrip",
                                 "Bimodal re-reference interval prediction: new lines leave first, except one in N"),
      entry_of<mechanism::Drrip>("drrip", "SRRIP or BRRIP, whichever misses less in sample sets"),
      entry_of<mechanism::RandomReplacement>("random_seeded", "A random line, by a generator with a seed"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::Prefetcher>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::Prefetcher>> entries = {
      entry_of<mechanism::NextLine>("next_line", "The lines after each line that a load misses"),
      entry_of<mechanism::Stride>("stride", "Lines at the constant distance that a load of a warp, or a region, shows"),
      entry_of<mechanism::Stream>("stream", "Lines ahead of ascending and descending sequences of all loads together"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::L1Insertion>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::L1Insertion>> entries = {
      entry_of<mechanism::ReuseByPc>("reuse_by_pc", "Lines of loads whose lines are seldom hit again bypass L1"),
      entry_of<mechanism::BypassAll>("bypass_all", "No line of a load enters L1: a bound for studies"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::DramScheduler>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::DramScheduler>> entries = {
      entry_of<mechanism::FirstCome>("first_come", "In order of arrival in each bank, open rows have no precedence"),
      entry_of<mechanism::LeastServed>("least_served",
                                       "The requester that has been served least goes first, then open rows, then age"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::BlockPlacement>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::BlockPlacement>> entries = {
      entry_of<mechanism::FillFirst>("fill_first", "SM after SM, each filled before the next one gets a block"),
      entry_of<mechanism::GpcFirst>("gpc_first", "GPC after GPC, evenly over the SMs of each"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::AddressHash>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::AddressHash>> entries = {
      entry_of<mechanism::LinearHash>("linear", "No hash: chunks of memory go to the slices in turn"),
      entry_of<mechanism::XorFoldedHash>("xor_folded", "The bits of a block's number, folded by exclusive or"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::Network>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::Network>> entries = {
      entry_of<mechanism::Ring>("ring", "A ring of stations in both directions; a message takes the shorter way"),
      entry_of<mechanism::Mesh>("mesh", "A mesh of stations; a message goes along its row, then along the column"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::SectorFetch>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::SectorFetch>> entries = {
      entry_of<mechanism::Footprint>("footprint", "The sectors that an earlier line of the same load needed"),
      entry_of<mechanism::LineIfUsed>("line_if_used",
                                      "Whole lines while loads use further sectors of the lines that leave"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::WritePolicy>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::WritePolicy>> entries = {
      entry_of<mechanism::WriteThrough>("write_through", "All writes go to the next level at once"),
      entry_of<mechanism::AroundUnlessReused>("around_unless_reused",
                                              "Written data stay only where such data were used before they left"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::Compression>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::Compression>> entries = {
      entry_of<mechanism::EqualSizes>("equal_sizes", "Every line takes the same number of sectors in DRAM"),
      entry_of<mechanism::DrawnSizes>("drawn_sizes", "Shares of the lines take one, two or three sectors in DRAM"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::MissAdmission>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::MissAdmission>> entries = {
      entry_of<mechanism::RequesterShare>("requester_share", "A warp, or an SM, has at most a share of the entries"),
      entry_of<mechanism::DynamicThreshold>("dynamic_threshold",
                                            "A warp, or an SM, has at most a multiple of the free entries"),
  };
  return entries;
}

template <>
const std::vector<mechanism::Entry<mechanism::Arbitration>>& shipped_mechanisms() {
  static const std::vector<mechanism::Entry<mechanism::Arbitration>> entries = {
      entry_of<mechanism::OldestFirst>("oldest_first", "The message that has waited longest"),
      entry_of<mechanism::LeastSent>("least_sent", "The requester that has sent the fewest bytes: fair queueing"),
      entry_of<mechanism::FixedPriority>("fixed_priority", "The lower requester, always: an unfair order"),
  };
  return entries;
}

}  // namespace warpsim

#include "emulator/execution/whereabouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "emulator/code/code_place.h"
#include "emulator/execution/barriers.h"
#include "emulator/execution/block_execution.h"

namespace warpsim {

namespace {

constexpr std::size_t kMostLines = 8;

// Warps whose threads are in the same place for the same reason.
struct Group {
  std::string first;  // of the first warp
  std::uint64_t warps = 0;
  std::set<std::uint64_t> blocks;
};

std::string lanes_text(LaneMask lanes) {
  return lanes == kAllLanes ? "all lanes" : fmt::format("lanes {:#010x}", lanes);
}

std::string value_text(const Warp::SpinRead& read) {
  return fmt::format("reads {} bytes at {:#x}{} again and again, which hold {:#x} and which no thread will write",
                     read.bytes, read.address, read.shared ? " of shared memory" : "", read.value);
}

std::string reason_of(const BlockExecution& block, const Warp& warp, const Warp::Whereabouts& at,
                      const std::vector<Warp::SpinRead>& reads) {
  if (at.missing != 0) {
    return fmt::format("wait for {} of their warp (with --tolerant not for those that wait elsewhere)",
                       lanes_text(at.missing));
  }
  if (at.waits && at.barrier == kWarpgroupBarrier) {
    return "wait for the other warps of their warpgroup";
  }
  if (at.waits && at.barrier == kClusterBarrier) {
    return fmt::format("wait at the cluster's barrier: {} of {} threads have arrived", block.cluster_arrived(),
                       block.cluster_wanted());
  }
  if (at.waits) {
    return fmt::format("wait at barrier {}: {} of {} threads have arrived", at.barrier, block.arrived(at.barrier),
                       block.wanted(at.barrier));
  }
  const auto read = std::ranges::find_if(reads, [&](const Warp::SpinRead& candidate) {
    return candidate.warp == &warp && (candidate.lanes & at.lanes) != 0;
  });
  return read == reads.end() ? "are here" : value_text(*read);
}

}  // namespace

std::string describe_whereabouts(const ptx::Module& module, const std::vector<BlockExecution*>& blocks,
                                 const std::vector<Warp::SpinRead>& reads) {
  std::map<std::tuple<const FunctionCode*, std::uint32_t, bool>, Group> groups;
  for (BlockExecution* const block : blocks) {
    for (std::uint32_t i = 0; i < block->warp_count(); ++i) {
      const Warp& warp = block->warp(i);
      for (const Warp::Whereabouts& at : warp.whereabouts()) {
        Group& group = groups[{at.code, at.operation, at.waits}];
        if (group.warps++ == 0) {
          const Dim3& index = block->memory().index;
          group.first =
              fmt::format("{}: warp {} of block ({}, {}, {}), {}: {}", place_text(module, *at.code, at.operation), i,
                          index.x, index.y, index.z, lanes_text(at.lanes), reason_of(*block, warp, at, reads));
        }
        group.blocks.insert(block->memory().linear_index);
      }
    }
  }
  std::string text;
  std::size_t lines = 0;
  for (const auto& [place, group] : groups) {
    if (++lines > kMostLines) {
      text += fmt::format("\n  and threads in {} other places", groups.size() - kMostLines);
      break;
    }
    text += "\n  " + group.first;
    if (group.warps > 1) {
      text += fmt::format("; with it {} more in {} blocks", group.warps - 1, group.blocks.size());
    }
  }
  return text;
}

}  // namespace warpsim

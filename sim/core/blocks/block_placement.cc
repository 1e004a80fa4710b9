#include "core/blocks/block_placement.h"

#include <algorithm>

namespace warpsim {

void describe(ConfigSection& section, BlockPlacementConfig& config) {
  describe_mechanism(
      section, "policy", config.policy,
      {{"gpc_batches", BlockPlacementPolicy::kGpcBatches}, {"round_robin", BlockPlacementPolicy::kRoundRobin}},
      BlockPlacementPolicy::kMechanism, config.mechanism, "Which SM gets the next thread block.");
  section.integer("singleton_first_interval_gpcs", config.singleton_first_interval_gpcs, 1, 1024,
                  "GPCs served between the first and the second turn of the singleton TPCs.");
  section.integer("singleton_interval_gpcs", config.singleton_interval_gpcs, 1, 1024,
                  "GPCs served between later turns of the singleton TPCs.");
}

BlockPlacement::BlockPlacement(const BlockPlacementConfig& config, const Topology& topology, LaunchStatsNode& parent)
    : config_(config),
      topology_(topology),
      seen_(topology.sm_count()),
      fill_(topology.sm_count()),
      mechanism_(PlacementMechanism::make(config.mechanism, topology, parent)) {}

void BlockPlacement::begin_grid(std::uint32_t cluster_blocks, LaunchSeat seat) {
  if (mechanism_ && cluster_blocks == 1) {
    mechanism_->begin_grid(seat);
  }
  cluster_blocks_ = cluster_blocks;
  forget_batch();
  forget_passes();
  gpcs_since_singletons_ = 0;
  singleton_turns_ = 0;
}

std::uint32_t BlockPlacement::next(const std::vector<SmResources>& sms, const BlockDemand& demand, std::uint64_t left) {
  if (config_.policy != BlockPlacementPolicy::kGpcBatches && cluster_blocks_ == 1) {
    return mechanism_ ? mechanism_->next(sms, demand, left) : next_round_robin(sms, demand);
  }
  if (batch_next_ == batch_.size()) {
    forget_batch();
    observe(sms, demand);
    fill_batch(left);
    if (batch_.empty()) {
      return kNoSm;
    }
  }
  return batch_[batch_next_++];
}

bool BlockPlacement::make_way(std::uint32_t sm) {
  const auto rest = batch_.begin() + static_cast<std::ptrdiff_t>(batch_next_);
  if (cluster_blocks_ > 1 && std::find(rest, batch_.end(), sm) != batch_.end()) {
    return false;
  }
  if (cluster_blocks_ == 1) {
    forget_batch();
  }
  forget_passes();
  return true;
}

void BlockPlacement::forget_batch() {
  batch_.clear();
  batch_next_ = 0;
}

void BlockPlacement::forget_passes() {
  pass_.clear();
  pass_next_ = 0;
  planned_ = 0;
}

std::uint32_t BlockPlacement::next_round_robin(const std::vector<SmResources>& sms, const BlockDemand& demand) {
  const std::uint32_t count = topology_.sm_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t sm = (next_sm_ + i) % count;
    if (sms[sm].room(demand) > 0) {
      next_sm_ = (sm + 1) % count;
      return sm;
    }
  }
  return kNoSm;
}

void BlockPlacement::observe(const std::vector<SmResources>& sms, const BlockDemand& demand) {
  if (demand != seen_demand_) {
    seen_demand_ = demand;
    seen_.assign(seen_.size(), {});
  }
  for (std::uint32_t sm = 0; sm < topology_.sm_count(); ++sm) {
    Seen& seen = seen_[sm];
    if (const std::uint64_t changes = sms[sm].changes(); seen.changes != changes) {
      seen = {changes, {sms[sm].resident_blocks(), sms[sm].room(demand)}};
    }
    fill_[sm] = seen.fill;
  }
  for (std::size_t i = pass_next_; i < pass_.size(); ++i) {
    for (const std::uint32_t sm : pass_[i].sms) {
      ++fill_[sm].level;
      --fill_[sm].room;
    }
  }
}

// Puts the next batch of at most `left` blocks into batch_; none if nothing has room.
void BlockPlacement::fill_batch(std::uint64_t left) {
  const std::uint64_t unplanned = left - planned_;
  const bool singletons = topology_.has_singletons() && cluster_blocks_ == 1;
  if (singletons && serve_singletons(unplanned, false)) {
    return;
  }
  if (pass_next_ == pass_.size()) {
    pass_.clear();
    pass_next_ = 0;
    if (cluster_blocks_ > 1) {
      plan_cluster_pass(unplanned);
    } else {
      plan_pass(unplanned);
    }
  }
  if (pass_next_ < pass_.size()) {
    Batch& batch = pass_[pass_next_++];
    planned_ -= batch.sms.size();
    batch_.swap(batch.sms);
    next_gpc_ = (batch.gpc + 1) % topology_.gpc_count();
    ++gpcs_since_singletons_;
  } else if (singletons) {
    serve_singletons(unplanned, true);
  }
}

// Gives the singletons a batch if it is their turn, or if only they have room (`last_resort`).
bool BlockPlacement::serve_singletons(std::uint64_t unplanned, bool last_resort) {
  const std::uint32_t group = topology_.gpc_count();
  const std::uint32_t level = lowest_level(group, group + 1);
  if (level == kNoSm || unplanned == 0) {
    return false;
  }
  std::uint64_t below = 0;  // blocks that raise the GPCs' SMs to this level
  std::uint64_t at = 0;     // and one more for each SM, singletons included
  for (std::uint32_t sm = 0; sm < topology_.sm_count(); ++sm) {
    const Fill& fill = fill_[sm];
    if (topology_.group_of_sm(sm) == group) {
      at += fill.level == level && fill.room > 0 ? 1 : 0;
    } else {
      const std::uint32_t lift = level > fill.level ? std::min(level - fill.level, fill.room) : 0;
      below += lift;
      at += fill.level + lift == level && fill.room > lift ? 1 : 0;
    }
  }
  if (below >= unplanned && !last_resort) {
    return false;
  }
  const std::uint64_t spare = last_resort ? unplanned : unplanned - below;
  const std::uint32_t interval =
      singleton_turns_ == 1 ? config_.singleton_first_interval_gpcs : config_.singleton_interval_gpcs;
  const bool their_turn = singleton_turns_ == 0 || gpcs_since_singletons_ >= interval;
  // Too few blocks for all SMs: singletons go first, once the GPCs have caught up.
  const bool tail = pass_next_ == pass_.size() && below == 0 && spare < at;
  if (!last_resort && !tail && !(their_turn && spare >= at)) {
    return false;
  }
  const std::vector<std::uint8_t> chosen = choose(group, group + 1, level, spare);
  for (const std::vector<std::uint32_t>& tpc : topology_.tpcs(group)) {
    std::copy_if(tpc.begin(), tpc.end(), std::back_inserter(batch_), [&](std::uint32_t sm) { return chosen[sm] != 0; });
  }
  gpcs_since_singletons_ = 0;
  ++singleton_turns_;
  return true;
}

// Lowest fill level among SMs with room in groups [first, last); kNoSm if none has room.
std::uint32_t BlockPlacement::lowest_level(std::uint32_t first_group, std::uint32_t last_group) const {
  std::uint32_t level = kNoSm;
  for (std::uint32_t sm = 0; sm < topology_.sm_count(); ++sm) {
    const std::uint32_t group = topology_.group_of_sm(sm);
    if (group >= first_group && group < last_group && fill_[sm].room > 0) {
      level = std::min(level, fill_[sm].level);
    }
  }
  return level;
}

// Marks up to `count` SMs at `level`: first one SM of each TPC, in turn over the groups, then the next SM of each.
std::vector<std::uint8_t> BlockPlacement::choose(std::uint32_t first_group, std::uint32_t last_group,
                                                 std::uint32_t level, std::uint64_t count) const {
  std::vector<std::uint8_t> chosen(topology_.sm_count(), 0);
  std::size_t most_tpcs = 0;
  std::size_t most_sms = 0;
  for (std::uint32_t group = first_group; group < last_group; ++group) {
    most_tpcs = std::max(most_tpcs, topology_.tpcs(group).size());
    most_sms = std::max(most_sms, topology_.tpcs(group).front().size());
  }
  const auto open = [&](std::uint32_t sm) { return chosen[sm] == 0 && fill_[sm].room > 0 && fill_[sm].level == level; };
  for (std::size_t round = 0; round < most_sms; ++round) {
    for (std::size_t t = 0; t < most_tpcs; ++t) {
      for (std::uint32_t group = first_group; group < last_group && count > 0; ++group) {
        if (t >= topology_.tpcs(group).size()) {
          continue;
        }
        const std::vector<std::uint32_t>& tpc = topology_.tpcs(group)[t];
        const auto sm = std::find_if(tpc.begin(), tpc.end(), open);
        if (sm != tpc.end()) {
          chosen[*sm] = 1;
          --count;
        }
      }
    }
  }
  return chosen;
}

void BlockPlacement::plan_pass(std::uint64_t unplanned) {
  const std::uint32_t gpcs = topology_.gpc_count();
  const std::uint32_t level = lowest_level(0, gpcs);
  if (level == kNoSm || unplanned == 0) {
    return;
  }
  queue_passes_batches(choose(0, gpcs, level, unplanned));
}

void BlockPlacement::queue_passes_batches(const std::vector<std::uint8_t>& chosen) {
  const std::uint32_t gpcs = topology_.gpc_count();
  for (std::uint32_t i = 0; i < gpcs; ++i) {
    Batch batch{(next_gpc_ + i) % gpcs, {}};
    for (const std::vector<std::uint32_t>& tpc : topology_.tpcs(batch.gpc)) {
      std::copy_if(tpc.begin(), tpc.end(), std::back_inserter(batch.sms),
                   [&](std::uint32_t sm) { return chosen[sm] != 0; });
    }
    if (!batch.sms.empty()) {
      planned_ += batch.sms.size();
      pass_.push_back(std::move(batch));
    }
  }
}

// One cluster for each GPC that has room; with fewer clusters left than that, the first GPCs by number.
void BlockPlacement::plan_cluster_pass(std::uint64_t unplanned) {
  const std::uint32_t gpcs = topology_.gpc_count();
  std::vector<Batch> by_gpc(gpcs);
  std::uint64_t clusters = unplanned / cluster_blocks_;
  for (std::uint32_t gpc = 0; gpc < gpcs && clusters > 0; ++gpc) {
    by_gpc[gpc] = {gpc, cluster_sms(gpc)};
    clusters -= by_gpc[gpc].sms.empty() ? 0 : 1;
  }
  for (std::uint32_t i = 0; i < gpcs; ++i) {
    Batch& batch = by_gpc[(next_gpc_ + i) % gpcs];
    if (!batch.sms.empty()) {
      planned_ += batch.sms.size();
      pass_.push_back(std::move(batch));
    }
  }
}

// SMs for the blocks of one cluster, the least filled first, then in order of TPCs; empty if not all of them fit.
std::vector<std::uint32_t> BlockPlacement::cluster_sms(std::uint32_t gpc) const {
  std::vector<std::uint32_t> candidates;
  for (const std::vector<std::uint32_t>& tpc : topology_.tpcs(gpc)) {
    candidates.insert(candidates.end(), tpc.begin(), tpc.end());
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return fill_[a].level < fill_[b].level; });
  std::vector<std::uint32_t> sms;
  for (std::uint32_t depth = 0; sms.size() < cluster_blocks_; ++depth) {
    const std::size_t before = sms.size();
    for (const std::uint32_t sm : candidates) {
      if (fill_[sm].room > depth && sms.size() < cluster_blocks_) {
        sms.push_back(sm);
      }
    }
    if (sms.size() == before) {
      return {};
    }
  }
  return sms;
}

bool BlockPlacement::cluster_fits(std::uint32_t cluster_blocks, std::uint32_t blocks_per_sm) const {
  for (std::uint32_t gpc = 0; gpc < topology_.gpc_count(); ++gpc) {
    std::uint64_t sms = 0;
    for (const std::vector<std::uint32_t>& tpc : topology_.tpcs(gpc)) {
      sms += tpc.size();
    }
    if (sms * blocks_per_sm >= cluster_blocks) {
      return true;
    }
  }
  return false;
}

}  // namespace warpsim

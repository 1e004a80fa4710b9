#include "memory/dram/dram_channel.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace warpsim {
namespace {

std::uint8_t burst_count(std::uint8_t sectors, std::uint32_t burst_bytes) {
  if (burst_bytes == kSectorBytes) {
    return static_cast<std::uint8_t>(sector_count(sectors));
  }
  if (burst_bytes == kLineBytes) {
    return 1;
  }
  return static_cast<std::uint8_t>(((sectors & 0x3U) != 0 ? 1 : 0) + ((sectors & 0xcU) != 0 ? 1 : 0));
}

constexpr std::uint64_t kNoOrder = ~std::uint64_t{0};

std::uint64_t sector_bytes(std::uint8_t sectors) {
  return std::uint64_t{sector_count(sectors)} * kSectorBytes;
}

}  // namespace

DramChannel::DramChannel(const DramConfig& config, const AddressMapConfig& geometry, const AddressMap& map,
                         const std::vector<SliceLinks>& slices, LaunchStatsNode& parent, std::uint32_t number)
    : config_(config),
      map_(&map),
      slices_(slices),
      banks_(config, geometry.num_bank_groups, geometry.banks_per_group),
      reads_(config.read_queue_entries, geometry.num_bank_groups * geometry.banks_per_group),
      writes_(config.write_queue_entries, geometry.num_bank_groups * geometry.banks_per_group),
      hits_in_row_(banks_.num_banks(), 0),
      column_gap_(std::max(config.timing.t_ccd_s, config.burst_cycles)),
      stats_(parent, "dram_channel", number),
      mechanism_(DramMechanism::make(config.scheduler, banks_, number, stats_)) {
  SIM_CHECK(banks_.num_banks() <= 64, "a channel has at most 64 banks");
  stats_.add_gauge("queued", [this] { return std::uint64_t{reads_.size()} + writes_.size(); });
  if (config.refresh != RefreshMode::kNone) {
    const Cycle parts = config.refresh == RefreshMode::kPerBank ? banks_.num_banks() : 1;
    refresh_interval_ = std::max<Cycle>(config.timing.t_refi / parts, 1);
    // The refreshes of the stacks are spread over the interval.
    const Cycle stack = map.stack_of_channel(number);
    const Cycle lead = stack * config.timing.t_refi / map.num_stacks();
    refresh_due_ = refresh_interval_ + lead % refresh_interval_;
    refresh_bank_ = static_cast<std::uint32_t>(lead / refresh_interval_ % parts);
  }
}

void DramChannel::connect(WakeHandle self) {
  for (const SliceLinks& slice : slices_) {
    slice.requests->connect_receiver(self);
    slice.responses->connect_sender(self);
  }
}

Cycle DramChannel::response_latency(const DramConfig& config) {
  const Cycle open_row = Cycle{config.timing.t_cl} + config.burst_cycles + config.return_latency_cycles;
  return config.ideal && config.ideal_latency_cycles != 0 ? config.ideal_latency_cycles : open_row;
}

void DramChannel::accept(Cycle now) {
  for (std::size_t slice = 0; slice < slices_.size(); ++slice) {
    Link<DramRequest>& link = *slices_[slice].requests;
    while (link.has_message(now)) {
      const DramRequest& request = link.front();
      DramQueue& target = request.write ? writes_ : reads_;
      if (target.full()) {
        break;
      }
      const AddressMap::DramPlace place = map_->dram_place_of(request.line);
      DramQueueEntry entry;
      entry.order = arrivals_++;
      entry.arrival = link.next_arrival();
      entry.row = place.row;
      entry.tag = request.tag;
      entry.slice = static_cast<std::uint16_t>(slice);
      entry.bank = static_cast<std::uint8_t>(place.bank);
      entry.sector_mask = request.sector_mask;
      entry.moved = request.moved();
      entry.bursts = burst_count(entry.moved, config_.burst_bytes);
      entry.wants_reply = request.wants_reply;
      entry.seat = request.seat;
      entry.requester = request.requester;
      target.push(entry, banks_.open_row(place.bank));
      link.pop(now);
    }
  }
}

Cycle DramChannel::tick_ideal(Cycle now) {
  for (const SliceLinks& slice : slices_) {
    while (slice.requests->has_message(now)) {
      const DramRequest& request = slice.requests->front();
      if (request.wants_reply && !slice.responses->can_send(now)) {
        break;
      }
      DramChannelStats& stats = stats_[request.seat];
      ++(request.write ? stats.writes : stats.reads);
      (request.write ? stats.bytes_written : stats.bytes_read) += sector_bytes(request.moved());
      if (request.wants_reply) {
        stats.read_latency.add(response_latency(config_));
        slice.responses->send({request.tag, request.sector_mask}, now);
      }
      slice.requests->pop(now);
    }
  }
  return next_arrival(now);
}

void DramChannel::turn_by_watermarks() {
  if (!writing_ && (writes_.size() >= config_.write_high_watermark || (reads_.size() == 0 && writes_.size() > 0))) {
    writing_ = true;
  }
  if (writing_ && (writes_.size() == 0 || (writes_.size() <= config_.write_low_watermark && reads_.size() > 0))) {
    writing_ = false;
  }
}

void DramChannel::turn_by_mechanism() {
  const bool was_writing = writing_;
  turn_by_watermarks();
  if (reads_.size() != 0 && writes_.size() != 0) {
    writing_ = mechanism_->writes_next({reads_.size(), writes_.size(), was_writing, writing_});
  }
  mechanism_->turn_to(writing_);
}

bool DramChannel::choose_direction() {
  const bool was_writing = writing_;
  mechanism_ ? turn_by_mechanism() : turn_by_watermarks();
  if (writing_ != was_writing) {
    count_turnaround();
    return true;
  }
  return false;
}

void DramChannel::count_turnaround() {
  const std::uint32_t oldest = queue().oldest();
  ++stats_[oldest == DramQueue::kNone ? served_ : queue()[oldest].seat].turnarounds;
}

void DramChannel::set_row(std::uint32_t bank, std::uint32_t row) {
  reads_.row_changed(bank, row);
  writes_.row_changed(bank, row);
  hits_in_row_[bank] = 0;
}

// Refreshes are executed when there is work. Refreshes in idle time long enough ago have only one effect:
// rows are closed. So at most one refresh of each bank is replayed.
void DramChannel::show(TimelinePart& timeline, TimelinePart::Track parent) {
  timeline_ = &timeline;
  constexpr std::array<const char*, 5> kNames = {"read", "write", "activate", "precharge", "refresh"};
  std::ranges::transform(kNames, command_names_.begin(), [&timeline](const char* name) { return timeline.name(name); });
  bank_tracks_.clear();
  for (std::uint32_t bank = 0; bank < banks_.num_banks(); ++bank) {
    bank_tracks_.push_back(timeline.add_track({"bank " + std::to_string(bank), parent, TimelinePart::Clock::kDram}));
  }
}

// The time for which the command occupies its bank.
void DramChannel::show_command(DramCommand command, std::uint32_t bank, Cycle from, Cycle to) {
  if (timeline_ != nullptr) {
    timeline_->slice(bank_tracks_[bank], command_names_[static_cast<std::size_t>(command)], from, to);
  }
}

void DramChannel::show_refresh(std::uint32_t bank) {
  if (timeline_ != nullptr) {
    timeline_->slice(bank_tracks_[bank], command_names_.back(), refresh_due_, refresh_due_ + config_.timing.t_rfc);
  }
}

LaunchSeat DramChannel::delayed_by_refresh() const {
  const std::uint32_t read = reads_.oldest();
  const std::uint32_t write = writes_.oldest();
  if (read == DramQueue::kNone || (write != DramQueue::kNone && writes_[write].order < reads_[read].order)) {
    return writes_[write].seat;
  }
  return reads_[read].seat;
}

// At least one is due.
void DramChannel::refresh(Cycle now) {
  const std::uint64_t due = (now - refresh_due_) / refresh_interval_ + 1;
  const bool per_bank = config_.refresh == RefreshMode::kPerBank;
  const std::uint64_t kept = std::min<std::uint64_t>(due, per_bank ? banks_.num_banks() : 1);
  stats_[delayed_by_refresh()].refreshes += due;
  refresh_due_ += (due - kept) * refresh_interval_;
  refresh_bank_ = static_cast<std::uint32_t>((refresh_bank_ + (due - kept)) % banks_.num_banks());
  for (std::uint64_t i = 0; i < kept; ++i) {
    if (per_bank) {
      banks_.refresh(refresh_bank_, refresh_due_);
      show_refresh(refresh_bank_);
      set_row(refresh_bank_, DramBanks::kClosed);
      refresh_bank_ = (refresh_bank_ + 1) % banks_.num_banks();
    } else {
      for (std::uint32_t bank = 0; bank < banks_.num_banks(); ++bank) {
        banks_.refresh(bank, refresh_due_);
        show_refresh(bank);
        set_row(bank, DramBanks::kClosed);
      }
    }
    refresh_due_ += refresh_interval_;
  }
}

// The next command that the bank's requests need: a column command to the open row, or a change of row for the oldest.
[[gnu::always_inline]] inline DramChannel::Choice DramChannel::candidate(std::uint32_t bank) {
  const DramQueue& waiting = queue();
  const std::uint32_t oldest = waiting.oldest(bank);
  if (banks_.open_row(bank) == DramBanks::kClosed) {
    return {oldest, bank, DramCommand::kActivate};
  }
  const std::uint32_t hit = waiting.hit(bank);
  if (hit != DramQueue::kNone && (hit == oldest || hits_in_row_[bank] < config_.max_row_hits)) {
    return {hit, bank, writing_ ? DramCommand::kWrite : DramCommand::kRead};
  }
  return {oldest, bank, DramCommand::kPrecharge};
}

DramChannel::Choice DramChannel::candidate_of_mechanism(std::uint32_t bank) {
  const std::uint32_t entry = mechanism_->next_in(bank, queue());
  const std::uint32_t open_row = banks_.open_row(bank);
  if (open_row == queue()[entry].row) {
    return {entry, bank, writing_ ? DramCommand::kWrite : DramCommand::kRead};
  }
  return {entry, bank, open_row == DramBanks::kClosed ? DramCommand::kActivate : DramCommand::kPrecharge};
}

DramChannel::Plan DramChannel::plan(Cycle now) {
  Plan plan;
  std::uint64_t column_order = kNoOrder;
  std::uint64_t row_order = kNoOrder;
  const DramQueue& waiting = queue();
  for (std::uint64_t banks = waiting.busy_banks(); banks != 0; banks &= banks - 1) {
    const auto bank = static_cast<std::uint32_t>(std::countr_zero(banks));
    const Choice choice = mechanism_ ? candidate_of_mechanism(bank) : candidate(bank);
    const Cycle ready = banks_.ready_at(choice.command, choice.bank);
    if (ready > now) {
      plan.next = std::min(plan.next, ready);
      continue;
    }
    const bool is_column = choice.command == DramCommand::kRead || choice.command == DramCommand::kWrite;
    std::uint64_t& best_order = is_column ? column_order : row_order;
    Choice& best = is_column ? plan.column : plan.row;
    const std::uint64_t order = waiting[choice.entry].order;
    bool first = order < best_order;
    if (best_order != kNoOrder) {
      plan.next = std::min(plan.next, is_column ? now + column_gap_ : now + 1);  // for the one not chosen
      first = mechanism_ ? mechanism_->goes_before(waiting[choice.entry], waiting[best.entry]) : first;
    }
    if (first) {
      best_order = order;
      best = choice;
    }
  }
  return plan;
}

void DramChannel::close_if_unwanted(std::uint32_t bank) {
  if (config_.page_policy == PagePolicy::kClosed && reads_.hit(bank) == DramQueue::kNone &&
      writes_.hit(bank) == DramQueue::kNone) {
    // Auto-precharge: takes place by itself as soon as the row may be closed.
    banks_.precharge(bank, banks_.ready_at(DramCommand::kPrecharge, bank));
    set_row(bank, DramBanks::kClosed);
  }
}

void DramChannel::issue_column(const Choice& choice, Cycle now) {
  const DramQueueEntry entry = queue()[choice.entry];
  const Cycle last = banks_.access(choice.command, choice.bank, entry.bursts, now);
  show_command(choice.command, choice.bank, now, last + config_.burst_cycles);
  DramChannelStats& stats = stats_[entry.seat];
  stats.data_bus_cycles += std::uint64_t{config_.burst_cycles} * entry.bursts;
  ++hits_in_row_[choice.bank];
  ++(entry.precharged ? stats.row_conflicts : entry.activated ? stats.row_misses : stats.row_hits);
  if (writing_) {
    ++stats.writes;
    stats.bytes_written += sector_bytes(entry.moved);
  } else {
    ++stats.reads;
    stats.bytes_read += sector_bytes(entry.moved);
    stats.read_queueing.add(now - entry.arrival);
    stats.read_latency.add(last - entry.arrival + config_.timing.t_cl + config_.burst_cycles);
    if (entry.wants_reply) {
      // The return path begins with the last burst.
      slices_[entry.slice].responses->send({entry.tag, entry.sector_mask}, last);
    }
  }
  served_ = entry.seat;
  if (mechanism_) [[unlikely]] {
    mechanism_->served(entry, now);
    queue().pop(choice.bank, choice.entry);
  } else {
    queue().pop_hit(choice.bank);
  }
  close_if_unwanted(choice.bank);
}

void DramChannel::issue_row(const Choice& choice, Cycle now) {
  DramQueueEntry& entry = queue()[choice.entry];
  if (choice.command == DramCommand::kActivate) {
    entry.activated = true;
    banks_.activate(choice.bank, entry.row, now);
    show_command(choice.command, choice.bank, now, now + config_.timing.t_rcd);
    set_row(choice.bank, entry.row);
  } else {
    entry.precharged = true;
    banks_.precharge(choice.bank, now);
    show_command(choice.command, choice.bank, now, now + config_.timing.t_rp);
    set_row(choice.bank, DramBanks::kClosed);
  }
}

Cycle DramChannel::next_arrival(Cycle now) const {
  Cycle next = kNever;
  for (const SliceLinks& slice : slices_) {
    const Cycle arrival = slice.requests->next_arrival();
    next = arrival > now ? std::min(next, arrival) : next;
  }
  return next;
}

Cycle DramChannel::tick(Cycle now) {
  if (config_.ideal) {
    return tick_ideal(now);
  }
  accept(now);
  if (reads_.size() == 0 && writes_.size() == 0) {
    return next_arrival(now);
  }
  if (refresh_due_ <= now) {
    refresh(now);
  }
  choose_direction();
  const Plan ready = plan(now);
  Cycle next = ready.next;
  const std::uint32_t waiting_before = reads_.size() + writes_.size();
  if (ready.column.entry != DramQueue::kNone && answerable(ready.column, now)) {
    issue_column(ready.column, now);
    next = std::min(next, ready_at(ready.column.bank));
  }
  if (ready.row.entry != DramQueue::kNone) {
    issue_row(ready.row, now);
    next = std::min(next, ready_at(ready.row.bank));
  }
  if (reads_.size() + writes_.size() != waiting_before) {
    // A request is done: other requests may enter, and the direction may change.
    if (choose_direction() || request_visible(now)) {
      next = now + 1;
    }
  }
  const bool busy = reads_.size() + writes_.size() != 0;
  return std::min({next, next_arrival(now), busy ? refresh_due_ : kNever});
}

bool DramChannel::answerable(const Choice& column, Cycle now) {
  const DramQueueEntry& entry = queue()[column.entry];
  return writing_ || !entry.wants_reply || slices_[entry.slice].responses->can_send(now);
}

// When the bank's next command may be issued; kNever if no request waits for it in this direction.
Cycle DramChannel::ready_at(std::uint32_t bank) {
  if (queue().oldest(bank) == DramQueue::kNone) {
    return kNever;
  }
  const Choice choice = mechanism_ ? candidate_of_mechanism(bank) : candidate(bank);
  return banks_.ready_at(choice.command, bank);
}

bool DramChannel::request_visible(Cycle now) const {
  return std::any_of(slices_.begin(), slices_.end(),
                     [now](const SliceLinks& slice) { return slice.requests->has_message(now); });
}

bool DramChannel::idle() const {
  const bool links_idle =
      std::all_of(slices_.begin(), slices_.end(), [](const SliceLinks& slice) { return slice.requests->empty(); });
  return links_idle && reads_.size() == 0 && writes_.size() == 0;
}

std::string DramChannel::describe_stall() const {
  if (idle()) {
    return {};
  }
  return std::to_string(reads_.size()) + " reads and " + std::to_string(writes_.size()) + " writes queued" +
         (writing_ ? ", writing" : "");
}

}  // namespace warpsim

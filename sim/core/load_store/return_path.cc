#include "core/load_store/return_path.h"

#include <algorithm>

namespace warpsim {

ReturnPath::ReturnPath(const LoadStoreConfig& config, const L1Config& l1, DataPasses& passes, SmEvents& events,
                       LaunchStats<LoadStoreStats>& stats)
    : copy_through_l1_cycles_(config.copy_through_l1_cycles),
      fill_latency_cycles_(l1.fill_latency_cycles),
      passes_(&passes),
      events_(&events),
      stats_(&stats) {}

bool ReturnPath::all_sent(std::uint32_t number, const Return& back) {
  Waiting& waiting = waiting_[number];
  waiting.all_lines_sent = true;
  waiting.back = back;
  return waiting.parts != 0;
}

void ReturnPath::finish(std::uint32_t number, Cycle data_done) {
  const Waiting& waiting = waiting_[number];
  const MemoryInstruction& instruction = waiting.instruction;
  const Cycle done = data_done + (instruction.copies_through_l1() ? copy_through_l1_cycles_ : 0);
  (*stats_)[instruction.seat].record_latency(instruction, waiting.served_by, done - instruction.issued);
  post_result(*events_, instruction, done);
  waiting_.give_back(number);
}

void ReturnPath::complete(std::uint32_t number, Cycle first_data) {
  finish(number, first_data + waiting_[number].back.hand_out_cycles);
}

ReturnPath::Finished ReturnPath::arrived(std::uint32_t number, std::uint32_t parts, ServedBy served_by, Cycle now) {
  Waiting& waiting = waiting_[number];
  waiting.served_by = std::max(waiting.served_by, served_by);
  waiting.first_part = std::min(waiting.first_part, now);
  waiting.parts -= parts;
  if (waiting.parts != 0 || !waiting.all_lines_sent) {
    return {};
  }
  const std::uint32_t held_lines = waiting.held_lines;
  const std::uint32_t passes = waiting.back.passes;
  const bool atomic = waiting.instruction.is_atomic();
  if (!atomic) {
    passes_->deliver(passes, now);
  }
  const Return& back = waiting.back;
  const Cycle data = std::max(now, waiting.first_part + back.hand_out_cycles) + fill_latency_cycles_;
  finish(number, std::max(data + back.behind_cycles, back.earliest));
  return {atomic ? passes : 0, held_lines};
}

}  // namespace warpsim

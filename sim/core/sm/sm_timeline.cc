#include "core/sm/sm_timeline.h"

#include <string>

namespace warpsim {

void SmTimeline::show(const ShownSm& shown) {
  shown_ = shown;
  track_ = shown.timeline->add_track({"SM " + std::to_string(sm_)});
  block_tracks_.clear();
  shows_warps_ = false;
  show_parts(ShownSm::When::kAlways);
}

// The parts that are recorded from now on.
void SmTimeline::show_parts(ShownSm::When when) {
  TimelinePart& timeline = *shown_.timeline;
  if (shown_.blocks == when) {
    for (std::uint32_t slot = 0; slot < block_slots_; ++slot) {
      block_tracks_.push_back(timeline.add_track({"block slot " + std::to_string(slot), track_}));
    }
  }
  if (shown_.warps == when) {
    shows_warps_ = true;
    for (std::uint32_t i = 0; i < sub_cores_->size(); ++i) {
      if (is_selected(shown_.sub_cores, i)) {
        (*sub_cores_)[i]->show(timeline, track_, shown_.warp_slots);
      }
    }
  }
}

void SmTimeline::begin_block(ResidentBlock& block, Cycle now) {
  block.shown_until = now;
  if (block.linear_index == 0 && shown_.timeline != nullptr && shown_.timeline->is_open()) {
    show_parts(ShownSm::When::kWithFirstBlock);
  }
}

void SmTimeline::show_block(ResidentBlock& block, std::uint32_t slot, Cycle now) {
  if (!block_tracks_.empty() && shown_.timeline->is_open()) {
    const TimelinePart::Name name = shown_.timeline->name("block " + std::to_string(block.linear_index));
    shown_.timeline->state(block_tracks_[slot], name, block.shown_until, now);
    block.shown_until = now;
  }
}

}  // namespace warpsim

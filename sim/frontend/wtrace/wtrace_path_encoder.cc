#include "frontend/wtrace/wtrace_path_encoder.h"

#include <algorithm>

namespace warpsim::wtrace {
namespace {

// Distance within which a mask must return to the flow's, so that the instructions between count as guarded.
constexpr std::size_t kExceptionReach = 4;

}  // namespace

void PathEncoder::MaskState::push(LaneMask mask) {
  std::copy_backward(history.begin(), history.end() - 1, history.end());
  history[0] = mask;
}

void PathEncoder::MaskState::to_front(std::uint32_t entry) {
  std::rotate(history.begin(), history.begin() + entry, history.begin() + entry + 1);
}

bool PathEncoder::is_exception(std::span<const WarpInstruction> warp, std::size_t at, LaneMask flow) const {
  const std::size_t end = std::min(warp.size(), at + 1 + kExceptionReach);
  for (std::size_t next = at + 1; next < end; ++next) {
    if (warp[next].active == flow) {
      return true;
    }
  }
  return false;
}

void PathEncoder::survey(std::span<const WarpInstruction> warp) {
  LaneMask flow = kAllLanes;
  for (std::size_t at = 0; at < warp.size(); ++at) {
    const LaneMask mask = warp[at].active;
    if (mask == flow || mask == 0) {
      continue;
    }
    if (!is_exception(warp, at, flow)) {
      flow = mask;
      continue;
    }
    InstructionFacts& facts = facts_[warp[at].index];
    const auto known = facts.exceptions.begin() + facts.exception_count;
    if (facts.exception_count < facts.exceptions.size() && std::find(facts.exceptions.begin(), known, mask) == known) {
      facts.exceptions[facts.exception_count++] = mask;
    }
  }
}

void PathEncoder::survey_repeats(std::span<const WarpInstruction> warp) {
  bool any = false;
  LaneMask last = 0;
  for (const WarpInstruction& instruction : warp) {
    if (!varies(instruction.index)) {
      continue;
    }
    InstructionFacts& facts = facts_[instruction.index];
    facts.repeats = facts.repeats && any && instruction.active == last;
    any = true;
    last = instruction.active;
  }
}

std::uint8_t PathEncoder::choose_code(std::span<const WarpInstruction> warp, std::size_t at) {
  const LaneMask mask = warp[at].active;
  const auto& history = state_.history;
  if (varies(warp[at].index)) {
    return facts_[warp[at].index].repeats ? kMaskOfWarpAgain : kMaskOfWarp;
  }
  if (mask == 0) {
    return kMaskZero;
  }
  const auto entry = std::find(history.begin(), history.end(), mask);
  if (entry != history.end()) {
    const auto code = static_cast<std::uint8_t>(entry - history.begin());
    state_.to_front(code);
    return code;
  }
  const bool exception = is_exception(warp, at, history[0]);
  if (mask == state_.aside && exception) {
    return kMaskAsideAgain;
  }
  if (exception) {
    put_u32(masks_, mask);
    state_.aside = mask;
    return kMaskAside;
  }
  std::uint8_t code = kMaskNewFlow;
  if (mask == state_.aside) {
    code = kMaskAsideAsFlow;
  } else if (mask == (history[0] & ~state_.aside)) {
    code = kMaskNotAside;
  } else if (mask == (history[1] & ~history[0])) {
    code = kMaskSibling;
  } else {
    put_u32(masks_, mask);
  }
  state_.push(mask);
  return code;
}

void PathEncoder::put_run(const Run& run, std::uint32_t expected_start) {
  const bool jumps = run.start != expected_start;
  const std::uint32_t short_length = run.length <= kRunShortLengths ? run.length : 0;
  runs_.push_back(static_cast<char>(run.code | (jumps ? kRunJumps : 0) | (short_length << kRunLengthShift)));
  if (short_length == 0) {
    put_varint(runs_, run.length);
  }
  if (jumps) {
    put_varint(runs_, zigzag(std::int64_t{run.start} - std::int64_t{expected_start}));
  }
}

void PathEncoder::encode(std::span<const WarpInstruction> warp) {
  if (warp.empty()) {
    put_varint(warp_paths_, 0);
    return;
  }
  state_ = MaskState{};
  runs_.clear();
  masks_.clear();
  Run run;
  std::uint32_t run_count = 0;
  std::uint32_t expected_start = 0;
  const auto end_run = [&] {
    if (run.length > 0) {
      put_run(run, expected_start);
      expected_start = run.start + run.length;
      ++run_count;
    }
  };
  for (std::size_t at = 0; at < warp.size(); ++at) {
    const WarpInstruction& instruction = warp[at];
    const bool follows = run.length > 0 && instruction.index == run.start + run.length;
    const bool own_mask = varies(instruction.index);
    const bool own_run = run.code >= kMaskOfWarp;
    if (follows && own_mask == own_run && !own_mask && instruction.active == run.mask) {
      ++run.length;
      continue;
    }
    const std::uint8_t code = choose_code(warp, at);
    if (follows && own_mask && own_run && code == run.code) {
      ++run.length;
      continue;
    }
    end_run();
    run = Run{instruction.index, 1, code, instruction.active};
  }
  end_run();
  for (const WarpInstruction& instruction : warp) {
    InstructionFacts& facts = facts_[instruction.index];
    if (varies(instruction.index) && !facts.repeats) {
      put_u32(facts.column, instruction.active);
    }
  }

  std::string key;
  put_varint(key, run_count);
  key += runs_;
  const std::size_t path_bytes = key.size();
  key += masks_;
  const auto [known, is_new] = numbers_.try_emplace(key, path_count() + 1);
  if (is_new) {
    paths_.append(key, 0, path_bytes);
    path_masks_ += masks_;
  }
  put_varint(warp_paths_, known->second);
}

}  // namespace warpsim::wtrace

// Calls of functions, and joint operations of the lanes of a warp.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"
#include "emulator/code/special_values.h"
#include "emulator/execution/warp.h"
#include "emulator/execution/warp_exchange.h"
#include "emulator/memory/generic_address.h"
#include "emulator/races/race_check.h"

namespace warpsim {

Warp::Frame* Warp::add_frame(const FunctionCode& code) {
  if (free_frames_.empty()) {
    frames_.push_back(std::make_unique<Frame>());
    free_frames_.push_back(frames_.back().get());
  }
  Frame* const frame = free_frames_.back();
  free_frames_.pop_back();
  frame->code = &code;
  frame->users = 0;
  frame->caller = nullptr;
  frame->call = nullptr;
  return frame;
}

// A frame holds its caller's.
void Warp::leave_frame(Frame* frame) {
  while (frame != nullptr && --frame->users == 0) {
    free_frames_.push_back(frame);
    frame = frame->caller;
  }
}

void Warp::fill_specials(Frame& frame, LaneMask lanes, Specials which) {
  for (const FunctionCode::Special& special : frame.code->specials) {
    if (which == Specials::kOfBlock && !differs_between_blocks(special.which)) {
      continue;
    }
    if (special.which == SpecialRegister::kTid && !special.wide) {
      fill_thread_numbers(context_, special.component, lanes,
                          reinterpret_cast<std::uint32_t*>(frame.registers() + special.place));
      continue;
    }
    if (!differs_between_lanes(special.which) && !special.wide) {
      auto* const words = reinterpret_cast<std::uint32_t*>(frame.registers() + special.place);
      const auto value = static_cast<std::uint32_t>(special_value(special.which, special.component, 0, context_));
      for_lanes(lanes, [=](std::uint32_t lane) { words[lane] = value; });
      continue;
    }
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::uint64_t value = special_value(special.which, special.component, lane, context_);
      const std::uint32_t bytes = special.wide ? 8 : 4;
      std::memcpy(frame.registers() + special.place + std::size_t{lane} * bytes, &value, bytes);
    }
  }
}

void Warp::call(const Operation& operation, LaneMask lanes) {
  Split& split = splits_[current_];
  const std::uint32_t next = split.at + 1;
  if (lanes == 0) {
    go_to(next);
    return;
  }
  if (lanes != split.lanes) {
    part({{next, split.lanes & ~lanes}, {split.at, lanes}}, next);
    return;
  }
  const CallSite& site = split.frame->code->calls[operation.target];
  if (operation.control == Control::kCall) {
    call_function(site, static_cast<std::uint32_t>(site.function), lanes, next);
    return;
  }
  // Lanes that call the same function stay together.
  const auto* const callee = context_.read<std::uint64_t>(site.callee);
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  LaneMask same = 0;
  for_lanes(lanes, [&](std::uint32_t lane) { same |= callee[lane] == callee[first] ? LaneMask{1} << lane : 0; });
  if (same != lanes) {
    part({{split.at, lanes & ~same}, {split.at, same}}, next);
    return;
  }
  const std::int32_t function = launch_.kernel->module().function_at(callee[first]);
  if (function < 0 || launch_.kernel->function(static_cast<std::uint32_t>(function)) == nullptr) {
    context_.fault(FaultKind::kIllegalInstruction, operation, first, "a call of an address that is not a function");
  }
  call_function(site, static_cast<std::uint32_t>(function), lanes, next);
}

namespace {

// One argument or result from one frame to another. In memory it is in the parameter areas, one lane after another.
void move_argument(const CallSite::Argument& from, const CallSite::Argument& to, LaneMask lanes,
                   const WarpContext& source, WarpContext& target) {
  const std::uint32_t bytes = std::min(from.bytes, to.bytes);
  const auto lane_bytes = [](const CallSite::Argument& argument) { return argument.bytes == 8 ? 8U : 4U; };
  for_lanes(lanes, [&](std::uint32_t lane) {
    const std::byte* const read = from.in_memory
                                      ? source.parameters + std::size_t{lane} * source.parameter_bytes + from.here
                                      : reinterpret_cast<const std::byte*>(
                                            (from.place >= 0 ? source.registers : source.constants_end) + from.place) +
                                            std::size_t{lane} * lane_bytes(from);
    std::byte* const write = to.in_memory ? target.parameters + std::size_t{lane} * target.parameter_bytes + to.here
                                          : target.registers + to.place + std::size_t{lane} * lane_bytes(to);
    std::memcpy(write, read, bytes);
  });
}

}  // namespace

void Warp::call_function(const CallSite& site, std::uint32_t function, LaneMask lanes, std::uint32_t return_to) {
  Split& split = splits_[current_];
  const FunctionCode& code = *launch_.kernel->function(function);
  Frame* const frame = add_frame(code);
  frame->memory.assign(code.frame_bytes(), std::byte{0});
  frame->users = 1;
  frame->caller = split.frame;  // until now held by the split
  frame->call = &site;
  frame->return_to = return_to;
  frame->local_base = split.frame->local_base + split.frame->code->local_bytes;
  std::uint32_t taken = 0;
  for_lanes(lanes, [&](std::uint32_t lane) { taken = std::max(taken, context_.stack_used[lane]); });
  if (frame->local_base + code.local_bytes + taken > block_.local_bytes()) {
    context_.fault(FaultKind::kStackOverflow, split.frame->code->operations[split.at],
                   static_cast<std::uint32_t>(std::countr_zero(lanes)), "the stack is full");
  }
  fill_specials(*frame, lanes, Specials::kAll);
  const WarpContext caller = context_;
  split.frame = frame;
  split.at = 0;
  enter(split);
  for (std::size_t i = 0; i < std::min(site.arguments.size(), code.parameters.size()); ++i) {
    move_argument(site.arguments[i], code.parameters[i], lanes, caller, context_);
  }
}

void Warp::return_from_call() {
  Split& split = splits_[current_];
  Frame* const frame = split.frame;
  if (frame->caller == nullptr) {
    end_lanes(split.lanes);
    return;
  }
  const WarpContext callee = context_;
  if (frame->code->stack_mark != kNoPlace) {
    const auto* const mark = context_.read<std::uint32_t>(frame->code->stack_mark);
    for_lanes(split.lanes, [&](std::uint32_t lane) {
      context_.stack_used[lane] = mark[lane] == 0 ? context_.stack_used[lane] : mark[lane] - 1;
    });
  }
  const CallSite& site = *frame->call;
  split.frame = frame->caller;
  ++split.frame->users;
  enter(split);
  for (std::size_t i = 0; i < std::min(site.results.size(), frame->code->results.size()); ++i) {
    move_argument(frame->code->results[i], site.results[i], split.lanes, callee, context_);
  }
  const std::uint32_t return_to = frame->return_to;
  leave_frame(frame);
  go_to(return_to);
}

// --- operations of several lanes together ---

void Warp::synchronise(const Operation& operation, LaneMask lanes) {
  Split& split = splits_[current_];
  if (lanes == 0) {
    go_to(split.at + 1);
    return;
  }
  if (!launch_.independent_threads) {
    for (LaneMask rest = lanes; rest != 0;) {
      const LaneMask group = with_same_members(operation, rest);
      execute(operation, group);
      rest &= ~group;
    }
    go_to(split.at + 1);
    return;
  }
  if (lanes != split.lanes) {
    const LaneMask off = split.lanes & ~guarded(split, operation);
    const LaneMask later = split.lanes & ~lanes & ~off;
    std::vector<std::pair<std::uint32_t, LaneMask>> ways;
    if (off != 0) {
      ways.emplace_back(split.at + 1, off);
    }
    if (later != 0) {
      ways.emplace_back(split.at, later);
    }
    ways.emplace_back(split.at, lanes);
    part(ways, split.at + 1);
    return;
  }
  split.state = State::kAtWarpSync;
  try_to_synchronise(static_cast<std::uint32_t>(current_));
}

// The lanes' splits wait at the same operation, each in its own place.
void Warp::execute_together(LaneMask lanes) {
  std::vector<ExchangePlace> places;
  LaneMask done = 0;
  for (const Split& split : splits_) {
    if ((split.lanes & lanes & ~done) == 0) {
      continue;
    }
    LaneMask same = 0;
    for (const Split& other : splits_) {
      same |= (other.lanes & lanes) != 0 && other.frame == split.frame && other.at == split.at ? other.lanes : 0;
    }
    done |= same;
    const Operation& operation = split.frame->code->operations[split.at];
    if (operation.exchange != Exchange::kNothing && same != lanes) {
      places.push_back({&operation, split.frame->registers(), split.frame->code->constants_end(), same});
      continue;
    }
    context_.registers = split.frame->registers();
    context_.constants_end = split.frame->code->constants_end();
    context_.code = split.frame->code;
    context_.lists = split.frame->code->lists.data();
    execute(operation, same);
  }
  if (!places.empty()) {
    execute_at_places(context_, places);
  }
}

// Whether all lanes that the split waits for have arrived; then they execute together.
bool Warp::try_to_synchronise(std::uint32_t number, Missing missing) {
  const Split waiting = splits_[number];
  const Operation& operation = waiting.frame->code->operations[waiting.at];
  const LaneMask running = splits_[current_].lanes;
  enter(splits_[number]);
  const auto first = static_cast<std::uint32_t>(std::countr_zero(waiting.lanes));
  const LaneMask members = context_.read<std::uint32_t>(operation.e)[first];
  if ((members >> first & 1U) == 0) {
    context_.fault(FaultKind::kIllegalInstruction, operation, first, "a member mask without the own lane");
  }
  const auto takes_part = [&](const Split& split) {
    return split.state == State::kAtWarpSync && (split.lanes & members) != 0 &&
           split.frame->code->operations[split.at].run == operation.run;
  };
  LaneMask here = 0;
  for (const Split& split : splits_) {
    here |= takes_part(split) ? split.lanes : 0;
  }
  const LaneMask wanted = members & ~exited_;
  if ((here & wanted) != wanted && missing == Missing::kAwaited) {
    enter(splits_[current_]);
    return false;
  }
  execute_together(here);
  if (launch_.races != nullptr && !context_.rehearsing && operation.run == do_nothing) {
    launch_.races->warp_barrier(context_, here);
  }
  join(here);
  for (std::size_t i = splits_.size(); i-- > 0;) {
    if (i < splits_.size() && takes_part(splits_[i])) {
      splits_[i].state = State::kReady;
      current_ = i;
      go_to(splits_[i].at + 1);
    }
  }
  back_to(running);
  return true;
}

}  // namespace warpsim

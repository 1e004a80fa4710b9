// Execution of a warp by code translated to the host's instructions.
#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "emulator/execution/warp.h"
#include "emulator/host_code/host_translation.h"

namespace warpsim {

// Null where each operation is looked at, or where there is no translated code yet.
const HostCode* Warp::translated(const Split& split) const {
  const bool is_watched =
      launch_.races != nullptr || launch_.breakpoints != nullptr || context_.effects != nullptr || context_.rehearsing;
  return is_watched ? nullptr : split.frame->code->translation->find(launch_.host_code);
}

// Executes translated code, before `stop` at the latest, and writes common memory only as allowed, unless the warp is
// alone in its block. Returns the number of executed operations.
std::uint64_t Warp::run_translated(const HostCode& code, Split& split, std::uint32_t stop, std::uint64_t most,
                                   WriteLeave leave) {
  HostRun& run = host_.run;
  const auto left = static_cast<std::int64_t>(std::min(most, std::uint64_t{INT64_MAX}));
  const std::int64_t turns = launch_.independent_threads ? std::int64_t{kTurns} - split.turns : INT64_MAX;
  run.registers = context_.registers;
  run.constants_end = context_.constants_end;
  run.context = &context_;
  run.left = left;
  run.write_floor = shares_block_ ? left - static_cast<std::int64_t>(leave.operations) : INT64_MIN;
  run.read_floor = !shares_block_ ? INT64_MIN : leave.first ? left - 1 : INT64_MAX;
  run.turns_left = turns;
  run.threads = 0;
  run.lane_count = static_cast<std::uint64_t>(std::popcount(split.lanes));
  run.lanes = split.lanes;
  run.present = context_.present;
  run.exited = exited_;
  run.stop = stop;
  run.generation = &launch_.memory->space()->generation;
  run.windows = host_.windows.of(code);
  run.shared = &block_.shared_view();
  run.local = block_.local(context_.index, 0, 0);
  run.local_bytes = block_.local_bytes();
  run.local_base = context_.local_base;
  split.at = code.run(run, split.at);
  split.turns += static_cast<std::uint32_t>(turns - run.turns_left);
  const auto executed = static_cast<std::uint64_t>(left - run.left);
  warp_operations_ += executed;
  thread_operations_ += run.threads;
  if (run.error != nullptr) {
    std::rethrow_exception(std::exchange(run.error, nullptr));
  }
  return executed;
}

}  // namespace warpsim

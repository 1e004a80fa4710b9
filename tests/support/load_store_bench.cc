#include "support/load_store_bench.h"

#include <algorithm>

namespace warpsim::test {

LoadStoreBench::LoadStoreBench(const Options& options)
    : options_(options),
      config_(tiny_config(options.overrides)),
      to_memory_(clock_, clock_, options.link_entries, 1),
      to_gpc_(clock_, clock_, options.link_entries, 1),
      constants_(config_.sm.constant_caches, 4, events_, to_gpc_, root_),
      to_cluster_(clock_, clock_, options.link_entries, 1),
      from_cluster_(clock_, clock_, options.link_entries, 1),
      async_(config_.sm.asynchronous, 1, 7, {&to_memory_, &to_cluster_, &from_cluster_}, events_, root_),
      unit_(config_.sm.load_store, {config_.sm.l1, config_.sm.read_only_cache}, 4, 7, events_, constants_, async_,
            to_memory_, root_) {
  unit_.configure_l1(std::uint64_t{16} * 1024);
  constexpr std::size_t kMostPrograms = 64;
  tables_.reserve(kMostPrograms);
}

bool LoadStoreBench::issue(const KernelBuilder& program, std::uint32_t index, Cycle now, std::uint8_t sub_core) {
  run(now - 1);
  if (unit_.queue_full(sub_core)) {
    return false;
  }
  if (tables_.empty() || tables_.back().instructions.size() != program.program()->instructions.size()) {
    tables_.push_back(make_issue_table(*program.program(), config_.sm.execution, DependencePolicy::kControlBits,
                                       config_.sm.sub_core.register_file.banks));
  }
  const PathStep& step = program.path().at(index);
  MemoryInstruction instruction;
  instruction.info = &tables_.back().instructions.at(step.index);
  if (step.addresses.recorded) {
    instruction.addresses =
        step.addresses.list.empty()
            ? LaneAddresses{LaneAddresses::Kind::kStrided, step.addresses.base, step.addresses.lane_stride, nullptr}
            : LaneAddresses{LaneAddresses::Kind::kList, 0, 0, step.addresses.list.data()};
  }
  instruction.active = step.active;
  instruction.instruction = step.index;
  instruction.sub_core = sub_core;
  instruction.issued = now;
  // Like in an SM: the unit works before the sub-cores issue.
  run(now);
  unit_.enqueue(instruction, windows, now);
  return true;
}

void LoadStoreBench::answer(const MemRequest& request) {
  const bool wanted = request.op == MemOp::kRead || request.op == MemOp::kAtomic || request.wants_ack;
  if (!wanted) {
    return;
  }
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    const auto bit = static_cast<std::uint8_t>(1U << sector & request.sector_mask);
    if (options_.answer_sector_by_sector && bit != 0) {
      unit_.response({request.tag, request.source, request.op, bit, ServedBy::kL2Near}, now_);
    }
  }
  if (!options_.answer_sector_by_sector) {
    unit_.response({request.tag, request.source, request.op, request.sector_mask, ServedBy::kL2Near}, now_);
  }
}

void LoadStoreBench::serve_memory() {
  while (!memory_stopped && to_memory_.has_message(now_)) {
    requests.push_back({now_, to_memory_.front()});
    answers_.emplace(now_ + options_.memory_latency, to_memory_.front());
    to_memory_.pop(now_);
  }
  while (!answers_.empty() && answers_.begin()->first <= now_) {
    answer(answers_.begin()->second);
    answers_.erase(answers_.begin());
  }
}

void LoadStoreBench::run(Cycle until) {
  for (; now_ <= until; ++now_) {
    serve_memory();
    events_.drain(now_, [this](const SmEvent& event) {
      if (event.kind == SmEvent::Kind::kResultWritten) {
        results[event.payload] = now_;
        ++results_posted;
      } else {
        sources_read[event.payload] = now_;
        ++sources_read_posted;
      }
    });
    freed = unit_.tick(now_);
  }
}

Cycle LoadStoreBench::latency_of_last(const KernelBuilder& program, Cycle now, Cycle interval) {
  Cycle at = now;
  std::uint32_t last = 0;
  for (std::uint32_t index = 0; index < program.path().size(); ++index) {
    at = now + index * interval;
    while (!issue(program, index, at)) {
      ++at;
    }
    last = program.path()[index].index;
  }
  run(at + 2000);
  return results.at(last) - at;
}

}  // namespace warpsim::test

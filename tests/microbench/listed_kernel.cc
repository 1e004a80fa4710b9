#include "microbench/listed_kernel.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/error.h"

namespace warpsim::microbench {
namespace {

constexpr Address kGlobalData = 0x7f0000000000;
constexpr std::uint32_t kMatrixRowBytes = 16;

bool is_guarded(const StaticProgram& program, std::uint32_t index) {
  return program.text[index].starts_with('@');
}

std::string_view opcode_of(const StaticProgram& program, std::uint32_t index) {
  return program.opcodes[program.instructions[index].opcode];
}

// Lanes that stopped at a BSYNC or have not run yet, and where they continue.
struct Group {
  std::uint32_t index;
  LaneMask lanes;
};

class Tracer {
 public:
  Tracer(std::shared_ptr<const StaticProgram> program, const Flow& flow) : flow_(flow) {
    path_.program = std::move(program);
    global_ = path_.addresses.add_strided(kGlobalData, 4);
    std::vector<Address> rows;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      rows.push_back(Address{lane % 8} * kMatrixRowBytes);
    }
    rows_ = path_.addresses.add_list(rows.data(), kWarpSize);
  }

  Path run(std::uint32_t first) {
    Group group{first, kAllLanes};
    while (step(group)) {
    }
    return std::move(path_);
  }

 private:
  const StaticProgram& program() const { return *path_.program; }
  std::uint32_t index_of(std::uint32_t pc) const { return pc / program().instruction_bytes; }

  void emit(std::uint32_t index, LaneMask lanes) {
    const StaticInstruction& instruction = program().instructions[index];
    std::uint32_t addresses = WarpInstruction::kNoAddresses;
    if (lanes != 0 && instruction.kind == OpKind::kLoadMatrix) {
      addresses = rows_;
    } else if (lanes != 0 && instruction.space == MemorySpace::kGlobal) {
      addresses = global_;
    }
    path_.steps.push_back({index, lanes, addresses, 0});
  }

  // One instruction of the group that runs; false at the end.
  bool step(Group& group) {
    SIM_CHECK(group.index < program().instructions.size(), "a path left its program");
    const std::string_view opcode = opcode_of(program(), group.index);
    const StaticInstruction& instruction = program().instructions[group.index];
    if (opcode == "EXIT") {
      LaneMask leaving = group.lanes;
      if (is_guarded(program(), group.index)) {
        leaving = flow_.leaves ? flow_.leaves(pc_of(group.index), group.lanes) : 0;
      }
      emit(group.index++, leaving);
      group.lanes &= ~leaving;
      return group.lanes != 0;
    }
    if (opcode == "BSSY") {
      expected_.push_back(group.lanes);
      arrived_.push_back(0);
    } else if (opcode == "BSYNC") {
      join(group);
      return true;
    } else if (opcode == "BRX") {
      scatter(group);
      return true;
    } else if (opcode == "BRA") {
      branch(group, index_of(static_cast<std::uint32_t>(instruction.immediate)));
      return true;
    }
    emit(group.index++, group.lanes);
    return true;
  }

  void branch(Group& group, std::uint32_t target) {
    const LaneMask taken =
        is_guarded(program(), group.index) ? flow_.taken(pc_of(group.index), group.lanes) : group.lanes;
    emit(group.index, taken);
    const LaneMask rest = group.lanes & ~taken;
    if (rest == 0) {
      group.index = target;
      return;
    }
    if (taken != 0) {
      waiting_.push_back({target, taken});
    }
    group = {group.index + 1, rest};
  }

  // The lanes of one target leave; the others execute the branch again in their turn.
  void scatter(Group& group) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(group.lanes));
    const std::uint32_t target = flow_.target(pc_of(group.index), first);
    LaneMask leaving = 0;
    for (LaneMask mask = group.lanes; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
      leaving |= flow_.target(pc_of(group.index), lane) == target ? LaneMask{1} << lane : 0;
    }
    emit(group.index, leaving);
    if (leaving != group.lanes) {
      waiting_.push_back({group.index, group.lanes & ~leaving});
    }
    group = {index_of(target), leaving};
  }

  void join(Group& group) {
    emit(group.index, group.lanes);
    arrived_.back() |= group.lanes;
    if (arrived_.back() == expected_.back()) {
      group = {group.index + 1, expected_.back()};
      expected_.pop_back();
      arrived_.pop_back();
      return;
    }
    SIM_CHECK(!waiting_.empty(), "lanes wait for lanes that do not run");
    group = waiting_.back();
    waiting_.pop_back();
  }

  std::uint32_t pc_of(std::uint32_t index) const { return program().instructions[index].pc; }

  Path path_;
  const Flow& flow_;
  std::uint32_t global_ = 0;
  std::uint32_t rows_ = 0;
  std::vector<Group> waiting_;
  std::vector<LaneMask> expected_;
  std::vector<LaneMask> arrived_;
};

class ListedBlock final : public BlockSource {
 public:
  ListedBlock(const Path& path, const std::vector<bool>& reads_clock, const ListedKernel::Shape& shape,
              std::uint64_t block, std::vector<Cycle>* clocks)
      : path_(path),
        reads_clock_(reads_clock),
        steps_of_others_(shape.steps_of_others == 0 ? path.steps.size() : shape.steps_of_others),
        shift_(block * shape.block_bytes),
        clocks_(clocks),
        given_(shape.warps, 0) {}

  std::uint32_t warp_count() const override { return static_cast<std::uint32_t>(given_.size()); }

  // One instruction at a time: the cycle of the next call is the one in which the last instruction was issued.
  void refill(WarpStream& stream, Cycle now) override {
    std::size_t& given = given_[stream.warp];
    if (given != 0 && reads_clock_[path_.steps[given - 1].index]) {
      clocks_[stream.warp].push_back(now);
    }
    const std::size_t steps = stream.warp == 0 ? path_.steps.size() : steps_of_others_;
    const std::size_t more = given < steps ? 1 : 0;
    stream.next = path_.steps.data() + given;
    stream.end = stream.next + more;
    stream.finished = more == 0;
    given += more;
  }

  LaneAddresses addresses(const WarpInstruction& instruction) const override {
    if (instruction.addresses == WarpInstruction::kNoAddresses) {
      return LaneAddresses{};
    }
    LaneAddresses result = path_.addresses.at(instruction.addresses);
    result.base += shift_;
    return result;
  }

 private:
  const Path& path_;
  const std::vector<bool>& reads_clock_;
  std::size_t steps_of_others_;
  Address shift_;
  std::vector<Cycle>* clocks_;
  std::vector<std::size_t> given_;
};

}  // namespace

Path trace_path(const std::shared_ptr<const StaticProgram>& program, const Flow& flow, std::uint32_t first_pc) {
  return Tracer(program, flow).run(first_pc / program->instruction_bytes);
}

Path uniform_path(const std::shared_ptr<const StaticProgram>& program, const std::vector<std::uint32_t>& trips,
                  std::uint32_t first_pc) {
  struct Loop {
    std::uint32_t trips;
    std::uint32_t left;
  };
  std::map<std::uint32_t, Loop> loops;
  for (std::uint32_t i = first_pc / program->instruction_bytes; i < program->instructions.size(); ++i) {
    const StaticInstruction& instruction = program->instructions[i];
    const bool back = static_cast<std::uint32_t>(instruction.immediate) < instruction.pc;
    if (opcode_of(*program, i) == "BRA" && is_guarded(*program, i) && back) {
      SIM_CHECK(loops.size() < trips.size(), "more loops than trip counts in " + program->function);
      const std::uint32_t times = trips[loops.size()];
      loops[instruction.pc] = {times, times};
    }
  }
  SIM_CHECK(loops.size() == trips.size(), "fewer loops than trip counts in " + program->function);
  Flow flow;
  flow.taken = [&loops](std::uint32_t pc, LaneMask lanes) -> LaneMask {
    const auto loop = loops.find(pc);
    if (loop == loops.end()) {
      return 0;
    }
    if (loop->second.left == 0) {
      loop->second.left = loop->second.trips;
      return 0;
    }
    --loop->second.left;
    return lanes;
  };
  return trace_path(program, flow, first_pc);
}

ListedKernel::ListedKernel(Path path, const Shape& shape)
    : path_(std::move(path)), shape_(shape), clocks_(std::size_t{shape.blocks} * shape.warps) {
  launch_.kernel = path_.program->function;
  launch_.grid = {shape.blocks, 1, 1};
  launch_.block = {shape.warps * kWarpSize, 1, 1};
  launch_.registers_per_thread = shape.registers;
  launch_.shared_bytes = shape.shared_bytes;
  launch_.program = path_.program;
  for (const std::string& text : path_.program->text) {
    reads_clock_.push_back(text.find("SR_CLOCKLO") != std::string::npos);
  }
}

std::unique_ptr<BlockSource> ListedKernel::start_block(std::uint64_t linear_index, std::uint32_t /*sm*/) {
  std::vector<Cycle>* const clocks = &clocks_[linear_index * shape_.warps];
  std::for_each(clocks, clocks + shape_.warps, [](std::vector<Cycle>& warp) { warp.clear(); });
  if (on_start) {
    on_start(linear_index);
  }
  return std::make_unique<ListedBlock>(path_, reads_clock_, shape_, linear_index, clocks);
}

double shortest_round(const std::vector<Cycle>& clocks) {
  SIM_CHECK(clocks.size() >= 2 && clocks.size() % 2 == 0, "clock reads come in pairs");
  Cycle best = kNever;
  for (std::size_t i = 0; i < clocks.size(); i += 2) {
    best = std::min(best, clocks[i + 1] - clocks[i]);
  }
  return static_cast<double>(best);
}

double span_of_last_round(const ListedKernel& kernel, std::uint32_t warps) {
  Cycle first = kNever;
  Cycle last = 0;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    const std::vector<Cycle>& clocks = kernel.clocks(warp);
    SIM_CHECK(clocks.size() >= 2, "clock reads come in pairs");
    first = std::min(first, clocks[clocks.size() - 2]);
    last = std::max(last, clocks.back());
  }
  return static_cast<double>(last - first);
}

MachineOptions as_measured() {
  MachineOptions options;
  options.flush_before_launch = false;
  return options;
}

}  // namespace warpsim::microbench

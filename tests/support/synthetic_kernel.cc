#include "support/synthetic_kernel.h"

#include <algorithm>

#include "base/check.h"
#include "isa/opcode_table.h"

namespace warpsim::test {
namespace {

// Place of an instruction's execution: which warp of which block, and the round of the innermost loop.
struct Place {
  std::uint32_t warp;
  std::uint64_t block;
  std::uint32_t round;
};

std::uint32_t add_addresses(const Addresses& addresses, const Place& place, LaneMask active, AddressPool& pool) {
  if (!addresses.recorded) {
    return WarpInstruction::kNoAddresses;
  }
  if (addresses.of) {
    std::vector<Address> list;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((active >> lane & 1U) != 0) {
        list.push_back(addresses.of(place.block, place.warp, place.round, lane));
      }
    }
    return pool.add_list(list.data(), static_cast<std::uint32_t>(list.size()));
  }
  if (!addresses.list.empty()) {
    return pool.add_list(addresses.list.data(), static_cast<std::uint32_t>(addresses.list.size()));
  }
  const std::int64_t shift = addresses.warp_stride * place.warp +
                             addresses.block_stride * static_cast<std::int64_t>(place.block) +
                             addresses.round_stride * place.round;
  return pool.add_strided(addresses.base + static_cast<Address>(shift), addresses.lane_stride);
}

void expand_path(const std::vector<PathStep>& path, const Place& place, AddressPool& pool,
                 std::vector<WarpInstruction>& out) {
  for (const PathStep& step : path) {
    if (step.taken_by && !step.taken_by(place.warp)) {
      continue;
    }
    if (step.rounds == 0) {
      const bool has_addresses = step.active != 0 && step.addresses.recorded;
      const std::uint32_t addresses =
          has_addresses ? add_addresses(step.addresses, place, step.active, pool) : WarpInstruction::kNoAddresses;
      out.push_back({step.index, step.active, addresses, 0});
      continue;
    }
    for (std::uint32_t round = 0; round < step.rounds; ++round) {
      // A group that only some warps execute is not a loop: it stays in the surrounding round.
      expand_path(step.body, {place.warp, place.block, step.taken_by ? place.round : round}, pool, out);
    }
  }
}

class SyntheticBlock final : public BlockSource {
 public:
  SyntheticBlock(const std::vector<PathStep>& path, const KernelShape& shape, std::uint64_t block, WarpRecord* records)
      : supply_(shape.supply), records_(records), paths_(shape.warps), given_(shape.warps, 0) {
    for (std::uint32_t warp = 0; warp < shape.warps; ++warp) {
      expand_path(path, {warp, block, 0}, pool_, paths_[warp]);
      records[warp].issued.reserve(paths_[warp].size());
      records[warp].instructions.reserve(paths_[warp].size());
    }
  }

  std::uint32_t warp_count() const override { return static_cast<std::uint32_t>(paths_.size()); }

  void refill(WarpStream& stream, Cycle now) override {
    const std::vector<WarpInstruction>& path = paths_[stream.warp];
    std::size_t& given = given_[stream.warp];
    WarpRecord& record = records_[stream.warp];
    if (given == 0) {
      record.started = now;
    } else if (supply_ == Supply::kOneAtATime) {
      record.instructions.push_back(path[given - 1].index);
      record.issued.push_back(now);
    }
    const std::size_t more =
        supply_ == Supply::kWhole ? path.size() - given : std::min<std::size_t>(1, path.size() - given);
    stream.next = path.data() + given;
    stream.end = stream.next + more;
    given += more;
    stream.finished = more == 0;
  }

  LaneAddresses addresses(const WarpInstruction& instruction) const override {
    return instruction.addresses == WarpInstruction::kNoAddresses ? LaneAddresses{} : pool_.at(instruction.addresses);
  }

 private:
  Supply supply_;
  WarpRecord* records_;
  AddressPool pool_;
  std::vector<std::vector<WarpInstruction>> paths_;
  std::vector<std::size_t> given_;  // instructions returned so far
};

}  // namespace

// --- the latest instruction ---

using Written = KernelBuilder::Written;

Written& Written::stall(std::uint32_t cycles) {
  instruction_.control.stall_cycles = static_cast<std::uint8_t>(cycles);
  return *this;
}
Written& Written::yield() {
  instruction_.control.yield = true;
  return *this;
}
Written& Written::writes(std::uint32_t counter) {
  instruction_.control.write_barrier = static_cast<std::uint8_t>(counter);
  return *this;
}
Written& Written::reads(std::uint32_t counter) {
  instruction_.control.read_barrier = static_cast<std::uint8_t>(counter);
  return *this;
}
Written& Written::waits(std::uint32_t counter) {
  instruction_.control.wait_mask = static_cast<std::uint8_t>(instruction_.control.wait_mask | 1U << counter);
  return *this;
}
Written& Written::reuse(std::uint32_t slot) {
  instruction_.control.reuse_mask = static_cast<std::uint8_t>(instruction_.control.reuse_mask | 1U << slot);
  return *this;
}
Written& Written::lanes(LaneMask active) {
  step_.active = active;
  return *this;
}

// --- building a program ---

KernelBuilder::KernelBuilder(Dependences dependences, std::uint32_t architecture)
    : control_bits_(dependences == Dependences::kControlBits), program_(std::make_shared<StaticProgram>()) {
  program_->function = "synthetic";
  program_->architecture = architecture;
  program_->has_listing = true;
  program_->has_control = control_bits_;
  // References into the program stay valid while it grows.
  constexpr std::size_t kMostInstructions = 4096;
  program_->instructions.reserve(kMostInstructions);
  open_.push_back(&path_);
}

PathStep& KernelBuilder::add_step(const PathStep& step) {
  open_.back()->push_back(step);
  return open_.back()->back();
}

Written KernelBuilder::op(const std::string& opcode, std::uint8_t destination,
                          const std::vector<std::uint8_t>& sources) {
  SIM_CHECK(program_->instructions.size() < program_->instructions.capacity(), "the program is too long");
  StaticInstruction instruction;
  SIM_CHECK(classify(opcode, program_->architecture, instruction), "unknown opcode " + opcode);
  const auto index = static_cast<std::uint32_t>(program_->instructions.size());
  instruction.pc = index * program_->instruction_bytes;
  const auto known = std::find(program_->opcodes.begin(), program_->opcodes.end(), opcode);
  instruction.opcode = static_cast<std::uint16_t>(known - program_->opcodes.begin());
  if (known == program_->opcodes.end()) {
    program_->opcodes.push_back(opcode);
  }
  instruction.has_control = control_bits_;
  instruction.control.stall_cycles = 1;
  if (destination != kZeroRegister) {
    instruction.destinations[0] = {destination, 1};
  }
  for (std::size_t slot = 0; slot < sources.size(); ++slot) {
    if (sources[slot] != kZeroRegister) {
      instruction.sources[slot] = {sources[slot], 1};
    }
  }
  program_->instructions.push_back(instruction);
  PathStep step;
  step.index = index;
  step.addresses.recorded = false;
  PathStep& added = add_step(step);
  return {program_->instructions.back(), added};
}

Written KernelBuilder::load(const std::string& opcode, std::uint8_t d, const Addresses& addresses) {
  const Written written = op(opcode, d);
  open_.back()->back().addresses = addresses;
  StaticInstruction& instruction = program_->instructions.back();
  instruction.destinations[0].count = static_cast<std::uint8_t>(std::max(1, (instruction.bytes_per_lane + 3) / 4));
  return written;
}

Written KernelBuilder::store(const std::string& opcode, const Addresses& addresses, std::uint8_t data) {
  const Written written = op(opcode, 255, {255, data});
  open_.back()->back().addresses = addresses;
  return written;
}

Written KernelBuilder::ldc(std::uint8_t d, std::uint8_t bank, std::uint32_t offset) {
  const Written written = op("LDC", d);
  program_->instructions.back().constant_bank = bank;
  program_->instructions.back().constant_offset = offset;
  return written;
}

Written KernelBuilder::iadd_constant(std::uint8_t d, std::uint8_t a, std::uint8_t bank, std::uint32_t offset) {
  const Written written = iadd(d, a, 255);
  program_->instructions.back().has_constant_operand = true;
  program_->instructions.back().constant_bank = bank;
  program_->instructions.back().constant_offset = offset;
  return written;
}

Written KernelBuilder::commit(std::uint32_t counter) {
  Written written = op("LDGDEPBAR");
  written.raw().depbar_counter = static_cast<std::uint8_t>(counter);
  written.writes(counter);
  return written;
}

Written KernelBuilder::depbar(std::uint32_t counter, std::int32_t at_most) {
  Written written = op("DEPBAR.LE");
  written.raw().depbar_counter = static_cast<std::uint8_t>(counter);
  written.raw().immediate = at_most;
  return written;
}

Written KernelBuilder::barrier(const std::string& opcode, std::int32_t number) {
  Written written = op(opcode);
  written.raw().immediate = number;
  return written;
}

void KernelBuilder::loop(std::uint32_t rounds, const std::function<void()>& body, std::uint32_t branch_stall) {
  PathStep step;
  step.rounds = rounds;
  std::vector<PathStep> inside;
  open_.push_back(&inside);
  body();
  op("BRA").stall(branch_stall);
  open_.pop_back();
  step.body = std::move(inside);
  add_step(step);
}

void KernelBuilder::only(const std::function<bool(std::uint32_t warp)>& takes, const std::function<void()>& body) {
  PathStep step;
  step.rounds = 1;
  step.taken_by = takes;
  std::vector<PathStep> inside;
  open_.push_back(&inside);
  body();
  open_.pop_back();
  step.body = std::move(inside);
  add_step(step);
}

// --- execution ---

std::vector<Cycle> WarpRecord::gaps() const {
  std::vector<Cycle> result;
  for (std::size_t i = 1; i < issued.size(); ++i) {
    result.push_back(issued[i] - issued[i - 1]);
  }
  return result;
}

SyntheticKernel::SyntheticKernel(const KernelBuilder& builder, const KernelShape& shape)
    : shape_(shape), path_(builder.path()), records_(std::size_t{shape.blocks} * shape.warps) {
  launch_.kernel = "synthetic";
  launch_.grid = {shape.blocks, 1, 1};
  launch_.block = {shape.warps * kWarpSize, 1, 1};
  launch_.registers_per_thread = shape.registers;
  launch_.shared_bytes = shape.shared_bytes;
  launch_.local_bytes_per_thread = shape.local_bytes;
  launch_.shared_base = shape.shared_base;
  launch_.local_base = shape.local_base;
  launch_.program = builder.program();
}

std::unique_ptr<BlockSource> SyntheticKernel::start_block(std::uint64_t linear_index, std::uint32_t /*sm*/) {
  WarpRecord* records = &records_[linear_index * shape_.warps];
  for (std::uint32_t warp = 0; warp < shape_.warps; ++warp) {
    records[warp] = WarpRecord{};
  }
  return std::make_unique<SyntheticBlock>(path_, shape_, linear_index, records);
}

std::uint64_t SyntheticKernel::instructions() const {
  std::uint64_t total = 0;
  for (std::uint64_t block = 0; block < shape_.blocks; ++block) {
    for (std::uint32_t warp = 0; warp < shape_.warps; ++warp) {
      AddressPool pool;
      std::vector<WarpInstruction> path;
      expand_path(path_, {warp, block, 0}, pool, path);
      total += path.size();
    }
  }
  return total;
}

}  // namespace warpsim::test

#include "device/copy_grid.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/check.h"
#include "isa/opcode_table.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kFirstWithGlobalOpcodes = 50;

// A load, unless it fills; a store of what was loaded; the end. Dependences through registers.
std::shared_ptr<const StaticProgram> make_program(bool fills, std::uint32_t lane_bytes, std::uint32_t architecture) {
  auto program = std::make_shared<StaticProgram>();
  program->function = fills ? "fill of the driver" : "copy of the driver";
  program->architecture = architecture;
  program->has_listing = true;
  const auto add = [&](const std::string& opcode) -> StaticInstruction& {
    StaticInstruction instruction;
    SIM_CHECK(classify(opcode, architecture, instruction), "unknown opcode " + opcode);
    instruction.pc = static_cast<std::uint32_t>(program->instructions.size()) * program->instruction_bytes;
    instruction.opcode = static_cast<std::uint16_t>(program->opcodes.size());
    program->opcodes.push_back(opcode);
    return program->instructions.emplace_back(instruction);
  };
  const bool global = architecture >= kFirstWithGlobalOpcodes;
  const std::string width = lane_bytes == kWordBytes ? "" : ".128";
  constexpr RegisterRange kAddress = {2, 2};
  const RegisterRange data = {4, static_cast<std::uint8_t>(lane_bytes / kWordBytes)};
  if (!fills) {
    StaticInstruction& load = add((global ? "LDG.E" : "LD.E") + width);
    load.destinations[0] = data;
    load.sources[0] = kAddress;
  }
  StaticInstruction& store = add((global ? "STG.E" : "ST.E") + width);
  store.sources[0] = kAddress;
  store.sources[1] = data;
  add("EXIT");
  return program;
}

// Each warp moves a piece, in one access.
class CopyBlock final : public BlockSource {
 public:
  CopyBlock(const MemoryRange& range, std::uint32_t lane_bytes, std::uint64_t first_piece, std::uint32_t warps)
      : range_(range), lane_bytes_(lane_bytes), first_piece_(first_piece), given_(warps) {
    const std::uint64_t pieces = range.pieces(piece_bytes());
    const std::uint32_t store = range.fills ? 0 : 1;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
      Given& given = given_[warp];
      const std::uint64_t piece = first_piece + warp;
      if (piece < pieces) {
        const std::uint64_t bytes = range.place_of(piece, piece_bytes()).bytes;
        const auto lanes = static_cast<std::uint32_t>((bytes + lane_bytes - 1) / lane_bytes);
        const LaneMask active = kAllLanes >> (kWarpSize - lanes);
        if (!range.fills) {
          given.instructions[given.count++] = {0, active, warp << 1U, 0};
        }
        given.instructions[given.count++] = {store, active, warp << 1U | 1U, 0};
      }
      given.instructions[given.count++] = {store + 1, kAllLanes};
    }
  }

  std::uint32_t warp_count() const override { return static_cast<std::uint32_t>(given_.size()); }

  void refill(WarpStream& stream, Cycle /*now*/) override {
    Given& given = given_[stream.warp];
    stream.finished = given.ended;
    stream.next = given.instructions.data();
    stream.end = stream.next + (given.ended ? 0 : given.count);
    given.ended = true;
  }

  // `instruction.addresses`: twice the number of the warp, and whether it is the target.
  LaneAddresses addresses(const WarpInstruction& instruction) const override {
    if (instruction.addresses == WarpInstruction::kNoAddresses) {
      return {};
    }
    const MemoryRange::Place place = range_.place_of(first_piece_ + (instruction.addresses >> 1U), piece_bytes());
    const Address begin = (instruction.addresses & 1U) != 0 ? place.target : place.source;
    return {.kind = LaneAddresses::Kind::kStrided,
            .base = begin / lane_bytes_ * lane_bytes_,
            .stride = static_cast<std::int64_t>(lane_bytes_)};
  }

 private:
  struct Given {
    std::array<WarpInstruction, 3> instructions;
    std::uint32_t count = 0;
    bool ended = false;
  };

  std::uint64_t piece_bytes() const { return std::uint64_t{lane_bytes_} * kWarpSize; }

  MemoryRange range_;
  std::uint32_t lane_bytes_;
  std::uint64_t first_piece_;
  std::vector<Given> given_;  // by warp
};

const CopiesConfig::Grid& grid_of(const MemoryRange& range, const CopiesConfig& config) {
  return range.fills ? config.fill_grid : range.rows == 1 ? config.copy_grid : config.rows_grid;
}

}  // namespace

std::unique_ptr<CopyGrid> CopyGrid::make(const MemoryRange& range, std::uint64_t first, const CopiesConfig& config,
                                         const Setting& setting) {
  const CopiesConfig::Grid& grid = grid_of(range, config);
  const bool is_small = range.fills && range.bytes() <= config.small_fill_bytes;
  if (grid.block_threads == 0 || is_small || first >= range.bytes()) {
    return nullptr;
  }
  const std::uint64_t pieces = range.pieces(std::uint64_t{grid.thread_bytes} * kWarpSize);
  const double done = static_cast<double>(first) / static_cast<double>(range.bytes());
  const auto first_piece = std::min(pieces - 1, static_cast<std::uint64_t>(done * static_cast<double>(pieces)));
  return std::unique_ptr<CopyGrid>(new CopyGrid(range, first_piece, grid, setting));
}

CopyGrid::CopyGrid(const MemoryRange& range, std::uint64_t first_piece, const CopiesConfig::Grid& grid,
                   const Setting& setting)
    : range_(range), first_piece_(first_piece), lane_bytes_(grid.thread_bytes) {
  const std::uint64_t pieces = range.pieces(std::uint64_t{lane_bytes_} * kWarpSize) - first_piece;
  const std::uint64_t warps = grid.block_threads / kWarpSize;
  constexpr std::uint64_t kMostBlocks = 0x7fff'ffff;
  launch_.program = make_program(range.fills, lane_bytes_, setting.architecture);
  launch_.kernel = launch_.program->function;
  launch_.code = "driver";
  launch_.grid = {static_cast<std::uint32_t>(std::min(kMostBlocks, (pieces + warps - 1) / warps)), 1, 1};
  launch_.block = {grid.block_threads, 1, 1};
  launch_.cluster = {1, 1, 1};
  constexpr std::uint32_t kRegisters = 16;  // more than the code needs
  launch_.registers_per_thread = kRegisters;
  launch_.gpu = setting.gpu;
  launch_.stream = setting.stream;
}

std::unique_ptr<BlockSource> CopyGrid::start_block(std::uint64_t linear_index, std::uint32_t /*sm*/) {
  const std::uint32_t warps = launch_.warps_per_block();
  return std::make_unique<CopyBlock>(range_, lane_bytes_, first_piece_ + linear_index * warps, warps);
}

}  // namespace warpsim

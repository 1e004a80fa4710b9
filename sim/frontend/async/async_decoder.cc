#include "frontend/async/async_decoder.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace warpsim {
namespace {

// Addresses of shared memory carry the block's rank in the cluster in their uppermost byte.
constexpr std::uint32_t kRankShift = 24;
constexpr std::uint32_t kOffsetMask = 0xffffffU;

// Layout of the 64-bit word that initialises a barrier: 2^20 minus the expected arrivals, from bit 1 for the current
// phase and from bit 43 for later phases; bit 63 is the current phase.
constexpr std::uint32_t kArrivalsField = 0x200000;

bool has_modifier(std::string_view opcode, std::string_view modifier) {
  return opcode.find(modifier) != std::string_view::npos;
}

}  // namespace

AsyncDecoder::Shape AsyncDecoder::shape_of(std::string_view opcode) {
  Shape shape;
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  if (name == "SYNCS") {
    shape.opcode = has_modifier(opcode, ".EXCH")       ? Opcode::kInitialise
                   : has_modifier(opcode, ".ARRIVE")   ? Opcode::kArrive
                   : has_modifier(opcode, ".PHASECHK") ? Opcode::kCheck
                                                       : Opcode::kIgnored;
    // .A<arrivals>T<bytes>: numbers, or R if the register has them; without it one arrival and the register's bytes.
    const bool plain = !has_modifier(opcode, ".A1T") && !has_modifier(opcode, ".ART") && !has_modifier(opcode, ".A0T");
    shape.arrives = !has_modifier(opcode, ".A0T");
    shape.counts_arrivals = has_modifier(opcode, ".ART");
    shape.counts_bytes = plain || has_modifier(opcode, ".A1TR") || has_modifier(opcode, ".A0TR");
  } else if (name == "STAS") {
    shape.opcode = Opcode::kRemoteStore;
  } else if (name == "UTMALDG") {
    shape.opcode = Opcode::kTensorIn;
  } else if (name == "UTMASTG") {
    shape.opcode = Opcode::kTensorOut;
  } else if (name == "UTMAREDG") {
    shape.opcode = Opcode::kTensorReduce;
  } else if (name == "UBLKCP") {
    shape.opcode = has_modifier(opcode, ".G.S") ? Opcode::kBulkOut : Opcode::kBulkIn;
  } else if (name == "UBLKRED") {
    shape.opcode = Opcode::kBulkReduce;
  } else if (name == "UTMACMDFLUSH") {
    shape.opcode = Opcode::kCommit;
  } else if (name == "UTMAPF" || name == "UBLKPF" || name == "UTMACCTL") {
    shape.opcode = Opcode::kIgnored;
  }
  shape.multicast = has_modifier(opcode, ".MULTICAST");
  for (std::uint8_t d = 1; d <= 5; ++d) {
    const char text[] = {'.', static_cast<char>('0' + d), 'D', '\0'};
    shape.dimensions = has_modifier(opcode, text) ? d : shape.dimensions;
  }
  return shape;
}

AsyncDecoder::AsyncDecoder(const KernelLaunch& launch, const ScalarProgram& program)
    : launch_(&launch), program_(&program), values_(*launch.program, program) {
  for (const StaticInstruction& instruction : launch.program->instructions) {
    shapes_.push_back(shape_of(launch.program->opcodes[instruction.opcode]));
  }
}

AsyncBlock AsyncDecoder::decode(BlockTrace& trace) {
  AsyncBlock block;
  const BlockIdentity identity = identity_of(*launch_, trace.linear_index);
  const Dim3& cluster = launch_->cluster;
  block.rank = identity.cluster_rank;
  block.cluster =
      identity.index.x / cluster.x +
      std::uint64_t{launch_->grid.x / cluster.x} *
          (identity.index.y / cluster.y + std::uint64_t{launch_->grid.y / cluster.y} * (identity.index.z / cluster.z));
  trace.operations.clear();
  for (std::uint32_t warp = 0; warp < trace.warp_count(); ++warp) {
    values_.start_warp(identity, warp);
    arrivals_.clear();
    for (std::uint32_t i = trace.warp_begin[warp]; i < trace.warp_begin[warp + 1]; ++i) {
      WarpInstruction& record = trace.instructions[i];
      if (record.active != 0 && shapes_[record.index].opcode != Opcode::kOther) {
        decode_instruction(record, trace, block);
      }
      block.contradictions += contradicts(record, trace) ? 1 : 0;
      values_.execute(record);
    }
  }
  return block;
}

// Recorded addresses in shared memory show whether values were followed correctly.
bool AsyncDecoder::contradicts(const WarpInstruction& record, const BlockTrace& trace) const {
  if (record.active == 0 || record.addresses == WarpInstruction::kNoAddresses ||
      launch_->program->instructions[record.index].space != MemorySpace::kShared) {
    return false;
  }
  const ScalarAddress& address = program_->instructions[record.index].addresses[0];
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(record.active));
  const SymbolicValue followed = values_.address(address, lane);
  const Address first = trace.addresses.at(record.addresses).of_lane(0);
  return address.present && followed.is_constant() && ((followed.offset ^ first) & kOffsetMask) != 0;
}

// Finds the block of the cluster, and the offset in its shared memory, of an address.
bool AsyncDecoder::place(AsyncOperation& operation, const SymbolicValue& address, AsyncBlock& block) const {
  if (!address.is_constant()) {
    ++block.unknown_operations;
    return false;
  }
  const std::uint32_t rank = address.offset >> kRankShift;
  const bool elsewhere = rank != block.rank && rank < launch_->cluster.count();
  operation.barrier = address.offset & kOffsetMask;
  operation.blocks = elsewhere ? static_cast<std::uint16_t>(1U << rank) : std::uint16_t{0};
  return true;
}

void AsyncDecoder::decode_instruction(WarpInstruction& record, BlockTrace& trace, AsyncBlock& block) {
  const Shape& shape = shapes_[record.index];
  const std::size_t first = trace.operations.size();
  switch (shape.opcode) {
    case Opcode::kInitialise:
      decode_initialise(program_->instructions[record.index], trace, block);
      break;
    case Opcode::kArrive:
    case Opcode::kCheck:
    case Opcode::kRemoteStore:
      decode_lanes(record, shape, trace, block);
      break;
    case Opcode::kCommit:
      trace.operations.push_back({.kind = AsyncOperation::Kind::kCommit});
      break;
    case Opcode::kIgnored:
      trace.operations.push_back({.kind = AsyncOperation::Kind::kIgnore});
      break;
    default:
      decode_copy(record, shape, trace, block);
      break;
  }
  if (trace.operations.size() != first) {
    trace.operations.back().last = true;
    record.operation = static_cast<std::uint32_t>(first) + 1;
  }
}

void AsyncDecoder::decode_initialise(const ScalarInstruction& instruction, BlockTrace& trace, AsyncBlock& block) {
  AsyncOperation operation{.kind = AsyncOperation::Kind::kInitialise};
  const ScalarOperand& word = instruction.data;
  const bool uniform = word.kind == ScalarOperand::Kind::kUniform;
  const SymbolicValue low = uniform ? values_.uniform(word.index) : values_.general(word.index, 0);
  const SymbolicValue high = uniform ? values_.uniform(word.index + 1U) : values_.general(word.index + 1U, 0);
  if (!low.is_constant() || !high.is_constant()) {
    ++block.unknown_operations;
    return;
  }
  if (place(operation, values_.address(instruction.addresses[0], 0), block)) {
    operation.arrivals = static_cast<std::int32_t>((kArrivalsField - (low.offset & (kArrivalsField - 1))) / 2);
    operation.parity = high.offset >> 31U != 0;
    trace.operations.push_back(operation);
  }
}

// Operations of the single lanes; lanes with the same operation share an entry.
void AsyncDecoder::decode_lanes(const WarpInstruction& record, const Shape& shape, BlockTrace& trace,
                                AsyncBlock& block) {
  const ScalarInstruction& instruction = program_->instructions[record.index];
  const std::size_t first = trace.operations.size();
  for (LaneMask lanes = record.active; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
    const SymbolicValue data = values_.value(instruction.data, lane);
    AsyncOperation operation;
    SymbolicValue address = values_.address(instruction.addresses[0], lane);
    if (shape.opcode == Opcode::kCheck) {
      operation.kind = AsyncOperation::Kind::kCheck;
    } else if (shape.opcode == Opcode::kArrive) {
      operation.kind = AsyncOperation::Kind::kArrive;
      operation.arrivals = shape.counts_arrivals ? static_cast<std::int32_t>(data.offset) : shape.arrives ? 1 : 0;
      operation.bytes = shape.counts_bytes ? static_cast<std::int32_t>(data.offset) : 0;
    } else {
      operation.kind = AsyncOperation::Kind::kComplete;
      const std::uint32_t pair = instruction.addresses[0].general + 1U;  // [R8.64]: data's address, barrier's address
      operation.bytes = std::max<std::int32_t>(4, launch_->program->instructions[record.index].bytes_per_lane);
      address = values_.general(pair, lane);
    }
    if ((shape.counts_arrivals || shape.counts_bytes) && !data.is_constant()) {
      ++block.unknown_operations;
      continue;
    }
    if (!place(operation, address, block)) {
      continue;
    }
    if (shape.opcode == Opcode::kCheck && !data.is_constant() && !arrivals_.contains(operation.barrier)) {
      ++block.unknown_operations;
      continue;
    }
    if (shape.opcode == Opcode::kCheck) {
      operation.parity = parity_of(data, operation.barrier);
    }
    const auto same = std::find_if(trace.operations.begin() + static_cast<std::ptrdiff_t>(first),
                                   trace.operations.end(), [&](const AsyncOperation& o) {
                                     return o.barrier == operation.barrier && o.blocks == operation.blocks &&
                                            o.parity == operation.parity;
                                   });
    if (same == trace.operations.end()) {
      operation.last = false;
      operation.lanes = 1;
      trace.operations.push_back(operation);
    } else {
      same->arrivals += operation.arrivals;
      same->bytes += operation.bytes;
      ++same->lanes;
    }
  }
  for (std::size_t i = first; shape.opcode == Opcode::kArrive && i < trace.operations.size(); ++i) {
    if (trace.operations[i].blocks == 0 && trace.operations[i].arrivals != 0) {
      ++arrivals_[trace.operations[i].barrier];
    }
  }
}

// Bit 31 of a number, or of the upper word of the state that an arrival returned. The trace does not contain
// it: a warp that waits for its own arrival is assumed to arrive once in each phase.
bool AsyncDecoder::parity_of(const SymbolicValue& data, std::uint32_t barrier) const {
  if (data.is_constant()) {
    return data.offset >> 31U != 0;
  }
  const auto arrivals = arrivals_.find(barrier);
  return arrivals != arrivals_.end() && arrivals->second % 2 == 0;
}

void AsyncDecoder::decode_copy(const WarpInstruction& record, const Shape& shape, BlockTrace& trace,
                               AsyncBlock& block) {
  const ScalarInstruction& instruction = program_->instructions[record.index];
  const bool in = shape.opcode == Opcode::kTensorIn || shape.opcode == Opcode::kBulkIn;
  const bool tensor = shape.dimensions != 0;
  // Tensors: [shared, barrier, coordinates], [descriptor]; bulk: [destination], [source], size.
  const ScalarAddress& first = instruction.addresses[0];
  const ScalarAddress& second = instruction.addresses[1];
  const ScalarAddress& shared_side = in || tensor ? first : second;
  const ScalarAddress& global_side = in || tensor ? second : first;
  const SymbolicValue data = values_.value(instruction.data, 0);
  AsyncOperation operation;
  operation.kind = in ? AsyncOperation::Kind::kCopyIn
                   : shape.opcode == Opcode::kTensorReduce || shape.opcode == Opcode::kBulkReduce
                       ? AsyncOperation::Kind::kReduceOut
                       : AsyncOperation::Kind::kCopyOut;
  const SymbolicValue shared = values_.uniform(shared_side.uniform);
  if (!shared.is_constant()) {
    ++block.unknown_operations;
    return;
  }
  if (in && !place(operation, values_.uniform(first.uniform + 1U), block)) {
    return;
  }
  operation.blocks = 0;  // each block that gets the data uses its own barrier
  operation.shared = shared.offset & kOffsetMask;
  operation.by_descriptor = tensor;
  if (shape.multicast && data.is_constant()) {
    operation.blocks = static_cast<std::uint16_t>(data.offset >> 16U);
  }
  AsyncCopyRecord copy;
  copy.operation = static_cast<std::uint32_t>(trace.operations.size());
  copy.instruction = record.index;
  copy.by_descriptor = tensor;
  copy.source = values_.uniform(global_side.uniform);
  const SymbolicValue high = values_.uniform(global_side.uniform + 1U);
  copy.source_high = high.is_constant() ? high.offset : 0;
  if (tensor) {
    const std::uint32_t coordinates = shared_side.uniform + (in ? 2U : 1U);
    for (std::uint32_t d = 0; d < shape.dimensions; ++d) {
      copy.coordinates.push_back(values_.uniform(coordinates + d));
    }
  } else if (data.is_constant()) {
    operation.bytes = static_cast<std::int32_t>((data.offset & 0xffffU) * 16);
    copy.known_size = true;
  }
  trace.operations.push_back(operation);
  block.copies.push_back(std::move(copy));
}

}  // namespace warpsim

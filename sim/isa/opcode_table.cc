#include "isa/opcode_table.h"

#include <algorithm>
#include <array>

#include "isa/opcode_lookup.h"
#include "isa/tensor_shape.h"

namespace warpsim {
namespace {

bool touches_memory(OpKind kind) {
  return kind == OpKind::kLoad || kind == OpKind::kStore || kind == OpKind::kAtomic || kind == OpKind::kReduction ||
         kind == OpKind::kAsyncCopy || kind == OpKind::kConstantLoad;
}

std::uint8_t access_bytes(const OpcodeText& opcode) {
  struct Token {
    std::string_view name;
    std::uint8_t bytes;
  };
  static constexpr std::array<Token, 17> kTokens{{{"8", 1},
                                                  {"U8", 1},
                                                  {"S8", 1},
                                                  {"16", 2},
                                                  {"U16", 2},
                                                  {"S16", 2},
                                                  {"32", 4},
                                                  {"U32", 4},
                                                  {"S32", 4},
                                                  {"64", 8},
                                                  {"U64", 8},
                                                  {"S64", 8},
                                                  {"F64", 8},
                                                  {"128", 16},
                                                  {"U128", 16},
                                                  {"B64", 8},
                                                  {"B128", 16}}};
  std::uint8_t bytes = 4;
  opcode.for_each_modifier([&](std::string_view modifier) {
    for (const Token& token : kTokens) {
      if (token.name == modifier) {
        bytes = token.bytes;
      }
    }
  });
  return bytes;
}

// The scope of a strong access decides whether L1 may serve it; plain SYS is the default scope of sm_70 and sm_75. Up
// to sm_37 global memory is accessed by LD and ST, LDG reads through the read-only cache. For stores .WB is the default
// and .WT differs only for host memory.
CacheOp cache_operator(const OpcodeText& opcode, std::uint32_t architecture) {
  bool strong = false;
  bool beyond_sm = false;
  bool system = false;
  constexpr std::uint32_t kLastWithReadOnlyLdg = 37;
  const bool read_only = opcode.base() == "LDG" && architecture <= kLastWithReadOnlyLdg;
  CacheOp result = read_only ? CacheOp::kReadOnly : CacheOp::kDefault;
  opcode.for_each_modifier([&](std::string_view modifier) {
    strong = strong || modifier == "STRONG";
    system = system || modifier == "SYS";
    beyond_sm = beyond_sm || modifier == "GPU" || modifier == "SYS" || modifier == "VC";
    if (modifier == "CONSTANT" || modifier == "CI") {
      result = CacheOp::kReadOnly;
    } else if (modifier == "EF" || modifier == "CS" || modifier == "NA") {
      result = CacheOp::kEvictFirst;
    } else if (modifier == "CG" || modifier == "CV" || modifier == "BYPASS") {
      result = CacheOp::kBypassL1;
    } else if (modifier == "CA") {
      result = CacheOp::kCacheAll;
    } else if (modifier == "LU") {
      result = CacheOp::kLastUse;
    }
  });
  if (strong && beyond_sm) {
    return system ? CacheOp::kSystem : CacheOp::kBypassL1;
  }
  return result;
}

std::uint8_t matrix_count(const OpcodeText& opcode) {
  return opcode.has("4") ? 4 : (opcode.has("2") ? 2 : 1);
}

void classify_memory(const OpcodeText& opcode, std::uint32_t architecture, StaticInstruction& out) {
  if (touches_memory(out.kind)) {
    out.bytes_per_lane = access_bytes(opcode);
  }
  if (out.space == MemorySpace::kGlobal || out.space == MemorySpace::kGeneric || out.space == MemorySpace::kLocal) {
    out.cache_op = cache_operator(opcode, architecture);
  }
  if (out.kind == OpKind::kLoadMatrix || out.kind == OpKind::kStoreMatrix) {
    out.bytes_per_lane = 16;
    out.matrices = matrix_count(opcode);
  }
}

// Conversions have their own rates from or to 64-bit types, and from integers narrower than a register.
TimingClass conversion_timing(const OpcodeText& opcode) {
  bool wide = false;
  bool narrow = false;
  opcode.for_each_modifier([&](std::string_view modifier) {
    wide = wide || modifier == "F64" || modifier == "S64" || modifier == "U64";
    narrow = narrow || modifier == "U8" || modifier == "S8" || modifier == "U16" || modifier == "S16";
  });
  const bool from_integer = opcode.base() == "I2F" || opcode.base() == "I2I";
  return wide                     ? TimingClass::kConversionWide
         : narrow && from_integer ? TimingClass::kConversionNarrow
                                  : TimingClass::kConversion;
}

}  // namespace

const OpcodeRow* find_opcode_row(std::string_view base) {
  const std::span<const OpcodeRow> rows = opcode_rows();
  const auto found = std::ranges::lower_bound(rows, base, {}, &OpcodeRow::name);
  return found != rows.end() && found->name == base ? &*found : nullptr;
}

ResolvedOpcode resolve_opcode(const OpcodeText& opcode, std::uint32_t architecture) {
  ResolvedOpcode resolved;
  const OpcodeRow* row = find_opcode_row(opcode.base());
  if (row == nullptr) {
    if (opcode.base().starts_with('U')) {
      resolved.behaviour = find_opcode_row("UIADD3")->behaviour;
    }
    return resolved;
  }
  resolved = {row->behaviour, row->widths, row->rule, row->slots, true};
  for (const ArchitectureRow& change : architecture_rows()) {
    if (change.opcode == row->name && architecture <= change.last) {
      resolved.behaviour = change.behaviour;
    }
  }
  for (const ModifierRow& change : modifier_rows()) {
    if (change.opcode == row->name && opcode.has(change.modifier)) {
      resolved.behaviour = change.behaviour.value_or(resolved.behaviour);
      resolved.widths = change.widths.value_or(resolved.widths);
    }
  }
  return resolved;
}

bool classify(std::string_view opcode, std::uint32_t architecture, StaticInstruction& out) {
  const OpcodeText text(opcode);
  const ResolvedOpcode resolved = resolve_opcode(text, architecture);
  out.kind = resolved.behaviour.kind;
  out.pipe = resolved.behaviour.pipe;
  out.timing = resolved.behaviour.timing;
  if (out.timing == TimingClass::kConversion) {
    out.timing = conversion_timing(text);
  }
  out.space = resolved.behaviour.space;
  out.cache_op = CacheOp::kDefault;
  out.bytes_per_lane = 0;
  out.matrices = 0;
  out.mma_macs = 0;
  out.mma_operand_bits = 0;
  out.mma_integer = false;
  out.mma_fp32_results = false;
  out.mma_a_bytes = 0;
  out.mma_b_bytes = 0;
  out.known_opcode = resolved.known;
  out.barrier_arrive_only = out.kind == OpKind::kBarrier && text.has("ARV");
  classify_memory(text, architecture, out);
  if (resolved.rule == WidthRule::kTensorShape) {
    if (const auto shape = tensor_shape(text)) {
      out.mma_macs = shape->macs;
      out.mma_operand_bits = shape->operand_bits;
      out.mma_integer = shape->integer;
      out.mma_fp32_results = shape->fp32_results;
      out.mma_a_bytes = shape->a_bytes;
      out.mma_b_bytes = shape->b_bytes;
    } else {
      out.known_opcode = false;
    }
  }
  return out.known_opcode;
}

InstructionClass instruction_class(std::string_view opcode, std::uint32_t architecture) {
  const ResolvedOpcode resolved = resolve_opcode(OpcodeText(opcode), architecture);
  return resolved.known ? resolved.behaviour.type : InstructionClass::kOther;
}

std::uint32_t counted_pipes(const StaticInstruction& instruction, std::string_view opcode, std::uint32_t architecture) {
  const bool counted = resolve_opcode(OpcodeText(opcode), architecture).behaviour.counted;
  return counted ? 1U << static_cast<std::uint32_t>(instruction.pipe) : 0;
}

const char* to_string(InstructionClass type) {
  static constexpr std::array<const char*, kInstructionClassCount> kNames{
      "integer", "fp32",  "fp16",    "fp64",     "special", "tensor",    "uniform", "cross-lane",      "global",
      "shared",  "local", "generic", "constant", "texture", "bulk copy", "control", "synchronisation", "other"};
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace warpsim

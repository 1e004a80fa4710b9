// Barriers in shared memory (mbarriers) of 9.0 and 8.x, and what reports to them: bulk and tensor copies, stores and
// updates in the shared memory of other blocks.
//
// Fields of instructions and blocks of uniform registers: own experiments, code that ptxas makes of the PTX instruction
// that each of these corresponds to.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;

constexpr std::uint32_t kFirstWithTransactions = 90;

// A result of 64 bits, or nowhere.
std::string wide_result(Lifter& l, std::size_t number) {
  return l.destination(number) == "_" ? "_" : l.wide_scratch();
}

// --- barriers ---

enum ArriveForm : std::uint32_t { kA1TR, kA1T0, kA0T1, kA0TR, kA0TX, kART0 };

// All lanes arrive without completing the phase; each gets the lanes at its barrier and the barrier's upper word.
void lift_group_arrival(Lifter& l) {
  const std::string state = l.wide_scratch();
  const std::string place = l.narrow_address(1);
  l.add(fmt::format("sass.arrivegroup{} {}, {}, {}", l.modifier("OPTOUT") != 0 ? ".drop" : "", state, place,
                    l.word(l.operand(2))));
  l.set_pair(0, state);
}

void lift_arrival(Lifter& l) {
  const std::uint32_t form = l.modifier("arrive");
  const std::string_view result = l.modifier_text("arrive_result");
  if (result == "TMASK") {
    if (form != kART0) {
      l.fail("this form of an arrival is not supported");
    }
    lift_group_arrival(l);
    return;
  }
  // Only arrivals without a result reach barriers of other blocks.
  const char* const where = result == "RED" ? "cluster.shared::cluster" : "cta.shared::cta";
  const std::string place = l.narrow_address(1);
  const std::string value = l.word(l.operand(2));
  if (form == kA0T1 || form == kA0TR || form == kA0TX) {
    if (l.destination(0) != "_" || l.modifier("OPTOUT") != 0) {
      l.fail("this form of an arrival is not supported");
    }
    l.add(fmt::format("mbarrier.{}.relaxed.{}.b64 {}, {}", form == kA0TX ? "complete_tx" : "expect_tx", where, place,
                      form == kA0T1 ? "1" : value));
    return;
  }
  const std::string state = wide_result(l, 0);
  l.add(fmt::format("mbarrier.{}{}.release.{}.b64 {}, {}{}", l.modifier("OPTOUT") != 0 ? "arrive_drop" : "arrive",
                    form == kA1TR ? ".expect_tx" : "", where, state, place, form == kA1T0 ? "" : ", " + value));
  if (state != "_") {
    l.set_pair(0, state);
  }
}

// The operand has the parity in its highest bit: the upper word of a state, or a parity alone.
void lift_phase_check(Lifter& l) {
  const std::string parity = l.scratch();
  const std::string place = l.narrow_address(1);
  const std::string ended = l.predicate_destination(0) == "_" ? l.predicate_scratch() : l.predicate_destination(0);
  l.add(fmt::format("shr.u32 {}, {}, 31", parity, l.word(l.operand(2))));
  l.add(fmt::format("mbarrier.{}.parity.acquire.cta.shared::cta.b64 {}, {}, {}",
                    l.modifier("TRYWAIT") != 0 ? "try_wait" : "test_wait", ended, place, parity));
}

// One lane executes for the warp: its result goes to all.
void set_uniform(Lifter& l, std::size_t number, std::uint32_t part, const std::string& word) {
  if (l.destination(number, part) != "_") {
    l.add(fmt::format("sass.r2ur {}, {}", l.destination(number, part), word));
  }
}
void set_uniform_pair(Lifter& l, std::size_t number, const std::string& wide) {
  if (l.destination(number) == "_") {
    return;
  }
  const std::string low = l.scratch();
  const std::string high = l.scratch();
  l.add(fmt::format("mov.b64 {{{}, {}}}, {}", low, high, wide));
  set_uniform(l, number, 0, low);
  set_uniform(l, number, 1, high);
}

// Initialises a barrier, with the whole word.
void lift_barrier_exchange(Lifter& l) {
  const std::string place = l.narrow_address(1);
  if (l.modifier("64") == 0) {
    const std::string old = l.scratch();
    l.add(fmt::format("atom.shared.exch.b32 {}, {}, {}", old, place, l.word(l.operand(2))));
    set_uniform(l, 0, 0, old);
    return;
  }
  const std::string old = l.wide_scratch();
  l.add(fmt::format("sass.exchbar {}, {}, {}", old, place, l.pair(2)));
  set_uniform_pair(l, 0, old);
}

void lift_barrier_compare(Lifter& l) {
  const std::string place = l.narrow_address(1);
  if (l.modifier("64") == 0) {
    const std::string old = l.scratch();
    l.add(fmt::format("atom.shared.cas.b32 {}, {}, {}, {}", old, place, l.word(l.operand(2)), l.word(l.operand(3))));
    set_uniform(l, 0, 0, old);
    return;
  }
  const std::string old = l.wide_scratch();
  const std::string compared = l.pair(2);
  l.add(fmt::format("atom.shared.cas.b64 {}, {}, {}, {}", old, place, compared, l.pair(3)));
  set_uniform_pair(l, 0, old);
}

void lift_barrier_load(Lifter& l) {
  const std::string place = l.narrow_address(1);
  if (l.modifier("64") == 0) {
    const std::string word = l.scratch();
    l.add(fmt::format("ld.shared.b32 {}, {}", word, place));
    set_uniform(l, 0, 0, word);
    return;
  }
  const std::string wide = l.wide_scratch();
  l.add(fmt::format("ld.shared.b64 {}, {}", wide, place));
  set_uniform_pair(l, 0, wide);
}

void lift_barrier_end(Lifter& l) {
  l.add(fmt::format("mbarrier.inval.shared::cta.b64 {}", l.narrow_address(0)));
}

// The barrier takes note of the end of the thread's copies; before 9.0 it is a word of another layout.
void lift_copies_arrive(Lifter& l) {
  const std::string place = l.narrow_address(0);
  if (l.architecture() < kFirstWithTransactions) {
    l.add(fmt::format("sass.arrivecopied _, {}", place));
    return;
  }
  const std::string_view form = l.modifier_text("arrive_count");
  if (form == "ARVCNT") {
    l.add(fmt::format("cp.async.mbarrier.arrive.noinc.shared::cta.b64 {}", place));
  } else if (form == "TRANSCNT") {
    l.add(fmt::format("sass.completecopied {}, 1", place));
  } else {
    l.fail("this form of an arrival is not supported");
  }
}

// --- bulk copies ---

// Operands in brackets name the first of several uniform registers.
std::string block_word(Lifter& l, std::size_t number, std::uint32_t part) {
  const MachineOperand& block = l.operand(number);
  constexpr std::uint32_t kZeroUniform = 63;
  return block.uniform == kZeroUniform ? "0" : fmt::format("%u{}", block.uniform + part);
}
std::string block_address(Lifter& l, std::size_t number) {
  std::string wide = l.wide_scratch();
  l.add(fmt::format("mov.b64 {}, {{{}, {}}}", wide, block_word(l, number, 0), block_word(l, number, 1)));
  return wide;
}
// A field of 16 bits at bit `first` of a word.
std::string field(Lifter& l, const std::string& word, std::uint32_t first, std::uint32_t bits) {
  std::string value = l.scratch();
  l.add(fmt::format("bfe.u32 {}, {}, {}, {}", value, word, first, bits));
  return value;
}
std::string narrow(Lifter& l, const std::string& word) {
  std::string half = l.half_scratch();
  l.add(fmt::format("cvt.u16.u32 {}, {}", half, word));
  return half;
}
// Bits 0-15 of the third operand count units of 16 bytes, 16-31 are the ranks that get a copy.
std::string copied_bytes(Lifter& l, std::size_t number) {
  std::string bytes = field(l, l.word(l.operand(number)), 0, 16);
  l.add(fmt::format("shl.b32 {0}, {0}, 4", bytes));
  return bytes;
}
std::string copy_ranks(Lifter& l, std::size_t number) {
  return ", " + narrow(l, field(l, l.word(l.operand(number)), 16, 16));
}

constexpr const char* kReports = "mbarrier::complete_tx::bytes";

// Between the spaces that the instruction names. `reduction`: words for each element, or "".
void add_bulk_copy(Lifter& l, const std::string& opcode, const std::string& reduction) {
  const bool to_shared = l.modifier_text("copy_to") == "S";
  const bool from_shared = l.modifier_text("copy_from") == "S";
  const std::string bytes = copied_bytes(l, 2);
  if (!to_shared) {
    if (!from_shared) {
      l.fail("copies inside global memory are not supported");
    }
    l.add(fmt::format("{}.global.shared::cta.bulk_group{} [{}], [{}], {}", opcode, reduction, block_address(l, 0),
                      block_word(l, 1, 0), bytes));
    return;
  }
  const bool multicast = l.modifier("MULTICAST") != 0;
  const std::string source = from_shared ? block_word(l, 1, 0) : block_address(l, 1);
  const std::string ranks = multicast ? copy_ranks(l, 2) : "";
  l.add(fmt::format("{}.shared::cluster.{}.{}{}{} [{}], [{}], {}, [{}]{}", opcode,
                    from_shared ? "shared::cta" : "global", kReports, multicast ? ".multicast::cluster" : "", reduction,
                    block_word(l, 0, 0), source, bytes, block_word(l, 0, 1), ranks));
}

void lift_bulk_copy(Lifter& l) {
  add_bulk_copy(l, "cp.async.bulk", "");
}

constexpr std::array<const char*, 9> kAtomics = {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch"};
constexpr bool is_logic(std::uint32_t operation) {
  return operation >= 5;
}

void lift_bulk_reduction(Lifter& l) {
  static constexpr std::array<const char*, 9> kTypes = {"u32", "s32", "u64", "s64", "f16", "f32", "", "f64", "bf16"};
  const std::uint32_t operation = l.modifier("atomic");
  const std::uint32_t type = l.modifier("copy_type");
  const std::string name = is_logic(operation) ? (type < 2 ? "b32" : "b64") : kTypes.at(type);
  const bool flushes = operation == 0 && (name == "f16" || name == "bf16");
  add_bulk_copy(l, "cp.reduce.async.bulk",
                fmt::format(".{}{}.{}", kAtomics.at(operation), flushes ? ".noftz" : "", name));
}

// --- tensor copies ---

// "[map, {coordinates}]"; the first coordinate is word `first` of the block.
std::string tensor_place(Lifter& l, std::uint32_t first) {
  const std::uint32_t dimensions = l.modifier("dimensions") + 1;
  std::string text = fmt::format("[{}, {{", block_address(l, 1));
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    text += (i == 0 ? "" : ", ") + block_word(l, 0, first + i);
  }
  return text + "}]";
}

// Offsets of im2col: one less than the three inner dimensions need; 16, 8 or 5 bits each.
std::string column_offsets(Lifter& l) {
  const std::uint32_t dimensions = l.modifier("dimensions") + 1;
  if (dimensions < 3) {
    l.fail("a copy of columns has three to five dimensions");
  }
  const std::uint32_t bits = dimensions == 3 ? 16 : dimensions == 4 ? 8 : 5;
  std::string text = ", {";
  for (std::uint32_t i = 0; i < dimensions - 2; ++i) {
    text += (i == 0 ? "" : ", ") + narrow(l, field(l, l.word(l.operand(2)), bits * i, bits));
  }
  return text + "}";
}

void lift_tensor_load(Lifter& l) {
  const bool columns = l.modifier("IM2COL") != 0;
  const bool multicast = l.modifier("MULTICAST") != 0;
  const std::string place = tensor_place(l, 2);
  const std::string offsets = columns ? column_offsets(l) : "";
  const std::string ranks = multicast ? copy_ranks(l, 2) : "";
  l.add(fmt::format("cp.async.bulk.tensor.{}d.shared::cluster.global.{}.{}{} [{}], {}, [{}]{}{}",
                    l.modifier("dimensions") + 1, columns ? "im2col" : "tile", kReports,
                    multicast ? ".multicast::cluster" : "", block_word(l, 0, 0), place, block_word(l, 0, 1), offsets,
                    ranks));
}

void add_tensor_store(Lifter& l, const std::string& opcode, const std::string& reduction) {
  const char* const mode = l.modifier("IM2COL") != 0 ? "im2col_no_offs" : "tile";
  const std::string place = tensor_place(l, 1);
  l.add(fmt::format("{}.tensor.{}d.global.shared::cta{}.{}.bulk_group {}, [{}]", opcode, l.modifier("dimensions") + 1,
                    reduction, mode, place, block_word(l, 0, 0)));
}
void lift_tensor_store(Lifter& l) {
  add_tensor_store(l, "cp.async.bulk", "");
}
void lift_tensor_reduction(Lifter& l) {
  add_tensor_store(l, "cp.reduce.async.bulk", fmt::format(".{}", kAtomics.at(l.modifier("atomic"))));
}

void lift_copies_commit(Lifter& l) {
  l.add("cp.async.bulk.commit_group");
}

void lift_without_effect(Lifter& /*l*/) {}

// --- stores and updates that report ---

// The address of the destination, then that of the barrier: a pair of registers. The offset is that of the destination:
// kernels of cuBLAS store words at several offsets and wait at one barrier.
std::string reporting_address(Lifter& l, std::size_t number, std::uint32_t part) {
  const MachineOperand& address = l.operand(number);
  constexpr std::uint32_t kZeroUniform = 63;
  if (!address.has_base || (address.has_uniform && address.uniform != kZeroUniform)) {
    l.fail("an address of this form is not supported");
  }
  const auto offset = static_cast<std::int64_t>(address.value);
  return part != 0 || offset == 0 ? fmt::format("[%r{}]", address.index + part)
                                  : fmt::format("[%r{}{:+}]", address.index, offset);
}

void lift_reporting_store(Lifter& l) {
  const std::uint32_t size = l.modifier("size");
  if (size < 4) {
    l.fail("values of this size are not supported");
  }
  const std::uint32_t words = size == 4 ? 1 : size == 5 ? 2 : 4;
  std::string values;
  for (std::uint32_t i = 0; i < words; ++i) {
    values += (i == 0 ? "" : ", ") + l.word(l.operand(1), i);
  }
  l.add(fmt::format("st.async.weak.shared::cluster.{}{}.b32 {}, {}, {}", kReports,
                    words == 1   ? ""
                    : words == 2 ? ".v2"
                                 : ".v4",
                    reporting_address(l, 0, 0), words == 1 ? values : "{" + values + "}", reporting_address(l, 0, 1)));
}

void lift_reporting_reduction(Lifter& l) {
  static constexpr std::array<const char*, 4> kTypes = {"u32", "s32", "u64", "s64"};
  const std::uint32_t operation = l.modifier("atomic");
  const std::uint32_t type = l.modifier("atomic_type_90");
  const bool wide = type >= 2;
  const char* const name = is_logic(operation) ? (wide ? "b64" : "b32") : kTypes.at(type);
  const std::string value = wide ? l.pair(1) : l.word(l.operand(1));
  l.add(fmt::format("red.async.relaxed.cluster.shared::cluster.{}.{}.{} {}, {}, {}", kReports, kAtomics.at(operation),
                    name, reporting_address(l, 0, 0), value, reporting_address(l, 0, 1)));
}

// --- other ---

void lift_async_fence(Lifter& l) {
  l.add("fence.proxy.async");
}

// One of the executing lanes for which the last operand holds: a predicate, or a mask of lanes.
void lift_elect(Lifter& l) {
  std::string candidates;
  if (l.operand(2).kind == sass::MachineOperand::Kind::kUniformRegister) {
    const std::string mask = l.integer(2);
    const std::string bit = l.scratch();
    candidates = l.predicate_scratch();
    l.add(fmt::format("mov.u32 {}, %laneid", bit));
    l.add(fmt::format("shr.b32 {0}, {1}, {0}", bit, mask));
    l.add(fmt::format("and.b32 {0}, {0}, 1", bit));
    l.add(fmt::format("setp.ne.u32 {}, {}, 0", candidates, bit));
  } else {
    candidates = l.predicate(2);
  }
  l.add(fmt::format("sass.elect {}, {}, {}", l.predicate_destination(0), l.destination(1), candidates));
}

// The registers that a warp asks for are always there: the machine gave all of them at the launch.
void lift_registers(Lifter& l) {
  if (l.predicate_destination(0) != "_") {
    l.add(fmt::format("mov.pred {}, %pt", l.predicate_destination(0)));
  }
}

constexpr LiftedOpcode kAsynchronousOpcodes[] = {
    {"SYNCS.ARRIVE.TRANS64", lift_arrival},
    {"SYNCS.PHASECHK.TRANS64", lift_phase_check},
    {"SYNCS.EXCH", lift_barrier_exchange},
    {"SYNCS.CAS", lift_barrier_compare},
    {"SYNCS.LD", lift_barrier_load},
    {"SYNCS.CCTL.IV", lift_barrier_end},
    {"SYNCS.CCTL.IVALL", lift_without_effect},
    {"ARRIVES.LDGSTSBAR.64", lift_copies_arrive},
    {"UBLKCP", lift_bulk_copy},
    {"UBLKRED", lift_bulk_reduction},
    {"UBLKPF.L2", lift_without_effect},
    {"UTMALDG", lift_tensor_load},
    {"UTMASTG", lift_tensor_store},
    {"UTMAREDG", lift_tensor_reduction},
    {"UTMAPF.L2", lift_without_effect},
    {"UTMACCTL", lift_without_effect},
    {"UTMACMDFLUSH", lift_copies_commit},
    {"STAS", lift_reporting_store},
    {"REDAS", lift_reporting_reduction},
    {"FENCE.VIEW.ASYNC", lift_async_fence},
    {"ELECT", lift_elect},
    {"USETMAXREG", lift_registers},
    {"USETSHMSZ", lift_without_effect},
};

}  // namespace

std::span<const LiftedOpcode> lifted_asynchronous_opcodes() {
  return kAsynchronousOpcodes;
}

}  // namespace warpsim

// Loads, stores and fences.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "emulator/machine_code/lift_addresses.h"
#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;

constexpr const char* kTypes[] = {"u8", "s8", "u16", "s16", "b32", "b32", "b32", "b32"};

std::uint32_t words_of(std::uint32_t size) {
  return size <= 4 ? 1 : size == 5 ? 2 : 4;
}

std::string vector_of(std::uint32_t words) {
  return words == 1 ? "" : words == 2 ? ".v2" : ".v4";
}

// The registers of a load or store: "%r4" or "{%r4, %r5}".
std::string destinations(Lifter& l, std::size_t number, std::uint32_t words) {
  if (words == 1) {
    return l.destination(number);
  }
  std::string text;
  for (std::uint32_t i = 0; i < words; ++i) {
    text += (i == 0 ? "{" : ", ") + l.destination(number, i);
  }
  return text + "}";
}
std::string sources(Lifter& l, std::size_t number, std::uint32_t words) {
  const MachineOperand& data = l.operand(number);
  if (words == 1) {
    return l.word(data);
  }
  std::string text;
  for (std::uint32_t i = 0; i < words; ++i) {
    text += (i == 0 ? "{" : ", ") + l.word(data, i);
  }
  return text + "}";
}

std::uint32_t size_of(Lifter& l) {
  for (const char* const field : {"size", "size_u", "size_shared"}) {
    if (!l.modifier_text(field).empty() || l.modifier(field) != 0) {
      return l.modifier(field);
    }
  }
  return 0;
}

std::string load_statement(Lifter& l, const char* space, std::size_t address, const std::string& order) {
  const std::uint32_t size = size_of(l);
  const std::uint32_t words = words_of(size);
  return fmt::format("ld{}{}{}.{} {}, {}", order, space, vector_of(words), kTypes[size],
                     destinations(l, address - 1, words), address_in(l, space, address));
}

void lift_load(Lifter& l, const char* space, std::size_t address, const std::string& order) {
  l.add(load_statement(l, space, address, order));
}

// With a predicate: lanes without it read zeros instead of memory.
void lift_global_load(Lifter& l) {
  if (l.shown(0)) {
    l.fail("its first predicate is not supported");
  }
  if (!l.shown(3)) {
    lift_load(l, ".global", 2, order_of(l));
    return;
  }
  const std::string holds = l.predicate(3);
  const std::string fails = holds.front() == '!' ? holds.substr(1) : "!" + holds;
  l.add_under(holds, load_statement(l, ".global", 2, order_of(l)));
  for (std::uint32_t i = 0; i < words_of(size_of(l)); ++i) {
    l.add_under(fails, fmt::format("mov.b32 {}, 0", l.destination(1, i)));
  }
}
void lift_generic_load(Lifter& l) {
  if (l.shown(2)) {
    l.fail("its predicate is not supported");
  }
  lift_load(l, "", 1, order_of(l));
}

void lift_store(Lifter& l, const char* space, const std::string& order) {
  const std::uint32_t size = size_of(l);
  const std::uint32_t words = words_of(size);
  const std::string place = address_in(l, space, 0);
  l.add(fmt::format("st{}{}{}.{} {}, {}", order, space, vector_of(words), kTypes[size], place, sources(l, 1, words)));
}

void lift_global_store(Lifter& l) {
  lift_store(l, ".global", order_of(l));
}
void lift_generic_store(Lifter& l) {
  lift_store(l, "", order_of(l));
}
void lift_shared_store(Lifter& l) {
  lift_store(l, ".shared", "");
}
void lift_local_store(Lifter& l) {
  lift_store(l, ".local", "");
}

// Constants at an offset in a register: parameters, or a bank in memory.
void lift_constant_load(Lifter& l) {
  const std::uint32_t size = l.modifier("size");
  const std::uint32_t words = words_of(size);
  const MachineOperand& source = l.operand(1);
  if (l.modifier("index_mode") != 0) {
    l.fail("this way of indexing is not supported");
  }
  if (!source.has_base && !source.has_uniform && source.value % 4 == 0 && size >= 4) {
    for (std::uint32_t i = 0; i < words; ++i) {
      if (l.destination(0, i) != "_") {
        l.add(fmt::format("mov.b32 {}, {}", l.destination(0, i), l.word(source, i)));
      }
    }
    return;
  }
  const std::string base = source.has_base      ? fmt::format("%r{}", source.index)
                           : source.has_uniform ? fmt::format("%u{}", source.uniform)
                                                : std::string();
  l.read_bank(source.bank, base, source.value, fmt::format("{}.{}", vector_of(words), kTypes[size]),
              destinations(l, 0, words));
}

void lift_fence(Lifter& l) {
  const std::uint32_t scope = l.modifier("fence_scope");
  const char* const name = scope == 0 ? "cta" : scope == 2 || scope == 1 ? "gpu" : "sys";
  l.add(fmt::format("fence.{}.{}", l.modifier("fence") == 0 ? "sc" : "acq_rel", name));
}

// The base and the offset of an address: [base+offset], [base] or [offset].
struct AddressParts {
  std::string base;
  std::string offset;
};
AddressParts parts_of(const std::string& address) {
  const std::string place = address.substr(1, address.size() - 2);
  const std::size_t sign = place.find_last_of("+-");
  if (sign == std::string::npos || sign == 0) {
    return {place, "0"};
  }
  return {place.substr(0, sign), place.substr(sign)};
}

void lift_space_query(Lifter& l) {
  static constexpr const char* kSpaces[] = {"global", "local", "shared"};
  const AddressParts queried = parts_of(l.wide_address(2));
  const std::string address = l.wide_scratch();
  l.add(fmt::format("add.s64 {}, {}, {}", address, queried.base, queried.offset));
  l.add(fmt::format("isspacep.{} {}, {}", kSpaces[l.modifier("space")], l.predicate_destination(0), address));
}

void lift_hint(Lifter& /*l*/) {}

// --- asynchronous copies of 8.0 ---

// The source's bytes that are copied, the others are zero: with ZFILL the address is so far above a multiple of the
// size as there are zeros; nothing is copied where the predicate does not hold.
void lift_copy(Lifter& l) {
  const std::uint32_t size = l.modifier("copy_size");
  const std::string to = l.narrow_address(0);
  std::string from = l.modifier("ZFILL") != 0 ? l.wide_address(1) : l.global_address(1);
  const std::uint32_t bytes = 4 * words_of(size);
  const bool bypasses = l.modifier("copy_access") == 0 && bytes == 16;
  std::string count;
  if (l.modifier("ZFILL") != 0) {
    const std::string zeros = l.scratch();
    const std::string address = l.wide_scratch();
    const AddressParts parts = parts_of(from);
    l.add(fmt::format("add.s64 {}, {}, {}", address, parts.base, parts.offset));
    l.add(fmt::format("cvt.u32.u64 {}, {}", zeros, address));
    l.add(fmt::format("and.b32 {0}, {0}, {1}", zeros, bytes - 1));
    l.add(fmt::format("and.b64 {0}, {0}, {1}", address, -static_cast<std::int64_t>(bytes)));
    count = l.scratch();
    l.add(fmt::format("sub.u32 {}, {}, {}", count, bytes, zeros));
    from = fmt::format("[{}]", address);
  }
  if (l.shown(2)) {
    const std::string all = count.empty() ? std::to_string(bytes) : count;
    count = l.scratch();
    const std::string copies = l.predicate(2);
    const bool negated = copies.starts_with('!');
    l.add(fmt::format("selp.b32 {}, {}, {}, {}", count, negated ? "0" : all, negated ? all : "0",
                      negated ? copies.substr(1) : copies));
  }
  l.add(fmt::format("cp.async.{}.shared.global {}, {}, {}{}", bypasses ? "cg" : "ca", to, from, bytes,
                    count.empty() ? "" : ", " + count));
}

void lift_copy_group(Lifter& l) {
  l.add("cp.async.commit_group");
}

void lift_depbar(Lifter& l) {
  if (l.modifier("LE") != 0 && l.architecture() >= 80) {
    l.add(fmt::format("cp.async.wait_group {}", l.operand(1).value));
  }
  if (l.modifier("LE") != 0 && l.architecture() >= 90) {
    l.add(fmt::format("cp.async.bulk.wait_group {}", l.operand(1).value));
  }
}

constexpr LiftedOpcode kMemoryOpcodes[] = {
    {"LDG", lift_global_load},
    {"LD", lift_generic_load},
    {"LDS", [](Lifter& l) { lift_load(l, ".shared", 1, ""); }},
    {"LDL", [](Lifter& l) { lift_load(l, ".local", 1, ""); }},
    {"STG", lift_global_store},
    {"ST", lift_generic_store},
    {"STS", lift_shared_store},
    {"STL", lift_local_store},
    {"LDC", lift_constant_load},
    {"ULDC", lift_constant_load},
    {"MEMBAR", lift_fence},
    {"ERRBAR", lift_hint},
    {"CGAERRBAR", lift_hint},
    {"CCTL", lift_hint},
    {"QSPC", lift_space_query},
    {"LDGSTS.E", lift_copy},
    {"LDGDEPBAR", lift_copy_group},
    {"DEPBAR", lift_depbar},
};

}  // namespace

std::span<const LiftedOpcode> lifted_memory_opcodes() {
  return kMemoryOpcodes;
}

}  // namespace warpsim

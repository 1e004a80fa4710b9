// Loads, stores, atomics and fences.
#include <fmt/format.h>

#include <string>
#include <string_view>

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

// Order and scope of an access, as PTX words.
std::string order_of(Lifter& l) {
  const std::string_view text = l.architecture() < 80 ? l.modifier_text("order_70") : l.modifier_text("order");
  if (!text.starts_with("STRONG") && !text.starts_with("MMIO")) {
    return "";
  }
  return text.find("SYS") != std::string_view::npos   ? ".relaxed.sys"
         : text.find("GPU") != std::string_view::npos ? ".relaxed.gpu"
                                                      : ".relaxed.cta";
}

std::string address_in(Lifter& l, std::string_view space, std::size_t number) {
  return space == ".global" ? l.global_address(number)
         : space.empty()    ? l.wide_address(number)
                            : l.narrow_address(number);
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

// --- atomics ---

struct AtomicType {
  std::string type;  // of PTX
  std::uint32_t words = 1;
};

AtomicType atomic_type(Lifter& l) {
  std::string_view text;
  for (const char* const field :
       {"atomic_type", "atomic_type_90", "atomic_float", "shared_atomic_type", "compare_type"}) {
    if (!l.modifier_text(field).empty()) {
      text = l.modifier_text(field);
    }
  }
  if (text == "64") {
    return {"b64", 2};
  }
  if (text == "S64") {
    return {"s64", 2};
  }
  if (text.starts_with("F64")) {
    return {"f64", 2};
  }
  if (text.starts_with("F32")) {
    return {"f32", 1};
  }
  if (text.starts_with("F16x2")) {
    return {"noftz.f16x2", 1};
  }
  if (text.starts_with("BF16x2")) {
    return {"noftz.bf16x2", 1};
  }
  return {text == "S32" ? "s32" : "b32", 1};
}

// The type word that PTX wants for an operation.
std::string typed(const std::string& operation, const AtomicType& type) {
  const bool logic =
      operation == "and" || operation == "or" || operation == "xor" || operation == "exch" || operation == "cas";
  if (logic || type.type.front() == 'f' || type.type.front() == 'n') {
    return type.type;
  }
  if (type.type.front() == 'b') {
    return "u" + type.type.substr(1);
  }
  return type.type == "s64" && operation == "add" ? "u64" : type.type;
}

// RZ is the number 0, which is written by its type.
std::string atomic_data(Lifter& l, std::size_t number, const AtomicType& type) {
  if (type.type == "f64" || type.type == "f32") {
    return type.words == 2 ? l.real(number) : l.single(number);
  }
  return type.words == 2 ? l.pair(number) : l.word(l.operand(number));
}

std::string operation_of(Lifter& l) {
  static constexpr const char* kNames[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch"};
  return kNames[l.modifier("atomic")];
}

std::string scope_of(Lifter& l) {
  const std::string order = order_of(l);
  return order.empty() ? ".relaxed.gpu" : order;
}

// `first`: the operand with the result, before address and data.
void lift_atomic_at(Lifter& l, const std::string& space, std::size_t first, const std::string& operation,
                    const std::string& scope) {
  const AtomicType type = atomic_type(l);
  const bool compares = operation == "cas";
  const std::string place = address_in(l, space, first + 1);
  const std::string a = atomic_data(l, first + 2, type);
  std::string sources = a;
  if (compares) {
    sources += ", " + atomic_data(l, first + 3, type);
  }
  const bool wide = type.words == 2;
  const std::string result = l.destination(first) == "_" ? (wide ? l.wide_scratch() : l.scratch())
                             : wide                      ? l.wide_scratch()
                                                         : l.destination(first);
  l.add(fmt::format("atom{}{}.{}.{} {}, {}, {}", scope, space, operation, typed(operation, type), result, place,
                    sources));
  if (wide) {
    l.set_pair(first, result);
  }
}

void lift_global_atomic(Lifter& l) {
  if (l.predicate_destination(0) != "_" && l.instruction().mnemonic == "ATOMG") {
    l.fail("its predicate is not supported");
  }
  lift_atomic_at(l, ".global", 1, operation_of(l), scope_of(l));
}
void lift_global_exchange(Lifter& l) {
  lift_atomic_at(l, ".global", 1, "cas", scope_of(l));
}
void lift_generic_atomic(Lifter& l) {
  // The predicate says that the address was not in shared memory, where a loop must follow.
  lift_atomic_at(l, "", 1, operation_of(l), scope_of(l));
  if (l.predicate_destination(0) != "_") {
    l.add(fmt::format("mov.pred {}, %pt", l.predicate_destination(0)));
  }
}
void lift_generic_exchange(Lifter& l) {
  lift_atomic_at(l, "", 1, "cas", scope_of(l));
}
void lift_shared_atomic(Lifter& l) {
  lift_atomic_at(l, ".shared", 0, operation_of(l), "");
}
// CAST.SPIN returns whether it has exchanged the values, as wide as they are.
void lift_shared_exchange(Lifter& l) {
  if (l.modifier("compare_and") == 0) {
    return lift_atomic_at(l, ".shared", 0, "cas", "");
  }
  const AtomicType type = atomic_type(l);
  const bool wide = type.words == 2;
  const std::string a = atomic_data(l, 2, type);
  const std::string b = atomic_data(l, 3, type);
  const std::string old = wide ? l.wide_scratch() : l.scratch();
  const std::string same = l.predicate_scratch();
  l.add(fmt::format("atom.shared.cas.b{} {}, {}, {}, {}", wide ? 64 : 32, old, l.narrow_address(1), a, b));
  l.add(fmt::format("setp.eq.u{} {}, {}, {}", wide ? 64 : 32, same, old, a));
  l.add(fmt::format("selp.b{} {}, 1, 0, {}", wide ? 64 : 32, wide ? old : l.destination(0), same));
  if (wide) {
    l.set_pair(0, old);
  }
}
// Adds the number of executing lanes: each adds 1.
void lift_shared_count(Lifter& l) {
  if (l.modifier("atomic_count") == 9) {
    // An arrival at a barrier in the layout of 8.0.
    const std::string state = l.destination(0) == "_" ? "_" : l.wide_scratch();
    l.add(fmt::format("sass.arrivecopied {}, {}", state, l.narrow_address(1)));
    if (state != "_") {
      l.set_pair(0, state);
    }
    return;
  }
  const std::string result = l.destination(0) == "_" ? l.scratch() : l.destination(0);
  l.add(fmt::format("atom.shared.add.u32 {}, {}, 1", result, l.narrow_address(1)));
}

void lift_reduction(Lifter& l) {
  const AtomicType type = atomic_type(l);
  const std::string operation = operation_of(l);
  const std::string place = l.global_address(0);
  const std::string a = atomic_data(l, 1, type);
  l.add(fmt::format("red{}.global.{}.{} {}, {}", scope_of(l), operation, typed(operation, type), place, a));
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
    {"ATOMG", [](Lifter& l) { l.operand_count() == 5 ? lift_global_exchange(l) : lift_global_atomic(l); }},
    {"ATOM", [](Lifter& l) { l.operand_count() == 5 ? lift_generic_exchange(l) : lift_generic_atomic(l); }},
    {"ATOMS",
     [](Lifter& l) {
       l.operand_count() == 4   ? lift_shared_exchange(l)
       : l.operand_count() == 2 ? lift_shared_count(l)
                                : lift_shared_atomic(l);
     }},
    {"RED", lift_reduction},
    {"REDG", lift_reduction},
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

// Atomics and reductions.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/machine_code/lift_addresses.h"
#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

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

constexpr LiftedOpcode kAtomicOpcodes[] = {
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
};

}  // namespace

std::span<const LiftedOpcode> lifted_atomic_opcodes() {
  return kAtomicOpcodes;
}

}  // namespace warpsim

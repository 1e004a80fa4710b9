#include "emulator/operations/operation_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/code/function_decoder.h"
#include "emulator/code/special_registers.h"
#include "ptx/parser.h"

namespace warpsim {

using ptx::DataType;
using ptx::Operand;
using ptx::StateSpace;

namespace {

constexpr std::uint32_t kMostWords = 64;

struct SpaceWord {
  std::string_view word;
  StateSpace space;
};
constexpr auto kSpaces = std::to_array<SpaceWord>({
    {"const", StateSpace::kConstant},
    {"global", StateSpace::kGlobal},
    {"local", StateSpace::kLocal},
    {"param", StateSpace::kParameter},
    {"param::entry", StateSpace::kParameter},
    {"param::func", StateSpace::kParameter},
    {"shared", StateSpace::kShared},
    {"shared::cta", StateSpace::kShared},
    {"shared::cluster", StateSpace::kShared},
});

bool is_floating_type(DataType type) {
  return type == DataType::kF16 || type == DataType::kBf16 || type == DataType::kF32 || type == DataType::kF64;
}

// The bits of a literal as a value of the type.
std::uint64_t literal(const Operand& operand, DataType type) {
  if (operand.kind == Operand::Kind::kInteger) {
    return operand.bits;
  }
  if (operand.single) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
    return type == DataType::kF64 ? std::bit_cast<std::uint64_t>(static_cast<double>(value)) : operand.bits;
  }
  return type == DataType::kF64 ? operand.bits
                                : std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
}

std::string text_of(const ptx::Instruction& instruction) {
  std::string text(instruction.opcode);
  for (const std::string_view word : instruction.modifiers) {
    text += fmt::format(".{}", word);
  }
  return text;
}

}  // namespace

// --- words ---

bool OperationBuilder::take(std::string_view word) {
  for (std::size_t i = 0; i < instruction_.modifiers.size(); ++i) {
    if ((taken_ >> i & 1U) == 0 && instruction_.modifiers[i] == word) {
      taken_ |= std::uint64_t{1} << i;
      return true;
    }
  }
  return false;
}

std::optional<DataType> OperationBuilder::take_type_if_any() {
  for (std::size_t i = 0; i < instruction_.modifiers.size(); ++i) {
    if ((taken_ >> i & 1U) != 0) {
      continue;
    }
    if (const std::optional<DataType> type = ptx::data_type_of(instruction_.modifiers[i])) {
      taken_ |= std::uint64_t{1} << i;
      return type;
    }
  }
  return std::nullopt;
}

DataType OperationBuilder::take_type() {
  const std::optional<DataType> type = take_type_if_any();
  if (!type) {
    fail("a type is missing");
  }
  return *type;
}

StateSpace OperationBuilder::take_space() {
  for (std::size_t i = 0; i < instruction_.modifiers.size(); ++i) {
    const auto* const space = std::ranges::find(kSpaces, instruction_.modifiers[i], &SpaceWord::word);
    if ((taken_ >> i & 1U) == 0 && space != kSpaces.end()) {
      taken_ |= std::uint64_t{1} << i;
      operation.in_cluster = operation.in_cluster || space->word == "shared::cluster";
      return space->space;
    }
  }
  return StateSpace::kGeneric;
}

std::uint32_t OperationBuilder::take_vector() {
  return take("v2") ? 2 : take("v4") ? 4 : take("v8") ? 8 : 1;
}

std::string_view OperationBuilder::take_next() {
  for (std::size_t i = 0; i < instruction_.modifiers.size(); ++i) {
    if ((taken_ >> i & 1U) == 0) {
      taken_ |= std::uint64_t{1} << i;
      return instruction_.modifiers[i];
    }
  }
  return {};
}

void OperationBuilder::finish() const {
  const std::size_t words = instruction_.modifiers.size();
  if (words >= kMostWords) {
    fail("there are too many modifiers");
  }
  for (std::size_t i = 0; i < words; ++i) {
    if ((taken_ >> i & 1U) == 0) {
      fail(fmt::format("modifier .{} is not known here", instruction_.modifiers[i]));
    }
  }
}

void OperationBuilder::fail(const std::string& what) const {
  throw ptx::PtxError(fmt::format("{}:{}:{}: kernel {} can reach instruction {}: {}",
                                  function_.symbols().module->module().file, instruction_.place.line,
                                  instruction_.place.column, function_.kernel(), text_of(instruction_), what));
}

// --- operands ---

const Operand& OperationBuilder::operand(std::size_t number) const {
  if (number >= instruction_.operands.size()) {
    fail(fmt::format("expected at least {} operands", number + 1));
  }
  return instruction_.operands[number];
}

bool OperationBuilder::is_discarded(std::size_t number) const {
  return operand(number).kind == Operand::Kind::kDiscard;
}

OperandPlace OperationBuilder::constant(std::uint64_t bits, std::uint32_t bytes) {
  const std::uint64_t mask = bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8U * bytes)) - 1;
  return function_.constant(bits & mask, bytes);
}

OperandPlace OperationBuilder::scratch(std::uint32_t bytes) {
  return function_.scratch(bytes);
}

OperandPlace OperationBuilder::source(std::size_t number, DataType type) {
  return source(operand(number), type);
}

OperandPlace OperationBuilder::source(const Operand& operand, DataType type) {
  switch (operand.kind) {
    case Operand::Kind::kRegister: {
      const ptx::Register& reg = function_.source().registers[operand.number];
      const std::uint32_t lane_bytes = std::max(4U, bytes_of(reg.type));
      if (std::max(4U, bytes_of(type)) > lane_bytes) {
        fail(fmt::format("register {} of type .{} is too narrow for .{}", reg.name, name_of(reg.type), name_of(type)));
      }
      if (lane_bytes > std::max(4U, bytes_of(type))) {
        fail(fmt::format("register {} of type .{} is too wide for .{}", reg.name, name_of(reg.type), name_of(type)));
      }
      const auto element = static_cast<OperandPlace>(operand.component < 0 ? 0 : operand.component);
      return function_.place_of(operand.number) + element * static_cast<OperandPlace>(lane_bytes * kWarpSize);
    }
    case Operand::Kind::kInteger:
      if (is_floating_type(type) && bytes_of(type) > 2) {
        fail("found an integer where a floating-point number is expected");
      }
      return constant(operand.bits, bytes_of(type));
    case Operand::Kind::kFloat:
      return constant(literal(operand, type), bytes_of(type));
    case Operand::Kind::kSymbol: {
      const FunctionDecoder::SymbolAddress symbol = function_.address_of(operand);
      if (symbol.of_frame) {
        fail("the address of a local variable is not a constant here");
      }
      return constant(symbol.address, bytes_of(type));
    }
    case Operand::Kind::kSpecial: {
      const std::optional<SpecialName> special = find_special_register(operand.name);
      if (!special) {
        fail(fmt::format("special register %{} is unknown, or not allowed here", operand.name));
      }
      const auto component = static_cast<std::uint8_t>(operand.component < 0 ? special->component : operand.component);
      return function_.special(special->which, component, bytes_of(type) == 8);
    }
    default:
      fail("expected a register or a number as operand");
  }
}

OperandPlace OperationBuilder::destination(std::size_t number, DataType type) {
  return destination(operand(number), type);
}

OperandPlace OperationBuilder::destination(const Operand& operand, DataType type) {
  if (operand.kind == Operand::Kind::kDiscard) {
    return scratch(std::max(4U, bytes_of(type)));
  }
  if (operand.kind != Operand::Kind::kRegister) {
    fail("expected a register to write");
  }
  return source(operand, type);
}

OperandPlace OperationBuilder::predicate_source(std::size_t number) {
  const Operand& predicate = operand(number);
  if (predicate.kind == Operand::Kind::kInteger) {
    return constant(predicate.bits != 0 ? kAllLanes : 0, 4);
  }
  if (predicate.kind != Operand::Kind::kRegister ||
      function_.source().registers[predicate.number].type != DataType::kPredicate) {
    fail(fmt::format("expected a predicate as operand {}", number + 1));
  }
  return function_.place_of(predicate.number);
}

OperandPlace OperationBuilder::predicate_destination(std::size_t number) {
  if (is_discarded(number)) {
    return scratch(4);
  }
  return predicate_source(number);
}

OperandPlace OperationBuilder::second_destination(std::size_t number) {
  const Operand& first = operand(number);
  if (first.second == nullptr) {
    return kNoPlace;
  }
  if (first.second->kind == Operand::Kind::kDiscard) {
    return scratch(4);
  }
  if (first.second->kind != Operand::Kind::kRegister ||
      function_.source().registers[first.second->number].type != DataType::kPredicate) {
    fail("expected a predicate after |");
  }
  return function_.place_of(first.second->number);
}

std::uint32_t OperationBuilder::source_list(const Operand& operand, DataType type, std::uint32_t count) {
  std::vector<OperandPlace> places;
  if (operand.kind == Operand::Kind::kVector) {
    for (const Operand& element : operand.elements) {
      places.push_back(element.kind == Operand::Kind::kDiscard ? destination(element, type) : source(element, type));
    }
  } else if (operand.kind == Operand::Kind::kRegister && operand.component < 0 &&
             function_.source().registers[operand.number].vector > 1) {
    Operand element;
    element.kind = Operand::Kind::kRegister;
    element.number = operand.number;
    for (std::uint32_t i = 0; i < function_.source().registers[operand.number].vector; ++i) {
      element.component = static_cast<std::int32_t>(i);
      places.push_back(source(element, type));
    }
  } else {
    places.push_back(source(operand, type));
  }
  if (places.size() != count) {
    fail(fmt::format("expected a vector of {} elements, found {}", count, places.size()));
  }
  std::vector<OperandPlace>& lists = function_.code().lists;
  const auto first = static_cast<std::uint32_t>(lists.size());
  lists.insert(lists.end(), places.begin(), places.end());
  return first;
}

std::uint32_t OperationBuilder::destination_list(const Operand& operand, DataType type, std::uint32_t count) {
  if (operand.kind == Operand::Kind::kVector && std::ranges::any_of(operand.elements, [](const Operand& element) {
        return element.kind != Operand::Kind::kRegister && element.kind != Operand::Kind::kDiscard;
      })) {
    fail("expected registers to write");
  }
  return source_list(operand, type, count);
}

std::uint32_t OperationBuilder::second_address(std::size_t number, StateSpace space) {
  const Operation first = operation;
  operation.space = space;
  operation.of_frame = false;
  operation.a_high = kNoPlace;
  address(number);
  std::vector<OperandPlace>& lists = function_.code().lists;
  const auto begin = static_cast<std::uint32_t>(lists.size());
  if (operation.of_frame || operation.offset != static_cast<std::int32_t>(operation.offset)) {
    fail("an address is not possible here");
  }
  lists.insert(lists.end(), {operation.a, static_cast<OperandPlace>(operation.offset),
                             static_cast<OperandPlace>(operation.address_bits), operation.a_high});
  operation = first;
  return begin;
}

// Of machine code: {lower register + offset, upper register}.
void OperationBuilder::address_pair(const Operand& pair) {
  if (pair.elements.size() != 2) {
    fail("expected two registers as address");
  }
  operation.a = source(pair.elements[0], DataType::kB32);
  operation.a_high = source(pair.elements[1], DataType::kB32);
  operation.offset = pair.elements[0].offset;
}

void OperationBuilder::address(std::size_t number) {
  address(operand(number));
}

void OperationBuilder::address(const Operand& operand) {
  const bool bracketed = operand.kind == Operand::Kind::kAddress;
  if (bracketed && operand.elements.empty()) {
    fail("an address is empty");
  }
  const Operand& base = bracketed ? operand.elements.front() : operand;
  operation.offset = operand.offset;
  operation.addresses = AddressForm::kOperand;
  if (base.kind == Operand::Kind::kRegister) {
    const std::uint32_t bytes = bytes_of(function_.source().registers[base.number].type);
    if (bytes != 4 && bytes != 8) {
      fail("an address is a register of 32 or 64 bits");
    }
    operation.a = source(base, bytes == 8 ? DataType::kU64 : DataType::kU32);
    operation.address_bits = bytes == 8 ? 64 : 32;
    return;
  }
  operation.address_bits = 64;
  if (base.kind == Operand::Kind::kVector) {
    address_pair(base);
    return;
  }
  if (base.kind == Operand::Kind::kInteger) {
    operation.a = constant(base.bits, 8);
    return;
  }
  if (base.kind != Operand::Kind::kSymbol) {
    fail("expected a register, a symbol or a number as address");
  }
  const FunctionDecoder::SymbolAddress symbol = function_.address_of(base);
  operation.a = constant(symbol.address, 8);
  operation.of_frame = symbol.of_frame;
  if (operation.space == StateSpace::kGeneric) {
    operation.space = symbol.space;  // a symbol determines the space
  }
}

}  // namespace warpsim

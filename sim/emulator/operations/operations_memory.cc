// Loads, stores, prefetches and fences.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/bulk_copies.h"
#include "emulator/memory/line_access.h"
#include "emulator/memory/memory_access.h"
#include "emulator/memory/usual_access.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;
using ptx::StateSpace;

// Moves one element between memory and register: memory has `operation.bytes`, a lane of the register Word.
// Bytes in memory as a register has them: extended by the sign of Memory.
template <class Memory, class Word>
Word word_at(const std::byte* place) {
  Memory value;
  std::memcpy(&value, place, sizeof(Memory));
  return static_cast<Word>(value);  // NOLINT(bugprone-signed-char-misuse)
}

template <class Memory, class Word>
void load_usual(WarpContext& warp, const Operation& operation, LaneMask lanes, const UsualAccess& access) {
  using Shape = UsualAccess::Shape;
  const std::uint32_t count = operation.count;
  const OperandPlace* const places = warp.lists + operation.target;
  const Shape shape = access.shape(sizeof(Memory));
  for (std::uint32_t i = 0; i < count; ++i) {
    auto* const d = reinterpret_cast<Word*>(warp.registers + places[i]);
    const std::size_t offset = i * sizeof(Memory);
    std::array<Word, kWarpSize> values;
    if (shape == Shape::kRow || shape == Shape::kRows) {
      for (std::uint32_t group = 0; group < kWarpSize; group += UsualAccess::kGroup) {
        const std::byte* const begin = access.of(group) + offset;
        for (std::uint32_t lane = 0; lane < UsualAccess::kGroup; ++lane) {
          values[group + lane] = word_at<Memory, Word>(begin + lane * sizeof(Memory));
        }
      }
    } else if (shape == Shape::kOne || shape == Shape::kOneEach) {
      for (std::uint32_t group = 0; group < kWarpSize; group += UsualAccess::kGroup) {
        const Word value = word_at<Memory, Word>(access.of(group) + offset);
        std::fill_n(values.begin() + group, UsualAccess::kGroup, value);
      }
    } else {
      for_lanes(lanes, [&](std::uint32_t lane) { d[lane] = word_at<Memory, Word>(access.of(lane) + offset); });
      continue;
    }
    set_lanes(d, lanes, [&](std::uint32_t lane) { return values[lane]; });
  }
}

// Calls with the words of each lane as a constant, so that loops over them are unrolled.
template <class Function>
void with_count(std::uint32_t count, Function function) {
  switch (count) {
    case 1:
      return function(std::integral_constant<std::uint32_t, 1>{});
    case 2:
      return function(std::integral_constant<std::uint32_t, 2>{});
    case 4:
      return function(std::integral_constant<std::uint32_t, 4>{});
    default:
      return function(std::integral_constant<std::uint32_t, 8>{});
  }
}

template <class Memory, class Word, std::uint32_t Count>
void load_row(const WarpContext& warp, const OperandPlace* places, const std::byte* begin) {
  for (std::uint32_t i = 0; i < Count; ++i) {
    auto* const d = reinterpret_cast<Word*>(warp.registers + places[i]);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      d[lane] = word_at<Memory, Word>(begin + (lane * Count + i) * sizeof(Memory));
    }
  }
}

template <class Memory, class Word>
void load_line(const WarpContext& warp, const Operation& operation, const LineAccess& line) {
  const OperandPlace* const places = warp.lists + operation.target;
  if (line.is_one()) {
    for (std::uint32_t i = 0; i < operation.count; ++i) {
      auto* const d = reinterpret_cast<Word*>(warp.registers + places[i]);
      std::fill_n(d, kWarpSize, word_at<Memory, Word>(line.begin() + i * sizeof(Memory)));
    }
  } else {
    with_count(operation.count, [&](auto words) { load_row<Memory, Word, words()>(warp, places, line.begin()); });
  }
}

template <class Memory, class Word>
void load(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const std::uint32_t bytes = sizeof(Memory) * operation.count;
  if (LineAccess line; line.find(warp, operation, lanes, bytes, AccessKind::kRead)) {
    load_line<Memory, Word>(warp, operation, line);
    return;
  }
  UsualAccess access;
  if (access.find(warp, operation, lanes, bytes, AccessKind::kRead)) {
    load_usual<Memory, Word>(warp, operation, lanes, access);
    return;
  }
  const LanePointers pointers = resolve(warp, operation, lanes, bytes, AccessKind::kRead);
  const OperandPlace* const places = warp.lists + operation.target;
  for (std::uint32_t i = 0; i < operation.count; ++i) {
    auto* const d = reinterpret_cast<Word*>(warp.registers + places[i]);
    for_lanes(lanes,
              [&](std::uint32_t lane) { d[lane] = word_at<Memory, Word>(pointers.lane[lane] + i * sizeof(Memory)); });
  }
}

template <class Memory, class Word>
void store_usual(const WarpContext& warp, const Operation& operation, LaneMask lanes, const UsualAccess& access) {
  const OperandPlace* const places = warp.lists + operation.target;
  for (std::uint32_t i = 0; i < operation.count; ++i) {
    const std::byte* const base = places[i] >= 0 ? warp.registers : warp.constants_end;
    const auto* const a = reinterpret_cast<const Word*>(base + places[i]);
    for_lanes(lanes, [&](std::uint32_t lane) {
      const auto value = static_cast<Memory>(a[lane]);
      std::memcpy(access.of(lane) + i * sizeof(Memory), &value, sizeof(Memory));
    });
  }
}

template <class Memory, class Word, std::uint32_t Count>
void store_row(const WarpContext& warp, const OperandPlace* places, std::byte* begin) {
  for (std::uint32_t i = 0; i < Count; ++i) {
    const std::byte* const base = places[i] >= 0 ? warp.registers : warp.constants_end;
    const auto* const a = reinterpret_cast<const Word*>(base + places[i]);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const auto value = static_cast<Memory>(a[lane]);
      std::memcpy(begin + (lane * Count + i) * sizeof(Memory), &value, sizeof(Memory));
    }
  }
}

template <class Memory, class Word>
void store(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const std::uint32_t count = operation.count;
  const std::uint32_t bytes = sizeof(Memory) * count;
  if (LineAccess line; line.find(warp, operation, lanes, bytes, AccessKind::kWrite)) {
    const OperandPlace* const row = warp.lists + operation.target;
    with_count(count, [&](auto words) { store_row<Memory, Word, words()>(warp, row, line.begin()); });
    return;
  }
  UsualAccess access;
  if (access.find(warp, operation, lanes, bytes, AccessKind::kWrite)) {
    store_usual<Memory, Word>(warp, operation, lanes, access);
    return;
  }
  const LanePointers pointers = resolve(warp, operation, lanes, bytes, AccessKind::kWrite);
  const OperandPlace* const places = warp.lists + operation.target;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* const base = places[i] >= 0 ? warp.registers : warp.constants_end;
    const auto* const a = reinterpret_cast<const Word*>(base + places[i]);
    for_lanes(lanes, [&](std::uint32_t lane) {
      const auto value = static_cast<Memory>(a[lane]);
      std::memcpy(pointers.lane[lane] + i * sizeof(Memory), &value, sizeof(Memory));
    });
  }
}

// From one address in all lanes that nothing changes while the kernel runs.
template <class Memory, class Word>
void load_constant(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const std::uint32_t count = operation.count;
  const LanePointers pointers =
      resolve(warp, operation, lanes & (~lanes + 1), sizeof(Memory) * count, AccessKind::kRead);
  const std::byte* const from = pointers.lane[static_cast<std::size_t>(std::countr_zero(lanes))];
  const OperandPlace* const places = warp.lists + operation.target;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto* const d = reinterpret_cast<Word*>(warp.registers + places[i]);
    const auto word = word_at<Memory, Word>(from + i * sizeof(Memory));
    for_lanes(lanes, [=](std::uint32_t lane) { d[lane] = word; });
  }
}

void load_wide(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LanePointers pointers = resolve(warp, operation, lanes, sizeof(Wide), AccessKind::kRead);
  auto* const d = reinterpret_cast<Wide*>(warp.registers + warp.lists[operation.target]);
  for_lanes(lanes, [&](std::uint32_t lane) { std::memcpy(&d[lane], pointers.lane[lane], sizeof(Wide)); });
}

void store_wide(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LanePointers pointers = resolve(warp, operation, lanes, sizeof(Wide), AccessKind::kWrite);
  const auto* const a = reinterpret_cast<const Wide*>(warp.registers + warp.lists[operation.target]);
  for_lanes(lanes, [&](std::uint32_t lane) { std::memcpy(pointers.lane[lane], &a[lane], sizeof(Wide)); });
}

bool is_constant_load(const Operation& operation) {
  const bool constant = operation.space == StateSpace::kParameter || operation.space == StateSpace::kConstant;
  return constant && !operation.of_frame && operation.a < 0;
}

template <class Memory, class Word>
Handler loader_of(const Operation& operation) {
  return is_constant_load(operation) ? load_constant<Memory, Word> : best_for_host<load<Memory, Word>>();
}

template <class Word>
Handler loader(const Operation& operation, DataType type) {
  switch (type) {
    case DataType::kS8:
      return loader_of<std::int8_t, Word>(operation);
    case DataType::kS16:
      return loader_of<std::int16_t, Word>(operation);
    case DataType::kS32:
      return loader_of<std::int32_t, Word>(operation);
    default:
      break;
  }
  switch (bytes_of(type)) {
    case 1:
      return loader_of<std::uint8_t, Word>(operation);
    case 2:
      return loader_of<std::uint16_t, Word>(operation);
    case 4:
      return loader_of<std::uint32_t, Word>(operation);
    default:
      return loader_of<std::uint64_t, Word>(operation);
  }
}

// Sign extension fills the register's own width: a register of 16 bits keeps 16.
void load_s8_to_16(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  load<std::int8_t, std::uint32_t>(warp, operation, lanes);
  for (std::uint32_t i = 0; i < operation.count; ++i) {
    auto* const d = reinterpret_cast<std::uint32_t*>(warp.registers + warp.lists[operation.target + i]);
    for_lanes(lanes, [&](std::uint32_t lane) { d[lane] &= 0xffffU; });
  }
}

template <class Word>
Handler storer(std::uint32_t bytes) {
  return bytes == 1   ? best_for_host<store<std::uint8_t, Word>>()
         : bytes == 2 ? best_for_host<store<std::uint16_t, Word>>()
         : bytes == 4 ? best_for_host<store<std::uint32_t, Word>>()
                      : best_for_host<store<std::uint64_t, Word>>();
}

// --- words without effect on values ---

void take_cache_words(OperationBuilder& b) {
  for (const char* const word :
       {"weak", "relaxed", "acquire", "release", "acq_rel", "volatile", "mmio", "cta", "cluster", "gpu",
        "sys",  "ca",      "cg",      "cs",      "lu",      "cv",       "wb",   "wt",  "nc",      "unified"}) {
    b.take(word);
  }
  for (const std::string_view word : b.instruction().modifiers) {
    if (word.starts_with("L1::") || word.starts_with("L2::") || word.starts_with("level::")) {
      b.take(word);
    }
  }
}

// The content of a register of the list; wider registers than the type are allowed.
DataType listed_register_type(OperationBuilder& b, const Operand& operand, DataType type) {
  const auto is_register = [](const Operand& candidate) { return candidate.kind == Operand::Kind::kRegister; };
  const Operand* first = &operand;
  if (operand.kind == Operand::Kind::kVector) {
    const auto found = std::ranges::find_if(operand.elements, is_register);
    first = found == operand.elements.end() ? &operand : &*found;
  }
  if (!is_register(*first)) {
    return type;
  }
  const DataType own = b.function().source().registers[first->number].type;
  if (bytes_of(own) < bytes_of(type)) {
    b.fail("a register is narrower than its element in memory");
  }
  return own;
}

// Constants do not change, and other threads cannot see a thread's local memory and parameters.
bool is_private(StateSpace space) {
  return space == StateSpace::kConstant || space == StateSpace::kParameter || space == StateSpace::kLocal;
}

void bind_load(OperationBuilder& b) {
  take_cache_words(b);
  b.operation.space = b.take_space();
  const std::uint32_t count = b.take_vector();
  const DataType type = b.take_type();
  b.address(1);
  b.operation.effect = is_private(b.operation.space) ? Effect::kPrivate : Effect::kShared;
  b.operation.reach = EffectReach::kLoad;
  b.operation.count = static_cast<std::uint8_t>(count);
  b.operation.bytes = static_cast<std::uint8_t>(bytes_of(type));
  const DataType own = listed_register_type(b, b.operand(0), type);
  b.operation.target = b.destination_list(b.operand(0), own, count);
  if (bytes_of(type) == 16) {
    b.operation.run = load_wide;
  } else if (type == DataType::kS8 && bytes_of(own) == 2) {
    b.operation.run = load_s8_to_16;
  } else {
    b.operation.run =
        bytes_of(own) == 8 ? loader<std::uint64_t>(b.operation, type) : loader<std::uint32_t>(b.operation, type);
    if (!is_constant_load(b.operation)) {
      const bool is_signed = type == DataType::kS8 || type == DataType::kS16;
      b.operation.form =
          form_of_access(type, own, count, is_signed ? HostForm::kLoadNarrowSigned : HostForm::kLoadNarrow,
                         HostForm::kLoadWords, HostForm::kLoadWideWords);
    }
  }
}

void bind_store(OperationBuilder& b) {
  if (b.take("async")) {
    bind_asynchronous_store(b);
    return;
  }
  if (b.take("bulk")) {
    bind_bulk_store(b);
    return;
  }
  take_cache_words(b);
  b.operation.space = b.take_space();
  const std::uint32_t count = b.take_vector();
  const DataType type = b.take_type();
  b.address(0);
  b.operation.effect = is_private(b.operation.space) ? Effect::kPrivate : Effect::kShared;
  b.operation.reach = EffectReach::kStore;
  b.operation.count = static_cast<std::uint8_t>(count);
  b.operation.bytes = static_cast<std::uint8_t>(bytes_of(type));
  const DataType own = listed_register_type(b, b.operand(1), type);
  b.operation.target = b.source_list(b.operand(1), own, count);
  if (bytes_of(type) == 16) {
    b.operation.run = store_wide;
  } else {
    b.operation.run =
        bytes_of(own) == 8 ? storer<std::uint64_t>(bytes_of(type)) : storer<std::uint32_t>(bytes_of(type));
    b.operation.form =
        form_of_access(type, own, count, HostForm::kStoreNarrow, HostForm::kStoreWords, HostForm::kStoreWideWords);
  }
}

// Hints have no effect on values; their addresses need not be memory.
void bind_hint(OperationBuilder& b) {
  while (!b.take_next().empty()) {
  }
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kOwn;
  b.operation.run = do_nothing;
}

// Without time other threads of the host may execute other blocks.
void order_memory(WarpContext& warp, const Operation& /*operation*/, LaneMask /*lanes*/) {
  if (warp.launch->concurrent) {
    __sync_synchronize();  // ThreadSanitizer does not know std::atomic_thread_fence
  }
}

// What a thread has written is visible to all others in the order in which it was written, at the latest when the SMs
// exchange their effects. Only a sequentially consistent fence also keeps later reads behind that.
void bind_fence(OperationBuilder& b) {
  const ptx::Instruction& instruction = b.instruction();
  const auto has = [&](std::string_view word) {
    return std::ranges::find(instruction.modifiers, word) != instruction.modifiers.end();
  };
  const bool orders_less =
      has("acq_rel") || has("acquire") || has("release") || has("cta") || has("proxy") || has("mbarrier_init");
  bind_hint(b);
  b.operation.reach = orders_less ? EffectReach::kOwn : EffectReach::kAnything;
  b.operation.run = order_memory;
}

constexpr auto kMemoryOperations = std::to_array<OpcodeBinder>({
    {"applypriority", bind_hint},
    {"discard", bind_hint},
    {"fence", bind_fence},
    {"ld", bind_load},
    {"ldu", bind_load},
    {"membar", bind_fence},
    {"prefetch", bind_hint},
    {"prefetchu", bind_hint},
    {"st", bind_store},
});

}  // namespace

std::span<const OpcodeBinder> memory_operations() {
  return kMemoryOperations;
}

}  // namespace warpsim

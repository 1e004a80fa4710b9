// Surfaces: texels read, written and updated_element without filters (suld, sust, sured).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "emulator/execution/launch_context.h"
#include "emulator/numbers/atomic_update.h"
#include "emulator/numbers/half_float.h"
#include "emulator/operations/operation_table.h"
#include "emulator/textures/texture_access.h"

namespace warpsim {

namespace {

using ptx::DataType;

// Handling of accesses outside: Operation::p.
enum class Bounds : OperandPlace { kTrap, kClamp, kZero };
enum class Update : std::uint8_t { kAdd, kMin, kMax, kAnd, kOr };

// Of an access: byte, row and slice.
using SurfacePlace = std::array<std::uint64_t, 3>;

// The place of the access of a lane; none: outside, and the access has no effect. `bytes`: of the access.
// operation.e: not 0 if x counts texels instead of bytes.
std::optional<SurfacePlace> surface_place(const WarpContext& warp, const Operation& operation, const TexelImage& image,
                                          std::uint32_t lane, std::uint32_t bytes) {
  const TextureShape shape = texture_shape(operation.variant);
  const TextureDescription& texture = *image.texture;
  check_shape(warp, operation, lane, shape, texture);
  const OperandPlace* const coordinates = warp.lists + operation.target;
  const auto word = [&](std::uint32_t i) {
    return std::int64_t{static_cast<std::int32_t>(warp.read<std::uint32_t>(coordinates[i])[lane])};
  };
  const std::uint32_t first = shape.layered ? 1 : 0;
  const auto row = static_cast<std::int64_t>(texture.width * texture.texel_bytes());
  std::array<std::int64_t, 3> at = {word(first) * (operation.e != 0 ? static_cast<int>(texture.texel_bytes()) : 1), 0,
                                    0};
  for (std::uint32_t i = 1; i < shape.dimensions; ++i) {
    at[i] = word(first + i);
  }
  const std::array<std::int64_t, 3> most = {row - bytes, static_cast<std::int64_t>(texture.rows()) - 1,
                                            static_cast<std::int64_t>(texture.slices()) - 1};
  if (shape.layered) {
    at[2] = word(0);
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] >= 0 && at[i] <= most[i]) {
      continue;
    }
    switch (static_cast<Bounds>(operation.p)) {
      case Bounds::kTrap:
        warp.fault(FaultKind::kIllegalAddress, operation, lane,
                   fmt::format("accesses a surface of {} by {} by {} texels at byte {} of row {} of slice {}",
                               texture.width, texture.rows(), texture.slices(), at[0], at[1], at[2]));
      case Bounds::kClamp:
        at[i] = std::clamp<std::int64_t>(at[i], 0, std::max<std::int64_t>(most[i], 0));
        break;
      case Bounds::kZero:
        return std::nullopt;
    }
  }
  if (at[0] % bytes != 0 || row < bytes) {
    warp.fault(FaultKind::kMisalignedAddress, operation, lane,
               fmt::format("accesses {} bytes at byte {} of a row of a surface", bytes, at[0]));
  }
  return SurfacePlace{static_cast<std::uint64_t>(at[0]), static_cast<std::uint64_t>(at[1]),
                      static_cast<std::uint64_t>(at[2])};
}

// The same in the emulator's memory; null: outside.
std::byte* texel_place(const WarpContext& warp, const Operation& operation, const TexelImage& image, std::uint32_t lane,
                       std::uint32_t bytes) {
  const std::optional<SurfacePlace> place = surface_place(warp, operation, image, lane, bytes);
  if (!place) {
    return nullptr;
  }
  const auto [x, row, slice] = *place;
  const std::uint64_t offset = (slice * image.texture->rows() + row) * image.texture->pitch_bytes + x;
  return const_cast<std::byte*>(image.texels) + offset;  // of device memory, which surfaces may write
}

// --- as bytes ---

// List: coordinates, then registers. operation.offset: first of the registers.
template <bool Loads>
void move_bytes(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  TexelImages images(warp, operation);
  const OperandPlace* const registers = warp.lists + operation.offset;
  const std::uint32_t bytes = operation.bytes;
  for_lanes(lanes, [&](std::uint32_t lane) {
    std::byte* const place = texel_place(warp, operation, images.of(lane), lane, bytes * operation.count);
    for (std::uint32_t i = 0; i < operation.count; ++i) {
      if constexpr (Loads) {
        std::uint64_t value = 0;
        if (place != nullptr) {
          std::memcpy(&value, place + std::size_t{i} * bytes, bytes);
        }
        if (bytes == 8) {
          warp.write<std::uint64_t>(registers[i])[lane] = value;
        } else {
          warp.write<std::uint32_t>(registers[i])[lane] = static_cast<std::uint32_t>(value);
        }
      } else if (place != nullptr) {
        const std::uint64_t value =
            bytes == 8 ? warp.read<std::uint64_t>(registers[i])[lane] : warp.read<std::uint32_t>(registers[i])[lane];
        std::memcpy(place + std::size_t{i} * bytes, &value, bytes);
      }
    }
  });
}

// --- as texels ---

// A half nearest to the float towards 0, the largest one if it is beyond; a number that is none keeps its first bits.
std::uint32_t half_towards_zero(std::uint32_t word) {
  constexpr std::uint32_t kLargest = 0x7bff;
  constexpr std::uint32_t kInfinity = 0x7c00;
  const std::uint32_t sign = word >> 16U & 0x8000U;
  const auto magnitude = std::bit_cast<float>(word & 0x7fffffffU);
  if (std::isnan(magnitude)) {
    return sign | kInfinity | std::max(word >> 13U & 0x3ffU, 1U);
  }
  std::uint32_t bits = to_half<Half>(magnitude).bits;
  if (bits != 0 && to_single(Half{static_cast<std::uint16_t>(bits)}) > magnitude) {
    --bits;
  }
  return sign | std::min(bits, kLargest);
}

// A word in the format of the surface's channel: integers are limited to its range, floats rounded towards 0. Seen on
// an H100.
std::uint32_t channel_of(const TextureDescription& texture, std::uint32_t word) {
  const std::uint32_t bits = texture.channel_bits;
  switch (texture.channel) {
    case TextureDescription::Channel::kFloat:
      return bits == 16 ? half_towards_zero(word) : word;
    case TextureDescription::Channel::kUnsigned:
      return bits < 32 ? std::min(word, (1U << bits) - 1) : word;
    case TextureDescription::Channel::kSigned: {
      const std::int64_t most = (std::int64_t{1} << (bits - 1)) - 1;
      return static_cast<std::uint32_t>(std::clamp<std::int64_t>(static_cast<std::int32_t>(word), -most - 1, most));
    }
  }
  return word;
}

void store_formatted(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  TexelImages images(warp, operation);
  const OperandPlace* const registers = warp.lists + operation.offset;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const TexelImage& image = images.of(lane);
    const TextureDescription& texture = *image.texture;
    std::byte* const place =
        texel_place(warp, operation, image, lane, static_cast<std::uint32_t>(texture.texel_bytes()));
    if (place == nullptr) {
      return;
    }
    const std::uint32_t bytes = texture.channel_bits / 8;
    for (std::uint32_t i = 0; i < texture.channels; ++i) {
      const std::uint32_t word = i < operation.count ? warp.read<std::uint32_t>(registers[i])[lane] : 0;
      const std::uint32_t channel = channel_of(texture, word);
      std::memcpy(place + std::size_t{i} * bytes, &channel, bytes);
    }
  });
}

// --- updates ---

template <class T>
T updated_element(Update how, T old, T value) {
  switch (how) {
    case Update::kAdd:
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) + static_cast<std::make_unsigned_t<T>>(value));
    case Update::kMin:
      return std::min(old, value);
    case Update::kMax:
      return std::max(old, value);
    case Update::kAnd:
      return old & value;
    case Update::kOr:
      return old | value;
  }
  return old;
}

// operation.count: which update; operation.offset: the register's entry in the lists.
template <class T>
void update(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  TexelImages images(warp, operation);
  const auto* const values = warp.read<T>(warp.lists[operation.offset]);
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    std::byte* const place = texel_place(warp, operation, images.of(lane), lane, sizeof(T));
    if (place != nullptr) {
      update_value<T>(place, warp.launch->updates_atomically(), [&](T old) {
        return updated_element(static_cast<Update>(operation.count), old, std::bit_cast<T>(values[lane]));
      });
    }
  }
}

// --- binders ---

void take_bounds(OperationBuilder& b) {
  const Bounds bounds = b.take("trap") ? Bounds::kTrap : b.take("clamp") ? Bounds::kClamp : Bounds::kZero;
  if (bounds == Bounds::kZero && !b.take("zero")) {
    b.fail("expected .trap, .clamp or .zero");
  }
  b.operation.p = static_cast<OperandPlace>(bounds);
}

void take_surface_cache_words(OperationBuilder& b) {
  for (const char* const word : {"ca", "cg", "cs", "cv", "wb", "wt"}) {
    b.take(word);
  }
}

// `surface` and `registers`: numbers of the operands.
void bind_access(OperationBuilder& b, std::size_t surface, std::size_t registers) {
  b.operation.e = 0;
  const bool formatted = !b.take("b") && b.take("p");
  const bool in_texels = b.take("texels");  // of machine code: bytes at a texel
  take_surface_cache_words(b);
  const TextureShape shape = take_texture_shape(b);
  if (shape.of_cube()) {
    b.fail("a cubemap's surface is an array of faces (.a2d)");
  }
  const std::uint32_t count = b.take_vector();
  const DataType type = b.take_type();
  if (bytes_of(type) > 8 || count > 4 || (formatted && bytes_of(type) != 4)) {
    b.fail("texels cannot have this type");
  }
  take_bounds(b);
  const bool loads = registers == 0;
  if (formatted && loads) {
    b.fail("formatted loads are not supported");
  }
  b.operation.effect = Effect::kShared;
  b.operation.bytes = static_cast<std::uint8_t>(bytes_of(type));
  b.operation.count = static_cast<std::uint8_t>(count);
  b.operation.target = bind_texture_operand(b, b.operand(surface), shape, DataType::kB32);
  b.operation.offset =
      loads ? b.destination_list(b.operand(registers), type, count) : b.source_list(b.operand(registers), type, count);
  b.operation.e = formatted || in_texels ? 1 : 0;
  b.operation.addresses = loads ? AddressForm::kSurfaceLoad : AddressForm::kSurfaceStore;
  b.operation.run = loads ? move_bytes<true> : formatted ? store_formatted : move_bytes<false>;
}

void bind_surface_load(OperationBuilder& b) {
  bind_access(b, 1, 0);
}

void bind_surface_store(OperationBuilder& b) {
  bind_access(b, 0, 1);
}

Handler update_handler(OperationBuilder& b, DataType type) {
  switch (type) {
    case DataType::kU32:
    case DataType::kB32:
      return update<std::uint32_t>;
    case DataType::kS32:
      return update<std::int32_t>;
    case DataType::kU64:
    case DataType::kB64:
      return update<std::uint64_t>;
    case DataType::kS64:
      return update<std::int64_t>;
    default:
      b.fail("texels cannot have this type");
  }
}

void bind_update(OperationBuilder& b) {
  constexpr auto kUpdates = std::to_array<std::string_view>({"add", "min", "max", "and", "or"});
  const bool formatted = !b.take("b") && b.take("p");
  const auto* const update = std::ranges::find_if(kUpdates, [&b](std::string_view word) { return b.take(word); });
  if (update == kUpdates.end()) {
    b.fail("expected .add, .min, .max, .and or .or");
  }
  const TextureShape shape = take_texture_shape(b);
  if (shape.of_cube()) {
    b.fail("a cubemap's surface is an array of faces (.a2d)");
  }
  const DataType type = b.take_type();
  take_bounds(b);
  b.operation.effect = Effect::kShared;
  b.operation.count = static_cast<std::uint8_t>(update - kUpdates.begin());
  b.operation.target = bind_texture_operand(b, b.operand(0), shape, DataType::kB32);
  b.operation.offset = b.source_list(b.operand(1), type, 1);
  b.operation.e = formatted ? 1 : 0;
  b.operation.bytes = static_cast<std::uint8_t>(bytes_of(type));
  b.operation.addresses = AddressForm::kSurfaceStore;
  b.operation.run = update_handler(b, type);
}

constexpr auto kSurfaceOperations = std::to_array<OpcodeBinder>({
    {"suld", bind_surface_load},
    {"sured", bind_update},
    {"sust", bind_surface_store},
});

// Of an operation on a surface of texels of that size.
std::uint32_t accessed_bytes(const Operation& operation, std::uint64_t texel_bytes) {
  if (operation.run == store_formatted) {
    return static_cast<std::uint32_t>(texel_bytes);
  }
  const bool moves = operation.run == move_bytes<true> || operation.run == move_bytes<false>;
  return moves ? std::uint32_t{operation.bytes} * operation.count : operation.bytes;
}

}  // namespace

void find_surface_texels(const WarpContext& warp, const Operation& operation, LaneMask lanes,
                         TexelFootprint& footprint) {
  TexelImages images(warp, operation, &footprint);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const TexelImage& image = images.of(lane);
    const std::uint32_t bytes = accessed_bytes(operation, image.texture->texel_bytes());
    if (const auto place = surface_place(warp, operation, image, lane, bytes)) {
      footprint.begin_lane(lane, bytes, *image.texture);
      const auto [x, row, slice] = *place;
      footprint.add(*image.texture, x, row, slice);
    }
  });
}

std::span<const OpcodeBinder> surface_operations() {
  return kSurfaceOperations;
}

}  // namespace warpsim

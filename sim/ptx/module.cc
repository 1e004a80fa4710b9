#include "ptx/module.h"

#include <algorithm>
#include <array>

namespace warpsim::ptx {
namespace {

struct TypeRow {
  DataType type;
  std::string_view name;
  std::uint32_t bytes;
};

constexpr std::array kTypes = {
    TypeRow{DataType::kNone, "", 0},
    TypeRow{DataType::kPredicate, "pred", 1},
    TypeRow{DataType::kB8, "b8", 1},
    TypeRow{DataType::kB16, "b16", 2},
    TypeRow{DataType::kB32, "b32", 4},
    TypeRow{DataType::kB64, "b64", 8},
    TypeRow{DataType::kB128, "b128", 16},
    TypeRow{DataType::kU8, "u8", 1},
    TypeRow{DataType::kU16, "u16", 2},
    TypeRow{DataType::kU32, "u32", 4},
    TypeRow{DataType::kU64, "u64", 8},
    TypeRow{DataType::kS8, "s8", 1},
    TypeRow{DataType::kS16, "s16", 2},
    TypeRow{DataType::kS32, "s32", 4},
    TypeRow{DataType::kS64, "s64", 8},
    TypeRow{DataType::kF16, "f16", 2},
    TypeRow{DataType::kF16x2, "f16x2", 4},
    TypeRow{DataType::kBf16, "bf16", 2},
    TypeRow{DataType::kBf16x2, "bf16x2", 4},
    TypeRow{DataType::kF32, "f32", 4},
    TypeRow{DataType::kF32x2, "f32x2", 8},
    TypeRow{DataType::kF64, "f64", 8},
    TypeRow{DataType::kTextureReference, "texref", 8},
    TypeRow{DataType::kSamplerReference, "samplerref", 8},
    TypeRow{DataType::kSurfaceReference, "surfref", 8},
};

const TypeRow& row_of(DataType type) {
  return kTypes.at(static_cast<std::size_t>(type));
}

}  // namespace

std::uint32_t bytes_of(DataType type) {
  return row_of(type).bytes;
}

std::string_view name_of(DataType type) {
  return row_of(type).name;
}

std::optional<DataType> data_type_of(std::string_view name) {
  const auto* row = std::find_if(kTypes.begin() + 1, kTypes.end(), [&](const TypeRow& r) { return r.name == name; });
  return row == kTypes.end() ? std::nullopt : std::optional(row->type);
}

const Function* Module::find_function(std::string_view name) const {
  for (const Function& function : functions) {
    if (function.name == name) {
      return function.alias_of < 0 ? &function : &functions[static_cast<std::size_t>(function.alias_of)];
    }
  }
  return nullptr;
}

const Variable* Module::find_variable(std::string_view name) const {
  for (const Variable& variable : variables) {
    if (variable.name == name) {
      return &variable;
    }
  }
  return nullptr;
}

}  // namespace warpsim::ptx

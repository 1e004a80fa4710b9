#include "frontend/wtrace/wtrace_address_encoder.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "frontend/wtrace/wtrace_format.h"

namespace warpsim::wtrace {
namespace {

constexpr int kTrialLevel = 3;  // compresses candidates to compare them

std::size_t compressed_size(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kTrialLevel);
  return ZSTD_isError(size) != 0U ? bytes.size() : size;
}

std::uint32_t lane_count(LaneMask mask) {
  return static_cast<std::uint32_t>(std::popcount(mask));
}

// Trailing zero bits that all values share; 0 if all are zero.
std::uint32_t common_shift(Address all_bits) {
  return all_bits == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(all_bits));
}

}  // namespace

void AddressEncoder::add(const WarpInstruction& instruction, const LaneAddresses& addresses, std::uint32_t warp,
                         std::uint64_t serial) {
  columns_[instruction.index].records.push_back(
      {.addresses = addresses, .mask = instruction.active, .warp = warp, .serial = serial, .shape = 0, .origin = 0});
}

void AddressEncoder::find_shapes(Column& column, std::uint32_t width) {
  std::uint32_t last = shapes_.none();
  for (Record& record : column.records) {
    switch (record.addresses.kind) {
      case LaneAddresses::Kind::kNone:
        record.shape = shapes_.none();
        break;
      case LaneAddresses::Kind::kStrided:
        record.shape = shapes_.strided(record.addresses.stride);
        break;
      case LaneAddresses::Kind::kList:
        record.shape = shapes_.lanes(record.mask, record.addresses.list, last, width);
        last = record.shape;
        break;
      case LaneAddresses::Kind::kTexels:
        record.shape = shapes_.texels();
        break;
    }
    shapes_.count_use(record.shape);
  }
}

// A list of offsets that only one access has is smaller as plain numbers.
void AddressEncoder::drop_rare_shapes(Column& column) {
  for (Record& record : column.records) {
    const bool is_list = record.addresses.kind == LaneAddresses::Kind::kList;
    if (is_list && shapes_.uses(record.shape) == 1 && lane_count(record.mask) > 1) {
      shapes_.drop(record.shape);
      record.shape = shapes_.scattered();
      shapes_.count_use(record.shape);
    }
    if (has_origin(record)) {
      const Address base = is_list && record.mask == 0 ? 0 : record.addresses.of_lane(0);
      record.origin = shapes_.origin(record.shape, record.mask, base);
    }
  }
}

void AddressEncoder::code_origins(const Column& column, std::uint32_t warps_per_block,
                                  trace::AddressColumn& out) const {
  const auto first = std::find_if(column.records.begin(), column.records.end(),
                                  [this](const Record& record) { return has_origin(record); });
  if (first == column.records.end()) {
    return;
  }
  out.set_first_origin(first->origin);
  std::size_t best_size = std::numeric_limits<std::size_t>::max();
  std::vector<std::uint64_t> residuals;
  std::string coded;
  for (std::uint32_t rule = 0; rule < kOriginRuleCount; ++rule) {
    OriginPredictor predictor(static_cast<OriginRule>(rule), first->origin, warps_per_block);
    residuals.clear();
    coded.clear();
    std::uint64_t all_bits = 0;
    for (const Record& record : column.records) {
      if (has_origin(record)) {
        residuals.push_back(record.origin - predictor.predict(record.warp, record.serial));
        all_bits |= residuals.back();
        predictor.update(record.origin);
      }
    }
    const std::uint32_t shift = common_shift(all_bits);
    for (const std::uint64_t residual : residuals) {
      put_varint(coded, zigzag(static_cast<std::int64_t>(residual) >> shift));
    }
    const std::size_t size = compressed_size(coded);
    if (size < best_size) {
      best_size = size;
      out.set_predictor(static_cast<trace::OriginPredictor>(rule));
      out.set_origin_shift(shift);
      out.set_origins(coded);
    }
  }
}

void AddressEncoder::code_scattered(const Column& column, trace::AddressColumn& out) const {
  std::vector<Address> values;
  for (const Record& record : column.records) {
    if (record.shape == shapes_.scattered()) {
      for (std::uint32_t i = 0; i < lane_count(record.mask); ++i) {
        values.push_back(record.addresses.of_lane(i));
      }
    }
  }
  if (values.empty()) {
    return;
  }
  const Address base = *std::min_element(values.begin(), values.end());
  Address all_bits = 0;
  for (Address& value : values) {
    value -= base;
    all_bits |= value;
  }
  const std::uint32_t shift = common_shift(all_bits);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(all_bits >> shift));
  const std::uint32_t bytes = std::max<std::uint32_t>(1, (bits + 7) / 8);
  std::string planes(values.size() * bytes, '\0');
  for (std::uint32_t plane = 0; plane < bytes; ++plane) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      planes[plane * values.size() + i] =
          static_cast<char>(static_cast<std::uint8_t>(values[i] >> shift >> (8 * plane)));
    }
  }
  out.set_scatter_base(base);
  out.set_scatter_shift(shift);
  out.set_scatter_bytes(bytes);
  out.set_scatter(std::move(planes));
}

void AddressEncoder::code_texels(const Column& column, trace::AddressColumn& out) {
  std::string coded;
  Address last = 0;
  for (const Record& record : column.records) {
    if (record.addresses.kind != LaneAddresses::Kind::kTexels) {
      continue;
    }
    const TexelAccess access = record.addresses.texels();
    for (const std::uint64_t number :
         {std::uint64_t{access.count}, std::uint64_t{access.texel_bytes}, std::uint64_t{access.filter},
          std::uint64_t{access.group_lanes}, std::uint64_t{access.by_lane}}) {
      put_varint(coded, number);
    }
    for (std::uint32_t i = 0; i < access.count; ++i) {
      put_varint(coded, zigzag(static_cast<std::int64_t>(record.addresses.list[i] - last)));
      last = record.addresses.list[i];
    }
  }
  out.set_texels(std::move(coded));
}

void AddressEncoder::code_column(const Column& column, std::uint32_t warps_per_block, trace::AddressColumn& out) const {
  std::string codes;
  std::uint32_t last = 0;
  for (const Record& record : column.records) {
    const std::uint32_t number = shapes_.number(record.shape);
    put_varint(codes, number == last ? 0 : std::uint64_t{number} + 1);
    last = number;
  }
  out.set_shapes(std::move(codes));
  code_origins(column, warps_per_block, out);
  code_scattered(column, out);
  code_texels(column, out);
}

void AddressEncoder::finish(std::uint32_t warps_per_block, trace::Group& group) {
  for (std::size_t index = 0; index < columns_.size(); ++index) {
    if (columns_[index].exists) {
      const std::uint32_t width = program_.instructions[index].bytes_per_lane;
      find_shapes(columns_[index], width == 0 ? 4 : width);
    }
  }
  for (Column& column : columns_) {
    if (column.exists) {
      drop_rare_shapes(column);
    }
  }
  shapes_.finish();
  group.set_shapes(shapes_.coded());
  for (std::size_t index = 0; index < columns_.size(); ++index) {
    if (columns_[index].exists) {
      trace::AddressColumn& out = *group.add_address_columns();
      out.set_instruction(static_cast<std::uint32_t>(index));
      code_column(columns_[index], warps_per_block, out);
    }
  }
}

}  // namespace warpsim::wtrace

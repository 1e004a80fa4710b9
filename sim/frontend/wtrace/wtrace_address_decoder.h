// Returns the differences between warps on one path: the addresses of one group of the native trace format and the
// masks of guarded instructions, record by record in the order in which the warps of the group executed them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/launch/instruction_source.h"
#include "frontend/wtrace/wtrace_path_decoder.h"
#include "frontend/wtrace/wtrace_predictor.h"
#include "frontend/wtrace/wtrace_stream.h"
#include "wtrace.pb.h"

namespace warpsim::wtrace {

class AddressDecoder {
 public:
  // `group` must outlive the decoder. Throws StreamError, as read() does.
  AddressDecoder(const trace::Group& group, std::uint32_t warps_per_block);

  // Must be called before the first read() of each block: each block has a new pool.
  void begin_block() { ++block_; }
  // Reads the values of a warp that runs `path`, one for each of its patches: masks, and indices of addresses, which
  // are put into `pool`. `warp` is the number in the block, `serial` that in the group.
  void read(const WarpPath& path, std::uint32_t warp, std::uint64_t serial, std::uint32_t* values, AddressPool& pool);
  // Whether all records were used.
  void must_be_empty() const;

 private:
  struct Shape {
    std::uint8_t kind = 0;
    std::int64_t stride = 0;
    std::uint32_t offsets = 0;  // into offsets_
  };
  struct Column {
    Column(const trace::AddressColumn& column, std::uint32_t warps_per_block);

    ByteStream shapes;
    ByteStream origins;
    OriginPredictor predictor;
    std::uint32_t origin_shift;
    Shape shape;  // of the previous record
    // The column's latest list of all lanes with that shape.
    Address list_origin = 0;
    std::uint32_t list_index = 0;
    std::uint32_t list_block = 0;  // none: no list yet
    // Scattered lanes, by plane.
    const std::uint8_t* scatter;
    std::uint64_t scatter_count;
    std::uint64_t scatter_next = 0;
    Address scatter_base;
    std::uint32_t scatter_shift;
    std::uint32_t scatter_bytes;
    ByteStream texels;
    Address last_texel = 0;
  };

  // The offsets of all lanes as a list in the pool of the current block.
  struct PooledOffsets {
    std::uint32_t index = 0;
    std::uint32_t block = 0;  // none: no list yet
  };

  void read_shapes(std::string_view bytes);
  std::uint32_t next(Column& column, LaneMask mask, std::uint32_t warp, std::uint64_t serial, AddressPool& pool);
  void change_shape(Column& column, std::uint64_t code) const;
  // Adds the addresses of all lanes to the pool as the column's list.
  void add_list(Column& column, Address origin, AddressPool& pool);
  std::uint32_t next_lanes(std::uint32_t offsets, Address origin, LaneMask mask, AddressPool& pool) const;
  std::uint32_t next_scattered(Column& column, LaneMask mask, AddressPool& pool) const;
  static std::uint32_t next_texels(Column& column, AddressPool& pool);

  std::vector<ByteStream> masks_;  // by mask column
  std::vector<Shape> shapes_;
  std::vector<std::array<Address, kWarpSize>> offsets_;
  std::vector<Column> columns_;
  std::vector<PooledOffsets> pooled_;  // by offsets
  std::uint32_t block_ = 0;
};

}  // namespace warpsim::wtrace

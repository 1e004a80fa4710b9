// Codes the addresses of one group of the native trace format, instruction by instruction: the shape of the lanes,
// lane 0 relative to a prediction, and separate lanes without a shape. Of the codings that the format
// offers it uses the one that compresses best. Format: docs/trace-format.md, sections "Address columns" to "Scattered
// lanes".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/launch/instruction_source.h"
#include "frontend/wtrace/wtrace_predictor.h"
#include "frontend/wtrace/wtrace_shape_table.h"
#include "wtrace.pb.h"

namespace warpsim::wtrace {

class AddressEncoder {
 public:
  explicit AddressEncoder(const StaticProgram& program) : program_(program), columns_(program.instructions.size()) {}

  // Gives the instruction a column. All columns must be declared before the first add().
  void add_column(std::uint32_t instruction) { columns_[instruction].exists = true; }
  bool has_column(std::uint32_t instruction) const { return columns_[instruction].exists; }
  // One execution of an instruction with a column; `addresses` must stay valid until finish(). `warp` is the number in
  // the block, `serial` differs between any two warps.
  void add(const WarpInstruction& instruction, const LaneAddresses& addresses, std::uint32_t warp,
           std::uint64_t serial);
  // Writes the shape table and the address columns of the group.
  void finish(std::uint32_t warps_per_block, trace::Group& group);

 private:
  struct Record {
    LaneAddresses addresses;
    LaneMask mask = 0;
    std::uint32_t warp = 0;
    std::uint64_t serial = 0;
    std::uint32_t shape = 0;
    Address origin = 0;
  };
  struct Column {
    std::vector<Record> records;
    bool exists = false;
  };

  void find_shapes(Column& column, std::uint32_t width);
  void drop_rare_shapes(Column& column);
  void code_column(const Column& column, std::uint32_t warps_per_block, trace::AddressColumn& out) const;
  void code_origins(const Column& column, std::uint32_t warps_per_block, trace::AddressColumn& out) const;
  void code_scattered(const Column& column, trace::AddressColumn& out) const;
  static void code_texels(const Column& column, trace::AddressColumn& out);
  bool has_origin(const Record& record) const {
    return record.shape != shapes_.none() && record.shape != shapes_.scattered() && record.shape != shapes_.texels();
  }

  const StaticProgram& program_;
  std::vector<Column> columns_;  // by instruction
  ShapeTable shapes_;
};

}  // namespace warpsim::wtrace

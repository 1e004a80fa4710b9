// Asynchronous instructions that move more than registers: bulk copies, copies of tensors, stores and updates in other
// blocks' shared memory. All complete at once; the mbarrier or group that they report to is updated at once.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/execution/warp_context.h"
#include "emulator/memory/tensor_rows.h"
#include "emulator/operations/operation_builder.h"

namespace warpsim {

// cp.async.bulk, cp.reduce.async.bulk.
void bind_bulk_copy(OperationBuilder& builder, bool reduces);
// cp.async.bulk.tensor, cp.reduce.async.bulk.tensor.
void bind_tensor_copy(OperationBuilder& builder, bool reduces);
// st.async, st.bulk, red.async.
void bind_asynchronous_store(OperationBuilder& builder);
void bind_bulk_store(OperationBuilder& builder);
void bind_asynchronous_reduction(OperationBuilder& builder);

// The lanes that copy. PTX copies for each thread; in machine code a copy is an instruction of the uniform datapath,
// which a warp executes once.
inline LaneMask copying_lanes(const WarpContext& warp, LaneMask lanes) {
  return warp.code->has_convergence_barriers ? lanes & (~lanes + 1) : lanes;
}

// Where the box of a lane's tensor copy is in global memory: contiguous pieces, without what is outside of the tensor.
// Throws KernelFault, as the copy would.
struct TensorPieces {
  std::uint32_t box_bytes = 0;
  std::vector<BoxRows::Piece> pieces;
};
TensorPieces tensor_pieces(WarpContext& warp, const Operation& operation, std::uint32_t lane);

// Reports the arrival of so many bytes to an mbarrier. `barrier`: its address in .shared::cluster.
void complete_bytes(WarpContext& warp, const Operation& operation, std::uint32_t lane, Address barrier,
                    std::uint32_t bytes);

}  // namespace warpsim

// Several copies by one call: cudaMemcpyBatchAsync, cudaMemcpy3DBatchAsync and the driver's functions of these names.
//
// Modelled: the copies of a batch one after another in their stream, which CUDA allows; sources of the host that are
// read during the call. All copies are checked before the first one is made. Hints have no effect. Evidence: CUDA
// runtime API, "Memory Management".
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/context.h"

namespace warpsim::cuda {

namespace abi {

struct CopyAttributes {
  int source_order;  // 1: of the stream, 2: during the call, 3: any
  MemoryLocation source_hint;
  MemoryLocation target_hint;
  unsigned flags;
};
struct CopyOperand {
  int type;  // 1: a pointer, 2: an array
  union {
    struct {
      void* data;
      std::size_t row_elements;  // 0: as the copy
      std::size_t slice_rows;    // the same
      MemoryLocation hint;
    } pointer;
    struct {
      ArrayHandle array;
      Position offset;
    } array;
  };
};
struct CopyOfBatch {
  CopyOperand source;
  CopyOperand target;
  Extent extent;  // in elements
  int source_order;
  unsigned flags;
};

}  // namespace abi

// As the program gives them: `count` copies, and attributes from some of them on.
struct CopyBatch {
  void* const* targets = nullptr;
  const void* const* sources = nullptr;
  const std::size_t* bytes = nullptr;
  std::size_t count = 0;
  const abi::CopyAttributes* attributes = nullptr;
  const std::size_t* first_copies = nullptr;
  std::size_t attribute_count = 0;
};
// Fail with kInvalidValue. `failed`, which may be null, gets the number of the copy that is wrong, or the largest
// number if it is none of them.
void copy_batch(Context& context, const CopyBatch& batch, StreamHandle stream, std::size_t* failed = nullptr);
struct BoxBatch {
  const abi::CopyOfBatch* copies = nullptr;
  std::size_t count = 0;
  unsigned long long flags = 0;
};
void copy_boxes(Context& context, const BoxBatch& batch, StreamHandle stream, std::size_t* failed = nullptr);

}  // namespace warpsim::cuda

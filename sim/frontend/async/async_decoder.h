// Asynchronous instructions of a recorded block, with the barriers, byte counts and phases that constant propagation
// through the program yields. A trace records none of them.
//
// Separate from each other: the properties of an instruction (here), the sizes of copies (copy_sizes.h), the addresses
// of tensors (tile_addresses.h), the instructions that are only a waiting loop (wait_loops.h).
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/async/async_operation.h"
#include "frontend/values/warp_values.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

// A copy whose size or address is not known yet.
struct AsyncCopyRecord {
  std::uint32_t operation = 0;    // in BlockTrace::operations
  std::uint32_t instruction = 0;  // static
  bool by_descriptor = false;     // a tensor copy: box and address come from a descriptor in memory
  bool known_size = false;
  SymbolicValue source;                    // low word of the descriptor's address, or of the global address
  std::uint32_t source_high = 0;           // upper word where it is constant
  std::vector<SymbolicValue> coordinates;  // tensors
};

struct AsyncBlock {
  std::uint32_t rank = 0;  // in its cluster
  std::uint64_t cluster = 0;
  std::vector<AsyncCopyRecord> copies;
  std::uint32_t unknown_operations = 0;  // whose barrier or size could not be followed
  std::uint32_t contradictions = 0;      // recorded accesses to shared memory that contradict followed values
};

class AsyncDecoder {
 public:
  AsyncDecoder(const KernelLaunch& launch, const ScalarProgram& program);
  // Fills trace.operations and the instructions' references to them.
  AsyncBlock decode(BlockTrace& trace);

 private:
  enum class Opcode : std::uint8_t {
    kOther,
    kInitialise,
    kArrive,
    kCheck,
    kRemoteStore,
    kTensorIn,
    kTensorOut,
    kTensorReduce,
    kBulkIn,
    kBulkOut,
    kBulkReduce,
    kCommit,
    kIgnored,
  };
  struct Shape {
    Opcode opcode = Opcode::kOther;
    std::uint8_t dimensions = 0;
    bool multicast = false;
    bool counts_arrivals = false;  // ARRIVE: the register holds a number of arrivals
    bool counts_bytes = false;     // ARRIVE: the register holds expected bytes
    bool arrives = false;
  };
  static Shape shape_of(std::string_view opcode);
  bool contradicts(const WarpInstruction& record, const BlockTrace& trace) const;
  void decode_instruction(WarpInstruction& record, BlockTrace& trace, AsyncBlock& block);
  void decode_initialise(const ScalarInstruction& instruction, BlockTrace& trace, AsyncBlock& block);
  void decode_lanes(const WarpInstruction& record, const Shape& shape, BlockTrace& trace, AsyncBlock& block);
  void decode_copy(const WarpInstruction& record, const Shape& shape, BlockTrace& trace, AsyncBlock& block);
  bool parity_of(const SymbolicValue& data, std::uint32_t barrier) const;
  bool place(AsyncOperation& operation, const SymbolicValue& address, AsyncBlock& block) const;

  const KernelLaunch* launch_;
  const ScalarProgram* program_;
  WarpValues values_;
  std::vector<Shape> shapes_;
  // By barrier: instructions with which the current warp has arrived there.
  std::map<std::uint32_t, std::uint32_t> arrivals_;
};

}  // namespace warpsim

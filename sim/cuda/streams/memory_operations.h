// Operations of the driver on values in memory that streams wait for and write: cuStreamWaitValue, cuStreamWriteValue,
// batches of them, and the same as nodes of graphs.
//
// Modelled: the conditions, on memory of the device and pinned memory of the host; a wait holds its stream until the
// value is right, written by a kernel, a copy, another stream or the host. Barriers have no effect: memory is
// in order here. Refused by name: flushes of remote writes, which no GPU announces here; and, where all work is done
// when it is requested, waits for values that are not there yet. Evidence: CUDA driver API, "Stream Memory Operations".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cuda/abi/memory_operation_abi.h"
#include "cuda/context.h"

namespace warpsim::cuda {

// The first version of the functions has a flag that the second one lacks, and no barriers.
enum class MemoryOperationApi : std::uint8_t { kFirst, kSecond };

// Fails with kInvalidValue, or with kNotSupported for flushes.
void check_batch(Context& context, std::span<const abi::MemoryOperation> operations, unsigned flags,
                 MemoryOperationApi api = MemoryOperationApi::kSecond);
// Puts the operations into the stream, one after another, or makes a node of them if it is captured.
void put_batch(Context& context, StreamHandle stream, std::span<const abi::MemoryOperation> operations, unsigned flags,
               MemoryOperationApi api = MemoryOperationApi::kSecond);

// One operation of the device: waits until it may pass, then has its effect. Either may be empty.
struct MemoryStep {
  std::function<bool()> passes = {};
  std::function<void()> effect = {};
};
std::vector<MemoryStep> steps_of(Device& device, std::span<const abi::MemoryOperation> operations);

// The operations of a node's parameters, checked.
std::vector<abi::MemoryOperation> batch_of(Context& context, const abi::BatchNodeParameters& parameters);

}  // namespace warpsim::cuda

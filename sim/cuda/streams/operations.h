// What a program can put into a stream, as data: it is performed at once, or later as a node of a graph.
#pragma once

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "cuda/context.h"
#include "cuda/memory/boxes.h"
#include "cuda/streams/memory_operations.h"
#include "device/work.h"

namespace warpsim::cuda {

struct LaunchOperation {
  Kernel* kernel = nullptr;
  Launch launch;                      // without the parameters and the place
  std::vector<std::byte> parameters;  // parameter_bytes of the kernel
};
struct CopyOperation {
  Box target;
  Box source;
  BoxSize size;
};
struct FillOperation {
  Box target;
  Fill fill;
  BoxSize size;
};
struct HostOperation {
  std::function<void()> function;
  void (*plain)(void*) = nullptr;  // as the program gave it; null: a callback of a stream, which graphs do not take
  void* data = nullptr;
};
// An event; `timed`: it takes its time.
struct MarkerOperation {
  bool timed = true;
};
// Takes no time; the function, if there is one, is called in the order of the device.
struct InstantOperation {
  std::function<void()> effect = {};
};
// Waits for values in memory and writes of them, one after another; at least one.
struct BatchOperation {
  std::vector<abi::MemoryOperation> operations;
};
using Operation = std::variant<LaunchOperation, CopyOperation, FillOperation, HostOperation, MarkerOperation,
                               InstantOperation, BatchOperation>;

// Gives it to the device. Throws CallError, also for a failure that the device has found meanwhile.
WorkHandle perform(Context& context, const Operation& operation, WorkPlace place);

}  // namespace warpsim::cuda

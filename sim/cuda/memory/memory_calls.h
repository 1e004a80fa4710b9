// Allocations, copies and fills as CUDA defines them, on the memory of device and host.
//
// Copies and fills are work of a stream. Pointers determine the memory (one address space); the kind of a copy is
// checked against them. Pageable memory is read when an asynchronous copy is requested, and the host waits for a copy
// to it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/context.h"
#include "cuda/memory/boxes.h"
#include "cuda/streams/operations.h"

namespace warpsim::cuda {

class MemoryPool;

enum class CopyKind : int { kHostToHost = 0, kHostToDevice, kDeviceToHost, kDeviceToDevice, kDefault };
CopyKind copy_kind(int kind);  // fails with kInvalidCopyDirection

enum class Side : std::uint8_t { kHost, kDevice, kEither };

// All fail with kInvalidValue for ranges outside of allocations.
Box linear_box(Context& context, const void* data, std::size_t bytes, Side side);
struct Layout {
  std::size_t pitch = 0;
  std::size_t rows = 0;  // of a slice
};
Box pitched_box(Context& context, const void* data, Layout layout, const BoxSize& size, Side side);
Box array_box(Context& context, ArrayHandle array, const abi::Position& position_bytes, const BoxSize& size);

// Bytes of a variable that the host knows by an address of its own.
std::byte* symbol_bytes(Context& context, const void* symbol, std::size_t offset, std::size_t bytes);

// How a copy is requested.
struct CopyOrder {
  StreamHandle stream = nullptr;
  bool async = false;  // otherwise the host waits for copies between its memory and the device's
};
void copy_box(Context& context, const Box& target, const Box& source, const BoxSize& size, const CopyOrder& order);
struct Copy {
  void* target = nullptr;
  const void* source = nullptr;
  std::size_t bytes = 0;
  CopyKind kind = CopyKind::kDefault;
};
void copy(Context& context, const Copy& copy, const CopyOrder& order);
struct Copy2d {
  void* target = nullptr;
  std::size_t target_pitch = 0;
  const void* source = nullptr;
  std::size_t source_pitch = 0;
  std::size_t width = 0;
  std::size_t height = 0;
  CopyKind kind = CopyKind::kDefault;
};
void copy_2d(Context& context, const Copy2d& copy, const CopyOrder& order);
void copy_3d(Context& context, const abi::Memcpy3d& copy, const CopyOrder& order);
// The boxes of a copy, also of an empty one. Fails as the copy would.
CopyOperation copy_operation(Context& context, const abi::Memcpy3d& copy);
// Bytes of an array in linear order, from an offset on.
Box array_line(Context& context, ArrayHandle array, std::size_t offset, std::size_t bytes);

// Rows of `elements.width` elements.
struct FillArea {
  void* data = nullptr;
  std::size_t pitch = 0;
  BoxSize elements;
};
void fill(Context& context, const FillArea& area, const Fill& value, StreamHandle stream);

void* allocate(Context& context, std::size_t bytes, std::size_t alignment = 1);
// The same where captures do not forbid it.
void* take_memory(Context& context, Device& device, std::size_t bytes, std::size_t alignment = 1);
void* allocate_managed(Context& context, std::size_t bytes);
struct Pitched {
  void* data = nullptr;
  std::size_t pitch = 0;
};
Pitched allocate_pitched(Context& context, std::size_t width, std::size_t rows);
// What is freed may be in use until all work is done.
void wait_for_all(Context& context);
// The host waits for all work first.
void release(Context& context, void* data);
// For the work of a stream. In a captured stream both are nodes of the graph.
// `pool`: that the memory is from; null: the current one of the stream's device.
void* allocate_in_order(Context& context, std::size_t bytes, StreamHandle stream, MemoryPool* pool = nullptr);
// When the work before it in the stream is done.
void release_in_order(Context& context, void* data, StreamHandle stream);
// An array without memory; fails for formats and extents that do not exist.
Array described_array(const abi::ChannelFormat& format, const abi::Extent& extent, unsigned flags);
ArrayHandle allocate_array(Context& context, const abi::ChannelFormat& format, const abi::Extent& extent,
                           unsigned flags);

enum class PointerKind : int { kUnknown = 0, kHost = 1, kDevice = 2, kManaged = 3 };
struct PointerInfo {
  PointerKind kind = PointerKind::kUnknown;
  Address begin = 0;
  std::uint64_t bytes = 0;
  std::uint32_t gpu = 0;
};
PointerInfo pointer_info(Context& context, const void* data);

inline void* to_pointer(Address address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): one address space
}
inline Address to_address(const void* pointer) {
  return reinterpret_cast<Address>(pointer);
}

}  // namespace warpsim::cuda

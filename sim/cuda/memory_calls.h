// Allocations, copies and fills as CUDA defines them, on the memory of device and host.
//
// Bytes move at once; copies between host and device advance the device's clock. Pointers determine the memory (one
// address space); the kind of a copy is checked against them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/context.h"

namespace warpsim::cuda {

enum class CopyKind : int { kHostToHost = 0, kHostToDevice, kDeviceToHost, kDeviceToDevice, kDefault };
CopyKind copy_kind(int kind);  // fails with kInvalidCopyDirection

// The beginning of a box of bytes and the pitches of its rows and slices.
struct Box {
  std::byte* data = nullptr;
  Address address = 0;  // as the program knows it
  std::size_t pitch = 0;
  std::size_t slice = 0;
  bool on_device = false;
};
struct BoxSize {
  std::size_t width = 0;  // bytes
  std::size_t height = 1;
  std::size_t depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};
enum class Side : std::uint8_t { kHost, kDevice, kEither };

// All fail with kInvalidValue for ranges outside of allocations.
Box linear_box(Context& context, const void* data, std::size_t bytes, Side side);
struct Layout {
  std::size_t pitch = 0;
  std::size_t rows = 0;  // of a slice
};
Box pitched_box(Context& context, const void* data, Layout layout, const BoxSize& size, Side side);
Box array_box(Context& context, ArrayHandle array, const abi::Position& position_bytes, const BoxSize& size);
void copy_box(Context& context, const Box& target, const Box& source, const BoxSize& size);

void copy(Context& context, void* target, const void* source, std::size_t bytes, CopyKind kind);
struct Copy2d {
  void* target = nullptr;
  std::size_t target_pitch = 0;
  const void* source = nullptr;
  std::size_t source_pitch = 0;
  std::size_t width = 0;
  std::size_t height = 0;
  CopyKind kind = CopyKind::kDefault;
};
void copy_2d(Context& context, const Copy2d& copy);
void copy_3d(Context& context, const abi::Memcpy3d& copy);
// Bytes of an array in linear order, from an offset on.
Box array_line(Context& context, ArrayHandle array, std::size_t offset, std::size_t bytes);

struct Fill {
  std::uint32_t value = 0;
  std::size_t element_bytes = 1;  // 1, 2 or 4
};
// `width` in elements.
void fill(Context& context, void* data, std::size_t pitch, const Fill& fill, const BoxSize& elements);

void* allocate(Context& context, std::size_t bytes, std::size_t alignment = 1);
void* allocate_managed(Context& context, std::size_t bytes);
struct Pitched {
  void* data = nullptr;
  std::size_t pitch = 0;
};
Pitched allocate_pitched(Context& context, std::size_t width, std::size_t rows);
void release(Context& context, void* data);
// An array without memory; fails for formats and extents that do not exist.
Array described_array(const abi::ChannelFormat& format, const abi::Extent& extent, unsigned flags);
ArrayHandle allocate_array(Context& context, const abi::ChannelFormat& format, const abi::Extent& extent,
                           unsigned flags);

void* allocate_host(Context& context, std::size_t bytes, unsigned flags);
void release_host(Context& context, void* data);
void register_host(Context& context, void* data, std::size_t bytes, unsigned flags);
void unregister_host(Context& context, void* data);
// The block of pinned memory that contains the byte; fails with kInvalidValue.
const std::pair<const std::uint64_t, Context::HostMemory>& host_block(Context& context, const void* data);

enum class PointerKind : int { kUnknown = 0, kHost = 1, kDevice = 2, kManaged = 3 };
struct PointerInfo {
  PointerKind kind = PointerKind::kUnknown;
  Address begin = 0;
  std::uint64_t bytes = 0;
};
PointerInfo pointer_info(Context& context, const void* data);

inline void* to_pointer(Address address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): one address space
}
inline Address to_address(const void* pointer) {
  return reinterpret_cast<Address>(pointer);
}

}  // namespace warpsim::cuda

// Mipmapped arrays of the runtime and the driver: levels that share an allocation, each an array of its own.
#include <algorithm>
#include <bit>

#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/textures.h"
#include "cuda/runtime/runtime_api.h"

namespace warpsim::cuda {

namespace {

constexpr unsigned kLayers = 0x01 | 0x04;  // depth counts layers or faces

// The extent of a level; dimensions that are not there remain 0.
abi::Extent extent_of_level(const abi::Extent& first, unsigned level, unsigned flags) {
  const auto half = [level](std::size_t size) { return size == 0 ? 0 : std::max<std::size_t>(size >> level, 1); };
  return {half(first.width), half(first.height), (flags & kLayers) != 0 ? first.depth : half(first.depth)};
}

unsigned most_levels(const abi::Extent& extent, unsigned flags) {
  const std::size_t longest =
      std::max({extent.width, extent.height, (flags & kLayers) != 0 ? std::size_t{0} : extent.depth});
  return static_cast<unsigned>(std::bit_width(longest));
}

ArrayHandle allocate_mipmapped(Context& context, const abi::ChannelFormat& format, const abi::Extent& extent,
                               unsigned levels, unsigned flags) {
  if (levels == 0) {
    throw CallError(kInvalidValue);
  }
  levels = std::min(levels, most_levels(extent, flags));
  std::vector<Array> arrays;
  std::size_t bytes = 0;
  for (unsigned level = 0; level < levels; ++level) {
    constexpr std::size_t kAlignment = 512;
    Array array = described_array(format, extent_of_level(extent, level, flags), flags);
    array.data = bytes;
    bytes += (array.bytes() + kAlignment - 1) / kAlignment * kAlignment;
    arrays.push_back(array);
  }
  const Address data = to_address(allocate(context, bytes));
  std::vector<ArrayHandle> smaller;
  for (unsigned level = 1; level < levels; ++level) {
    arrays[level].data += data;
    arrays[level].is_level = true;
    smaller.push_back(context.add_array(arrays[level]));
  }
  arrays.front().data = data;
  arrays.front().is_mipmapped = true;
  arrays.front().smaller = smaller;
  return context.add_array(arrays.front());
}

Array& mipmapped(Context& context, ArrayHandle handle) {
  Array& array = context.array(handle);
  if (!array.is_mipmapped) {
    throw CallError(kInvalidHandle);
  }
  return array;
}

void free_mipmapped(Context& context, ArrayHandle handle) {
  for (const ArrayHandle level : mipmapped(context, handle).smaller) {
    context.free_array(level);
  }
  context.free_array(handle);
}

// The handle of the first level is that of the whole.
ArrayHandle level_of(Context& context, ArrayHandle handle, unsigned level) {
  const Array& array = mipmapped(context, handle);
  if (level > array.smaller.size()) {
    throw CallError(kInvalidValue);
  }
  return level == 0 ? handle : array.smaller[level - 1];
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaMallocMipmappedArray(ArrayHandle* array, const abi::ChannelFormat* format, abi::Extent extent, unsigned levels,
                             unsigned flags) {
  return runtime_call(
      [&](Context& context) { result(array) = allocate_mipmapped(context, result(format), extent, levels, flags); });
}

int cudaGetMipmappedArrayLevel(ArrayHandle* level_array, ArrayHandle array, unsigned level) {
  return runtime_call([&](Context& context) { result(level_array) = level_of(context, array, level); });
}

int cudaFreeMipmappedArray(ArrayHandle array) {
  return runtime_call([&](Context& context) {
    if (array != nullptr) {
      free_mipmapped(context, array);
    }
  });
}

int cuMipmappedArrayCreate(ArrayHandle* array, const abi::Array3dDescriptor* descriptor, unsigned levels) {
  return context_call([&](Context& context) {
    const abi::Array3dDescriptor& d = result(descriptor);
    result(array) =
        allocate_mipmapped(context, format_of(d.format, d.channels), {d.width, d.height, d.depth}, levels, d.flags);
  });
}

int cuMipmappedArrayGetLevel(ArrayHandle* level_array, ArrayHandle array, unsigned level) {
  return driver_call([&](Context& context) { result(level_array) = level_of(context, array, level); });
}

int cuMipmappedArrayDestroy(ArrayHandle array) {
  return driver_call([&](Context& context) { free_mipmapped(context, array); });
}

// The binary interface of CUDA's runtime and driver libraries: the structures that programs pass, in the layouts of
// the toolkits 11 to 13. Sizes and offsets are compared with an installed toolkit
// (tests/unit/cuda/abi/abi_oracle_test.cc).
//
// Enumerations are plain ints here, handles are pointers to the types of handles.h. Fields have the toolkits' meaning;
// their names are this project's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsim::cuda {

using StreamHandle = struct Stream*;
using EventHandle = struct Event*;
using ArrayHandle = struct Array*;
using KernelHandle = struct Kernel*;
using ModuleHandle = struct Module*;  // NOLINT(bugprone-forward-declaration-namespace): handles.h defines it

namespace abi {

// cudaMemLocation: where memory is.
struct MemoryLocation {
  static constexpr int kDevice = 1;
  static constexpr int kHost = 2;
  static constexpr int kHostNuma = 3;
  static constexpr int kHostNumaCurrent = 4;

  int type;
  int id;
};

struct Dim3 {
  unsigned x;
  unsigned y;
  unsigned z;
};
struct ChannelFormat {
  int bits[4];
  int kind;  // 0 signed, 1 unsigned, 2 float, 3 none
};
struct PitchedPointer {
  void* data;
  std::size_t pitch;
  std::size_t width;
  std::size_t height;
};
struct Extent {
  std::size_t width;
  std::size_t height;
  std::size_t depth;
};
struct Position {
  std::size_t x;
  std::size_t y;
  std::size_t z;
};
struct Memcpy3d {
  ArrayHandle source_array;
  Position source_position;
  PitchedPointer source;
  ArrayHandle target_array;
  Position target_position;
  PitchedPointer target;
  Extent extent;
  int kind;
};
struct Memcpy3dPeer {
  ArrayHandle source_array;
  Position source_position;
  PitchedPointer source;
  int source_device;
  ArrayHandle target_array;
  Position target_position;
  PitchedPointer target;
  int target_device;
  Extent extent;
};
// The driver's copy; the two-dimensional one is a part of it, see driver_copies.cc.
struct DriverMemcpy2d {
  std::size_t source_x;
  std::size_t source_y;
  int source_type;
  const void* source_host;
  std::uint64_t source_device;
  ArrayHandle source_array;
  std::size_t source_pitch;
  std::size_t target_x;
  std::size_t target_y;
  int target_type;
  void* target_host;
  std::uint64_t target_device;
  ArrayHandle target_array;
  std::size_t target_pitch;
  std::size_t width;
  std::size_t height;
};
struct DriverMemcpy3d {
  std::size_t source_x;
  std::size_t source_y;
  std::size_t source_z;
  std::size_t source_lod;
  int source_type;
  const void* source_host;
  std::uint64_t source_device;
  ArrayHandle source_array;
  void* reserved0;
  std::size_t source_pitch;
  std::size_t source_height;
  std::size_t target_x;
  std::size_t target_y;
  std::size_t target_z;
  std::size_t target_lod;
  int target_type;
  void* target_host;
  std::uint64_t target_device;
  ArrayHandle target_array;
  void* reserved1;
  std::size_t target_pitch;
  std::size_t target_height;
  std::size_t width;
  std::size_t height;
  std::size_t depth;
};
struct ArrayDescriptor {
  std::size_t width;
  std::size_t height;
  int format;
  unsigned channels;
};
struct Array3dDescriptor {
  std::size_t width;
  std::size_t height;
  std::size_t depth;
  int format;
  unsigned channels;
  unsigned flags;
};

struct ResourceDescription {
  int type;  // 0 array, 1 mipmapped array, 2 linear, 3 pitched
  union {
    ArrayHandle array;
    struct {
      void* data;
      ChannelFormat format;
      std::size_t bytes;
    } linear;
    struct {
      void* data;
      ChannelFormat format;
      std::size_t width;
      std::size_t height;
      std::size_t pitch;
    } pitched;
    int reserved[32];
  } resource;
  unsigned flags;
};
struct TextureDescription {
  int address_mode[3];
  int filter_mode;
  int read_mode;
  int srgb;
  float border[4];
  int normalized_coordinates;
  unsigned anisotropy;
  int mipmap_filter_mode;
  float mipmap_bias;
  float mipmap_least;
  float mipmap_most;
  int no_trilinear_optimization;
  int seamless_cubemap;
};
// For the toolkits up to 11, whose programs have one for each texture.
struct TextureReference {
  int normalized_coordinates;
  int filter_mode;
  int address_mode[3];
  ChannelFormat format;
  int srgb;
  unsigned anisotropy;
  int mipmap_filter_mode;
  float mipmap_bias;
  float mipmap_least;
  float mipmap_most;
  int no_trilinear_optimization;
  int reserved[14];
};
struct DriverResourceDescription {
  int type;
  union {
    ArrayHandle array;
    struct {
      std::uint64_t data;
      int format;
      unsigned channels;
      std::size_t bytes;
    } linear;
    struct {
      std::uint64_t data;
      int format;
      unsigned channels;
      std::size_t width;
      std::size_t height;
      std::size_t pitch;
    } pitched;
    int reserved[32];
  } resource;
  unsigned flags;
};
struct DriverTextureDescription {
  int address_mode[3];
  int filter_mode;
  unsigned flags;
  unsigned anisotropy;
  int mipmap_filter_mode;
  float mipmap_bias;
  float mipmap_least;
  float mipmap_most;
  float border[4];
  int reserved[12];
};

struct PointerAttributes {
  int type;
  int device;
  void* device_pointer;
  void* host_pointer;
};
// Those of the toolkits before 12 end before the cluster.
struct FunctionAttributes {
  std::size_t shared_bytes;
  std::size_t constant_bytes;
  std::size_t local_bytes;
  int most_threads;
  int registers;
  int ptx_version;
  int binary_version;
  int cache_mode;
  int most_dynamic_shared_bytes;
  int carveout;
  int cluster_must_be_set;
  int cluster_width;
  int cluster_height;
  int cluster_depth;
  int cluster_policy;
  int larger_cluster_allowed;
  int reserved[16];
};
struct AccessWindow {
  void* begin;
  std::size_t bytes;
  float hit_ratio;
  int hit_property;
  int miss_property;
};
struct LaunchAttribute {
  int id;
  int padding;
  union {
    char bytes[64];
    int integer;
    Dim3 dimensions;
    AccessWindow window;
    struct {
      EventHandle event;
      int flags;
      int trigger_at_block_start;  // of programmatic events
    } event;
    struct {
      int wanted;
      void* node;  // a result
    } changeable;
  } value;
};
struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  std::size_t dynamic_shared_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};
struct DriverLaunchConfig {
  Dim3 grid;
  Dim3 block;
  unsigned dynamic_shared_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const std::byte* container;
  void* prelinked;
};
struct Uuid {
  char bytes[16];
};

}  // namespace abi
}  // namespace warpsim::cuda

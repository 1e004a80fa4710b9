// The objects of CUDA's handles: streams, events, arrays, kernels and modules. The context owns all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda/abi/abi.h"
#include "cuda/code/fat_binary.h"
#include "cuda/device/device.h"
#include "cuda/memory/free_order.h"
#include "memory/access/access_window.h"

namespace warpsim::cuda {

// Handles of default streams, which have no object; null is one as well. Source: cuda.h, CU_STREAM_LEGACY and
// CU_STREAM_PER_THREAD.
inline constexpr std::uintptr_t kLegacyStream = 1;
inline constexpr std::uintptr_t kThreadStream = 2;

struct CapturingStream;
struct CapturedEvent;
class SharedEvent;

struct Stream {
  std::uint32_t gpu = 0;
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t number = 0;                             // 0: the default stream of its GPU
  std::shared_ptr<CapturingStream> capturing = {};      // null: never captured
  AccessWindow window = {};                             // of its launches
  std::map<int, abi::LaunchAttribute> attributes = {};  // that the program has set, by number
};

struct Event {
  std::uint32_t gpu = 0;
  unsigned flags = 0;
  bool recorded = false;
  WorkHandle work = {};                                // null: over since the beginning
  Dependence::Edge edge = Dependence::Edge::kStream;   // how kernels wait for it
  std::shared_ptr<const CapturedEvent> captured = {};  // of the last record, if its stream was captured
  std::shared_ptr<SharedEvent> shared = {};            // of several processes (ipc_events.h); null: of this one
  std::uint64_t own_record = 0;                        // of `shared`, that `work` belongs to
  std::shared_ptr<const FreeOrder::Point> frees = {};  // of pools' memory, before the last record

  static constexpr unsigned kDisableTiming = 0x02;
  static constexpr unsigned kInterprocess = 0x04;
  bool takes_time() const { return (flags & kDisableTiming) == 0; }
  void record(WorkHandle by, Dependence::Edge how = Dependence::Edge::kStream) {
    recorded = true;
    edge = how;
    work = std::move(by);
    captured = nullptr;
  }
  // Other processes may have recorded it.
  void share(std::shared_ptr<SharedEvent> content) {
    shared = std::move(content);
    recorded = true;
  }
  // As it was created, for a record in a captured stream.
  void forget_record() {
    record(nullptr);
    recorded = shared != nullptr;
  }
};

// Rows of texels in device memory, without gaps; layers and faces count as depth.
struct Array {
  Address data = 0;
  abi::ChannelFormat format = {};
  abi::Extent extent = {};  // as requested: 0 for dimensions that are not there
  unsigned flags = 0;
  std::size_t texel_bytes = 0;
  // Of a mipmapped array this is the first level, with the others; they are in its allocation.
  bool is_mipmapped = false;
  bool is_level = false;
  std::vector<struct Array*> smaller;

  std::size_t pitch() const { return extent.width * texel_bytes; }
  std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  std::size_t bytes() const { return pitch() * rows() * slices(); }
};

// A kernel by its name in the program; it is loaded to a GPU at its first use there.
struct Kernel {
  // What belongs to one GPU.
  struct OnGpu {
    KernelId id = 0;  // 0: not looked up yet
    std::uint32_t dynamic_shared_limit = 0;
    int carveout = -1;
    Dim3 required_cluster = {0, 0, 0};
    bool larger_cluster = false;
  };
  Module* module = nullptr;
  std::string name;
  std::map<std::uint32_t, OnGpu> on = {};  // by GPU
};

// Code of the program, loaded to a GPU at the first use of an item in it there.
struct Module {
  struct OnGpu {
    ModuleId id = 0;                                     // 0: not loaded
    std::map<std::string, VariableInfo> variables = {};  // found so far
  };
  std::string file;                     // for messages
  std::string image;                    // PTX text or a cubin, if it was given as one
  std::vector<std::string> texts;       // or several, to be linked
  std::string container;                // or a copy of a fat binary
  const std::byte* embedded = nullptr;  // or where one is in the program
  // For relocatable code (-rdc=true): the fat binaries of its units, which contain their PTX.
  std::vector<const std::byte*> units;
  std::map<std::uint32_t, OnGpu> on = {};        // by GPU
  std::weak_ptr<ManagedVariables> managed = {};  // of all GPUs; those that have loaded the code own them
  std::map<std::string, std::unique_ptr<Kernel>> kernels;
};

// A texture or surface variable of a module (.texref, .surfref) and its binding. The variable holds the number of the
// object that the binding created.
struct TextureReference {
  Module* module = nullptr;
  std::string name;
  bool of_surface = false;
  abi::ResourceDescription resource = {};
  abi::TextureDescription texture = {};
  abi::ChannelFormat format = {};  // of linear and pitched memory, if the program set one
  std::uint64_t object = 0;        // 0: nothing is bound
};

// An input of a link: machine code, PTX, or both.
struct LinkUnit {
  std::string name;  // for messages
  std::string cubin = {};
  std::string ptx = {};
};

// Code that is being linked: cuLinkCreate and related functions.
struct LinkState {
  std::vector<LinkUnit> units;
  std::vector<LinkUnit> members;  // of libraries, linked if something in them is needed
  std::string image;
};

}  // namespace warpsim::cuda

// Memory of a pool that processes share: a file without a name, in which each block has a place.
//
// Modelled: a pool is exported by a descriptor, and a block of it by its place, which an importing process maps. The
// address of a block differs from process to process. The file is as large as the pool can become; its pages cost
// nothing until they are written. After them it has a record of what it is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "cuda/abi/virtual_memory_abi.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/shared_pages.h"

namespace warpsim::cuda {

class SharedPool {
 public:
  struct Block {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };

  // Throws std::bad_alloc. `bytes`: of all blocks.
  static std::shared_ptr<SharedPool> create(std::uint64_t bytes, std::uint32_t gpu);
  // Of this or another process; the descriptor remains the caller's. Null if it is of something else.
  static std::shared_ptr<SharedPool> import(int descriptor);

  std::uint32_t gpu() const { return gpu_; }
  // A new descriptor, which is not inherited by programs that are started; -1 if there cannot be more.
  int share() const;
  // What another process needs to know to map a block, and what this process gets; nothing: it is of another pool.
  abi::PoolPointer describe(const Block& block) const;
  std::optional<Block> described(const abi::PoolPointer& pointer) const;

  // The block becomes memory of the GPU. 0 if there is no place for it. `open_to`: as of DeviceMemory.
  Address open(DeviceMemory& memory, const Block& block, std::uint32_t open_to) const;
  static void close(DeviceMemory& memory, Address begin);
  // The pages that only this block has are given back.
  void clear(const Block& block) const;

 private:
  struct Record;
  struct Pointer;
  SharedPool(SharedPages pages, std::uint64_t bytes, std::uint32_t gpu);

  SharedPages pages_;
  std::uint64_t bytes_;
  std::uint32_t gpu_;
  std::pair<std::uint64_t, std::uint64_t> identity_;  // the same in all processes
};

}  // namespace warpsim::cuda

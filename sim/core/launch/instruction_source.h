// The source of a warp's instructions. The SM requests the next executed instruction of a warp, and the source returns
// only instructions that cannot change any more: the core must not look further. A recorded trace is one source; a
// machine that executes at issue, whose branches and atomics depend on timing, is another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/lane_addresses.h"
#include "base/types.h"
#include "core/async/async_operation.h"
#include "isa/static_instruction.h"
#include "memory/access/access_window.h"

namespace warpsim {

// One executed instruction of one warp. 16 bytes: traces keep millions of them.
struct WarpInstruction {
  std::uint32_t index = 0;                 // into StaticProgram::instructions
  LaneMask active = 0;                     // lanes that execute: active mask and guard predicate; 0 when predicated off
  std::uint32_t addresses = kNoAddresses;  // into the block's AddressPool
  std::uint32_t operation = 0;             // number of its asynchronous operation in the block, from 1; 0: none known
  static constexpr std::uint32_t kNoAddresses = 0xffffffffU;
};

// Addresses of a block's memory instructions, packed one after another.
// Entry: word 0 = kind (bit 63: list, bit 62: texels, bit 61: moved list) and, for lists, the number of addresses in
// the low bits, for moved ones the index of the list; strided: word 1 = base, word 2 = stride; list: the addresses
// follow; moved list: word 1 = what is added to each address of a list of the pool; texels: word 1 = the access, then
// its addresses. Most lists of a kernel are equal but for where they begin, and then take two words instead of 33.
class AddressPool {
 public:
  // These return the index of the entry.
  std::uint32_t add_strided(Address base, std::int64_t stride) {
    const std::uint32_t index = used_;
    std::uint64_t* const entry = append(3);
    entry[0] = 0;
    entry[1] = base;
    entry[2] = static_cast<std::uint64_t>(stride);
    return index;
  }
  std::uint32_t add_list(const Address* addresses, std::uint32_t count) {
    const std::uint32_t index = used_;
    std::uint64_t* const entry = append(count + std::size_t{1});
    entry[0] = kListFlag | count;
    std::copy_n(addresses, count, entry + 1);
    return index;
  }
  // The addresses of a list, each increased by `base`. `list`: what add_list() has returned.
  std::uint32_t add_moved(Address base, std::uint32_t list) {
    const std::uint32_t index = used_;
    std::uint64_t* const entry = append(2);
    entry[0] = kMovedFlag | list;
    entry[1] = base;
    return index;
  }
  std::uint32_t add_texels(const TexelAccess& access, const Address* addresses) {
    const std::uint32_t index = used_;
    std::uint64_t* const entry = append(access.count + std::size_t{2});
    entry[0] = kTexelFlag;
    entry[1] = static_cast<std::uint64_t>(LaneAddresses::packed(access));
    std::copy_n(addresses, access.count, entry + 2);
    return index;
  }
  LaneAddresses at(std::uint32_t index) const;
  std::size_t size() const { return used_; }
  // Keeps the memory for the next block.
  void clear() { used_ = 0; }
  // The packed entries, to store and restore a block; `words` must come from words().
  std::span<const std::uint64_t> words() const { return {words_.data(), used_}; }
  void assign(std::vector<std::uint64_t> words);

 private:
  static constexpr std::uint64_t kListFlag = std::uint64_t{1} << 63U;
  static constexpr std::uint64_t kTexelFlag = std::uint64_t{1} << 62U;
  static constexpr std::uint64_t kMovedFlag = std::uint64_t{1} << 61U;

  // Space for so many words at the end. Inline: the trace readers add an entry for every memory instruction.
  std::uint64_t* append(std::size_t count) {
    if (words_.size() - used_ < count) [[unlikely]] {
      grow(count);
    }
    std::uint64_t* const begin = words_.data() + used_;
    used_ += static_cast<std::uint32_t>(count);
    return begin;
  }
  void grow(std::size_t count);

  std::vector<std::uint64_t> words_;  // free beyond used_
  std::uint32_t used_ = 0;
};

// The instructions of one warp that are already known: [next, end). When it is empty, the SM asks the source to
// refill it, at the issue of the last instruction that it held; a source puts in only instructions that cannot change
// any more. It may leave a stream empty and unfinished after an instruction that waits at a barrier: the SM asks again
// when the barrier releases the warp, and, if it still waits then, from time to time; until a cycle that
// BlockSource::known_at() states; and until grids that the block has launched are over, which the machine is told.
struct WarpStream {
  const WarpInstruction* next = nullptr;
  const WarpInstruction* end = nullptr;
  std::uint32_t warp = 0;  // index in the block
  bool finished = false;   // set by the source: no instruction follows `end`
};

// One resident thread block.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  virtual std::uint32_t warp_count() const = 0;
  // Refills an empty stream, or marks it finished. `now` is the core cycle: an executing source may read clocks.
  virtual void refill(WarpStream& stream, Cycle now) = 0;
  // Of a stream that was left empty and unfinished: the cycle at which refill() will continue it. 0: not known, since
  // the warp waits at a barrier. kNever: when grids are over that the block has launched.
  virtual Cycle known_at(const WarpStream& /*stream*/) const { return 0; }
  virtual LaneAddresses addresses(const WarpInstruction& instruction) const = 0;
  // Of an instruction with `operation` != 0: its entries, up to the one marked as last. Valid as long as the
  // block.
  virtual const AsyncOperation* operations(const WarpInstruction& /*instruction*/) const { return nullptr; }
};

// The requirements of a launch, as the driver would pass them to the GPU.
struct KernelLaunch {
  std::uint32_t launch_index = 0;  // from 0, over the whole workload
  std::string kernel;              // name as recorded (mangled)
  std::string code = "trace";      // what the instructions come from: trace, PTX, machine code
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;  // static and dynamic, without the driver's reserve
  std::uint32_t local_bytes_per_thread = 0;
  std::uint32_t gpu = 0;  // of the machine
  std::uint64_t stream = 0;
  AccessWindow window = {};  // lines that L2 keeps longer or replaces first
  Address shared_base = 0;   // generic windows; 0 if not recorded
  Address local_base = 0;
  std::shared_ptr<const StaticProgram> program;

  std::uint32_t threads_per_block() const { return static_cast<std::uint32_t>(block.count()); }
  std::uint32_t warps_per_block() const { return (threads_per_block() + kWarpSize - 1) / kWarpSize; }
};

// Provides the blocks of one kernel, each once, in any order; linear index = x + grid.x * (y + grid.y * z).
class KernelSource {
 public:
  virtual ~KernelSource() = default;
  virtual const KernelLaunch& launch() const = 0;
  // `sm`: the SM that the block starts on. The source outlives its blocks.
  virtual std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) = 0;
  // How far blocks on different SMs are independent of each other.
  enum class Concurrency : std::uint8_t {
    kOrdered,    // they affect each other: SMs must execute them in the order of cycles
    kOneThread,  // they do not, but share what one thread at a time may use
    kExchanged,  // they affect each other only when the SMs have stopped, by exchange()
    kFree,       // SMs on different threads may start and execute them at the same time
  };
  virtual Concurrency concurrency() const { return Concurrency::kOrdered; }
  // For kExchanged: a machine that lets SMs run apart sets the interval before the first block; it then calls
  // exchange() whenever all SMs have executed all cycles before a multiple of so many core cycles and none after it,
  // and when the launch has ended.
  virtual void set_exchange_interval(Cycle /*cycles*/) {}
  virtual void exchange(Cycle /*now*/) {}
  // When the launch has ended: everything takes effect.
  virtual void end_exchange(Cycle now) { exchange(now); }
  // After set_exchange_interval(), where the machine has memory that is far away: core cycles from an SM to the memory
  // of an address, after which effects arrive there; 0 for memory of the GPU. SMs on different threads call it.
  virtual void set_delay(const std::function<Cycle(Address)>& /*delay*/) {}
};

struct CopyToDevice {
  Address destination = 0;
  std::uint64_t bytes = 0;
};

using Command = std::variant<CopyToDevice, std::unique_ptr<KernelSource>>;

// The commands of the host to the device, in program order.
class CommandSource {
 public:
  virtual ~CommandSource() = default;
  virtual std::optional<Command> next() = 0;
};

}  // namespace warpsim

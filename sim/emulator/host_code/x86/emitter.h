// Emits the host's instructions for operations of a warp, for hosts with AVX-512.
//
// The registers of a warp stay where handlers have them; each result is also stored there at once, so that translated
// code may end before any operation. A chunk, 64 bytes of them (16 lanes of 32 bits, or 8 of 64), is kept in a vector
// register of the host until that is needed for another one. Vector registers that hold a chunk never change: a new
// value of the chunk gets another register. Nothing is kept across calls and from block to block.
//
// While an operation is emitted: r8d its lanes, k1 to k4 those of its chunks. Fixed in all translated code: rbx
// registers, rbp the end of the constants, r12 HostRun, r13 HostRun::left, r14 HostRun::threads.
#pragma once

#include <xbyak/xbyak.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "emulator/code/function_code.h"
#include "emulator/operations/operation.h"

namespace warpsim {

// Which lanes are on the path when the code executes: all 32, or any.
enum class HostLanes : std::uint8_t { kAll, kAny };

class HostEmitter : public Xbyak::CodeGenerator {
 public:
  using Vector = Xbyak::Zmm;
  using Mask = Xbyak::Opmask;
  static constexpr std::size_t kChunkBytes = 64;

  // Windows are numbered from `first_window` on.
  HostEmitter(const FunctionCode& function, HostLanes lanes, std::uint32_t first_window);

  // --- blocks ---
  void begin_block() { kept_.clear(); }
  // The operation that is emitted next, how many of the block are before it, and how many of these all lanes of the
  // path execute.
  void set_position(std::uint32_t number, std::uint32_t before, std::uint32_t plain) {
    number_ = number;
    before_ = before;
    plain_before_ = plain;
  }
  // Before and after the code of an operation.
  void begin_operation();
  void end_operation();
  // Puts the lanes that execute an operation with a guard, once or uniformly into r8d.
  void load_lanes(const Operation& operation);
  const Operation& operation() const { return *operation_; }
  const OperandPlace* list() const { return function_.lists.data() + operation_->target; }
  // Whether it may execute for less than all 32 lanes; then r8d has them.
  bool is_masked() const { return masked_; }
  // A label: the translated code ends before the operation.
  Xbyak::Label& exit_here();

  // --- operands ---
  // A chunk of an operand, counted from its place.
  Vector read(OperandPlace place, unsigned chunk);
  // A register that is free until the end of the operation.
  Vector fresh();
  // Frees such a register earlier.
  void release(const Vector& vector) { pinned_ &= ~(std::uint32_t{1} << static_cast<unsigned>(vector.getIdx())); }
  // The new value of a chunk of a destination whose lanes have so many bytes; `value` does not change later.
  void write(OperandPlace place, unsigned chunk, const Vector& value, unsigned lane_bytes = 4);
  // The operation's lanes of a chunk. Only if is_masked().
  Mask lanes_of(unsigned chunk, unsigned lane_bytes);
  // Those of a chunk, or all if it is not masked, for an instruction that clears its mask.
  void set_lanes(const Mask& mask, unsigned chunk, unsigned lane_bytes);
  // Sets the registers of lanes_of() now, before code that is not always executed.
  void prepare_lanes() {
    if (masked_) {
      lanes_of(0, 4);
    }
  }
  Xbyak::Address memory_of(OperandPlace place, unsigned chunk = 0);
  // A constant of the code, for operands that are the same in all lanes.
  Xbyak::Address constant(std::uint64_t bits, unsigned bytes);
  Xbyak::Address constant_double(double value);
  Xbyak::Address constant_word(std::uint32_t bits);  // the same for instructions that read one word
  Xbyak::Address constant_wide(std::uint64_t bits);  // or one of 64 bits
  Xbyak::Address constant_chunk(const std::array<std::uint32_t, 16>& words);
  // The value of an operand that is a constant.
  std::uint32_t constant_value(OperandPlace place) const;
  // Puts a predicate into a register of the host, complemented if it is negated; into eax, ecx or edx.
  void read_predicate(const Xbyak::Reg32& into, OperandPlace place, bool negated);
  // Sets the operation's lanes of a predicate from a register of the host, which changes; ecx is used.
  void write_predicate(OperandPlace place, const Xbyak::Reg32& value);
  // Puts the bits of k3 and k4 (16 lanes each), or k3 to k6 (8 lanes each), into eax.
  void join_masks(unsigned chunks);

  // --- calls ---
  // Executes the operation by its handler.
  void call_handler();
  // The jump to a slow path, which executes the operation by its handler and continues after the operation. What is
  // kept then is read again. `window`: number of the operation's window, of global memory; negative: none.
  Xbyak::Label& slow_path(std::int32_t window = -1);

  // --- after the last block ---
  // Emits exits, slow paths and constants.
  void finish(const Xbyak::Label& epilogue);

  std::uint32_t add_window() { return windows_++; }
  // Puts the address of the window into a register of the host.
  void load_window(const Xbyak::Reg64& into, std::int32_t window);
  std::uint32_t windows() const { return windows_; }
  // Adds to r14 what so many plain operations count.
  void count_plain(std::uint32_t operations);

 private:
  static constexpr unsigned kVectors = 32;

  struct Kept {
    std::int64_t chunk = 0;  // byte offset; constants are negative
    unsigned vector = 0;
  };
  struct Exit {
    Xbyak::Label label;
    std::uint32_t at = 0;
    std::uint32_t before = 0;
    std::uint32_t plain = 0;
  };
  struct SlowPath {
    Xbyak::Label label;
    Xbyak::Label back;
    const Operation* operation = nullptr;
    bool masked = false;
    std::int32_t window = -1;
    std::vector<Kept> kept;  // after the operation
    std::size_t exit = 0;    // if it throws
  };

  unsigned take_vector();
  void keep(std::int64_t chunk, unsigned vector);
  // Calls the handler for the lanes in r8d, or for all; not if there is none.
  void emit_call(const Operation& operation, bool masked, std::int32_t window, std::size_t exit);
  static Xbyak::Address in_registers(std::int64_t offset);
  std::size_t add_exit();

  const FunctionCode& function_;
  HostLanes lanes_;
  const Operation* operation_ = nullptr;
  std::uint32_t number_ = 0;
  std::uint32_t before_ = 0;
  std::uint32_t plain_before_ = 0;
  bool masked_ = false;
  unsigned masks_bytes_ = 0;  // bytes per lane for which k1 to k4 are set; 0: they are not
  bool has_open_slow_path_ = false;
  std::map<std::int64_t, unsigned> kept_;          // chunk: vector
  std::array<std::uint64_t, kVectors> used_at_{};  // of each vector; for the choice of the oldest
  std::uint32_t pinned_ = 0;                       // bit i: vector i is used by the operation
  std::uint64_t clock_ = 0;
  unsigned latest_vector_ = 0;  // that was taken
  std::deque<Exit> exits_;
  std::deque<SlowPath> slow_paths_;
  std::map<std::pair<std::uint64_t, unsigned>, Xbyak::Label> constants_;
  std::map<std::array<std::uint32_t, 16>, Xbyak::Label> chunks_;
  std::uint32_t windows_;
};

}  // namespace warpsim

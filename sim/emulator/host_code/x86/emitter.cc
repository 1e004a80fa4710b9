#include "emulator/host_code/x86/emitter.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"
#include "emulator/host_code/host_run.h"

namespace warpsim {

namespace {

constexpr std::size_t kFirstBytes = std::size_t{64} << 10U;

// A chunk of an operand; those of constants are negative, also the last one of the last constant.
std::int64_t offset_of(OperandPlace place, unsigned chunk) {
  return std::int64_t{place} + static_cast<std::int64_t>(chunk * HostEmitter::kChunkBytes);
}

template <class Function>
std::uint64_t address_of(Function* function) {
  return reinterpret_cast<std::uint64_t>(function);
}

}  // namespace

HostEmitter::HostEmitter(const FunctionCode& function, HostLanes lanes, std::uint32_t first_window)
    : Xbyak::CodeGenerator(kFirstBytes, Xbyak::AutoGrow), function_(function), lanes_(lanes), windows_(first_window) {
  setDefaultJmpNEAR(true);
}

// --- what is kept ---

unsigned HostEmitter::take_vector() {
  std::uint32_t busy = pinned_;
  for (const auto& [chunk, vector] : kept_) {
    busy |= std::uint32_t{1} << vector;
  }
  // In turn, so that code of any length uses them all.
  unsigned chosen = kVectors;
  for (unsigned distance = 1; distance <= kVectors; ++distance) {
    const unsigned i = (latest_vector_ + distance) % kVectors;
    if ((busy >> i & 1U) == 0) {
      chosen = i;
      break;
    }
    if ((pinned_ >> i & 1U) == 0 && (chosen == kVectors || used_at_[i] < used_at_[chosen])) {
      chosen = i;
    }
  }
  latest_vector_ = chosen;
  SIM_CHECK(chosen < kVectors, "an operation uses more vector registers than there are");
  std::erase_if(kept_, [=](const auto& entry) { return entry.second == chosen; });
  pinned_ |= std::uint32_t{1} << chosen;
  used_at_[chosen] = ++clock_;
  return chosen;
}

void HostEmitter::keep(std::int64_t chunk, unsigned vector) {
  kept_[chunk] = vector;
  used_at_[vector] = ++clock_;
}

HostEmitter::Vector HostEmitter::read(OperandPlace place, unsigned chunk) {
  const std::int64_t key = offset_of(place, chunk);
  if (const auto found = kept_.find(key); found != kept_.end()) {
    pinned_ |= std::uint32_t{1} << found->second;
    used_at_[found->second] = ++clock_;
    return Vector(static_cast<int>(found->second));
  }
  const unsigned vector = take_vector();
  vmovdqu32(Vector(static_cast<int>(vector)), memory_of(place, chunk));
  keep(key, vector);
  return Vector(static_cast<int>(vector));
}

HostEmitter::Vector HostEmitter::fresh() {
  return Vector(static_cast<int>(take_vector()));
}

void HostEmitter::write(OperandPlace place, unsigned chunk, const Vector& value, unsigned lane_bytes) {
  Vector result = value;
  if (masked_) {
    const Vector old = read(place, chunk);
    result = fresh();
    if (lane_bytes == 8) {
      vpblendmq(result | lanes_of(chunk, lane_bytes), old, value);
    } else {
      vpblendmd(result | lanes_of(chunk, lane_bytes), old, value);
    }
    release(old);
  }
  vmovdqu32(memory_of(place, chunk), result);
  keep(offset_of(place, chunk), static_cast<unsigned>(result.getIdx()));
}

HostEmitter::Mask HostEmitter::lanes_of(unsigned chunk, unsigned lane_bytes) {
  if (masks_bytes_ != lane_bytes) {
    masks_bytes_ = lane_bytes;
    const auto lanes_in_chunk = static_cast<std::uint8_t>(kChunkBytes / lane_bytes);
    kmovd(k1, r8d);
    for (int i = 1; i < static_cast<int>(kWarpSize / lanes_in_chunk); ++i) {
      kshiftrd(Mask(i + 1), k1, static_cast<std::uint8_t>(i * lanes_in_chunk));
    }
  }
  return Mask(static_cast<int>(chunk) + 1);
}

void HostEmitter::set_lanes(const Mask& mask, unsigned chunk, unsigned lane_bytes) {
  if (masked_) {
    kmovq(mask, lanes_of(chunk, lane_bytes));
  } else {
    kxnorw(mask, mask, mask);
  }
}

Xbyak::Address HostEmitter::in_registers(std::int64_t offset) {
  const auto distance = static_cast<std::size_t>(offset);
  return offset >= 0 ? Xbyak::util::ptr[Xbyak::util::rbx + distance] : Xbyak::util::ptr[Xbyak::util::rbp + distance];
}

Xbyak::Address HostEmitter::memory_of(OperandPlace place, unsigned chunk) {
  return in_registers(offset_of(place, chunk));
}

Xbyak::Address HostEmitter::constant(std::uint64_t bits, unsigned bytes) {
  return ptr_b[rip + constants_[{bits, bytes}]];
}

Xbyak::Address HostEmitter::constant_double(double value) {
  return constant(std::bit_cast<std::uint64_t>(value), sizeof value);
}

Xbyak::Address HostEmitter::constant_word(std::uint32_t bits) {
  return dword[rip + constants_[{bits, sizeof bits}]];
}

Xbyak::Address HostEmitter::constant_wide(std::uint64_t bits) {
  return qword[rip + constants_[{bits, sizeof bits}]];
}

std::uint32_t HostEmitter::constant_value(OperandPlace place) const {
  std::uint32_t value = 0;  // of the first lane, as of all
  std::memcpy(&value, function_.constants_end() + place, sizeof value);
  return value;
}

Xbyak::Address HostEmitter::constant_chunk(const std::array<std::uint32_t, 16>& words) {
  return ptr[rip + chunks_[words]];
}

// --- predicates ---

void HostEmitter::read_predicate(const Xbyak::Reg32& into, OperandPlace place, bool negated) {
  mov(into, dword[(place >= 0 ? rbx : rbp) + static_cast<std::size_t>(std::int64_t{place})]);
  if (negated) {
    not_(into);
  }
}

void HostEmitter::write_predicate(OperandPlace place, const Xbyak::Reg32& value) {
  const auto memory = dword[rbx + static_cast<std::size_t>(std::int64_t{place})];
  if (masked_) {
    mov(ecx, memory);
    xor_(value, ecx);
    and_(value, r8d);
    xor_(value, ecx);
  }
  mov(memory, value);
}

void HostEmitter::join_masks(unsigned chunks) {
  if (chunks == 4) {
    kunpckbw(k3, k4, k3);
    kunpckbw(k5, k6, k5);
    kunpckwd(k3, k5, k3);
  } else {
    kunpckwd(k3, k4, k3);
  }
  kmovd(eax, k3);
}

// --- operations ---

void HostEmitter::begin_operation() {
  operation_ = &function_.operations[number_];
  pinned_ = 0;
  masks_bytes_ = 0;
  has_open_slow_path_ = false;
  const Operation& operation = *operation_;
  masked_ = operation.guard != kNoPlace || operation.once || lanes_ == HostLanes::kAny;
  if (masked_) {
    load_lanes(operation);
  }
  if (operation.plain) {
    return;
  }
  if (masked_) {
    popcnt(eax, r8d);
    add(r14, rax);
  } else {
    add(r14, kWarpSize);
  }
}

void HostEmitter::load_lanes(const Operation& operation) {
  const bool any = lanes_ == HostLanes::kAny;
  const auto on_path = dword[r12 + (operation.uniform ? offsetof(HostRun, present) : offsetof(HostRun, lanes))];
  if (operation.guard != kNoPlace) {
    read_predicate(r8d, operation.guard, operation.guard_negated);
    if (any) {
      and_(r8d, on_path);
    }
  } else if (any) {
    mov(r8d, on_path);
  } else {
    mov(r8d, kAllLanes);
  }
  if (operation.once) {
    blsi(r8d, r8d);
  }
}

void HostEmitter::end_operation() {
  if (has_open_slow_path_) {
    SlowPath& slow = slow_paths_.back();
    for (const auto& [chunk, vector] : kept_) {
      slow.kept.push_back({chunk, vector});
    }
    L(slow.back);
  }
}

void HostEmitter::count_plain(std::uint32_t operations) {
  if (operations == 0) {
    return;
  }
  if (lanes_ == HostLanes::kAll) {
    add(r14, operations * kWarpSize);
  } else {
    imul(rax, qword[r12 + offsetof(HostRun, lane_count)], static_cast<int>(operations));
    add(r14, rax);
  }
}

// --- exits and calls ---

std::size_t HostEmitter::add_exit() {
  Exit& exit = exits_.emplace_back();
  exit.at = number_;
  exit.before = before_;
  exit.plain = plain_before_;
  return exits_.size() - 1;
}

Xbyak::Label& HostEmitter::exit_here() {
  return exits_[add_exit()].label;
}

void HostEmitter::load_window(const Xbyak::Reg64& into, std::int32_t window) {
  mov(into, qword[r12 + offsetof(HostRun, windows)]);
  add(into, static_cast<std::uint32_t>(window) * std::uint32_t{sizeof(HostWindow)});
}

void HostEmitter::emit_call(const Operation& operation, bool masked, std::int32_t window, std::size_t exit) {
  Xbyak::Label no_lanes;
  if (masked) {
    test(r8d, r8d);
    jz(no_lanes);
    mov(edx, r8d);
  } else {
    mov(edx, kAllLanes);
  }
  vzeroupper();
  mov(rdi, r12);
  mov(rsi, address_of(&operation));
  if (window >= 0) {
    load_window(rcx, window);
    mov(rax, address_of(execute_access));
  } else {
    mov(rax, address_of(execute_operation));
  }
  call(rax);
  test(al, al);
  jz(exits_[exit].label);
  L(no_lanes);
}

void HostEmitter::call_handler() {
  emit_call(*operation_, masked_, -1, add_exit());
  kept_.clear();
}

Xbyak::Label& HostEmitter::slow_path(std::int32_t window) {
  if (!has_open_slow_path_) {
    has_open_slow_path_ = true;
    const std::size_t exit = add_exit();
    SlowPath& slow = slow_paths_.emplace_back();
    slow.operation = operation_;
    slow.masked = masked_;
    slow.window = window;
    slow.exit = exit;
  }
  return slow_paths_.back().label;
}

void HostEmitter::finish(const Xbyak::Label& epilogue) {
  for (SlowPath& slow : slow_paths_) {
    L(slow.label);
    emit_call(*slow.operation, slow.masked, slow.window, slow.exit);
    for (const Kept& kept : slow.kept) {
      vmovdqu32(Vector(static_cast<int>(kept.vector)), in_registers(kept.chunk));
    }
    jmp(slow.back);
  }
  for (Exit& exit : exits_) {
    L(exit.label);
    sub(r13, exit.before);
    count_plain(exit.plain);
    mov(eax, exit.at);
    jmp(epilogue);
  }
  align(kChunkBytes);
  for (auto& [words, label] : chunks_) {
    L(label);
    for (const std::uint32_t word : words) {
      dd(word);
    }
  }
  for (auto& [value, label] : constants_) {
    L(label);
    if (value.second == 8) {
      dq(value.first);
    } else {
      dd(static_cast<std::uint32_t>(value.first));
    }
  }
}

}  // namespace warpsim

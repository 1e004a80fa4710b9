// The host's instructions for each form (operations/host_form.h). Each function emits the emitter's operation and
// returns true, or emits nothing and returns false if it has no instructions for it.
#pragma once

#include "emulator/host_code/x86/emitter.h"
#include "emulator/numbers/float_rounding.h"

namespace warpsim {

bool emit_integer(HostEmitter& e);
bool emit_carry(HostEmitter& e);
bool emit_bits(HostEmitter& e);
bool emit_float(HostEmitter& e);
bool emit_double(HostEmitter& e);
bool emit_predicate(HostEmitter& e);
bool emit_halves(HostEmitter& e);
bool emit_special_function(HostEmitter& e);
bool emit_memory(HostEmitter& e);
bool emit_narrow_memory(HostEmitter& e);
bool emit_shuffle(HostEmitter& e);

inline bool emit_form(HostEmitter& e) {
  return emit_integer(e) || emit_carry(e) || emit_bits(e) || emit_float(e) || emit_double(e) || emit_halves(e) ||
         emit_special_function(e) || emit_predicate(e) || emit_memory(e) || emit_narrow_memory(e) || emit_shuffle(e);
}

// Bytes of a lane of a register of 32 bits, and of one of 64.
inline constexpr unsigned kWordBytes = 4;
inline constexpr unsigned kWideBytes = 8;
// Registers of 32 bits have two chunks, those of 64 bits four.
inline constexpr unsigned kWordChunks = 2;
inline constexpr unsigned kWideChunks = 4;
inline constexpr unsigned chunks_of(unsigned lane_bytes) {
  return lane_bytes == kWideBytes ? kWideChunks : kWordChunks;
}

// Chunk by chunk: emit(d, sources...) sets a fresh register from those of the sources, which have the same width.
template <class Emit>
void map_chunks(HostEmitter& e, unsigned chunks, unsigned lane_bytes, OperandPlace a, Emit emit) {
  for (unsigned i = 0; i < chunks; ++i) {
    const auto source = e.read(a, i);
    const auto d = e.fresh();
    emit(d, source);
    e.write(e.operation().d, i, d, lane_bytes);
  }
}
template <class Emit>
void map_chunks(HostEmitter& e, unsigned chunks, unsigned lane_bytes, OperandPlace a, OperandPlace b, Emit emit) {
  for (unsigned i = 0; i < chunks; ++i) {
    const auto first = e.read(a, i);
    const auto second = e.read(b, i);
    const auto d = e.fresh();
    emit(d, first, second);
    e.write(e.operation().d, i, d, lane_bytes);
  }
}

// Of vcmpps and vcmppd.
inline constexpr std::uint8_t kEitherIsNan = 3;

// Makes NaNs the one that single precision produces. Changes k5.
inline void make_canonical(HostEmitter& e, const HostEmitter::Vector& result) {
  e.vcmpps(e.k5, result, result, kEitherIsNan);
  e.vpbroadcastd(result | e.k5, e.constant_word(kSingleNan));
}

}  // namespace warpsim

// Moves, logic and shifts.
#include "emulator/host_code/x86/forms.h"

namespace warpsim {

namespace {

using Vector = HostEmitter::Vector;

// A kept chunk never changes, so that a move needs no instruction but the store.
void move(HostEmitter& e, const Operation& operation, bool wide) {
  for (unsigned i = 0; i < (wide ? kWideChunks : kWordChunks); ++i) {
    e.write(operation.d, i, e.read(operation.a, i), wide ? kWideBytes : kWordBytes);
  }
}

// Words of even and odd lanes of 64 bits: the upper halves of the second source follow those of the first.
std::array<std::uint32_t, 16> every_second(std::uint32_t first) {
  std::array<std::uint32_t, 16> words{};
  for (std::uint32_t i = 0; i < 16; ++i) {
    words[i] = 2 * i + first;
  }
  return words;
}
// Lanes 8 * half to 8 * half + 7: the low word of each, then its high word, from the second table.
std::array<std::uint32_t, 16> interleaved(std::uint32_t half) {
  std::array<std::uint32_t, 16> words{};
  for (std::uint32_t i = 0; i < 16; ++i) {
    words[i] = 8 * half + i / 2 + (i % 2 != 0 ? 16 : 0);
  }
  return words;
}

void pack_words(HostEmitter& e, const Operation& operation) {
  const OperandPlace* const places = e.list();
  for (unsigned i = 0; i < kWideChunks; ++i) {
    const Vector low = e.read(places[0], i / 2);
    const Vector high = e.read(places[1], i / 2);
    const Vector d = e.fresh();
    e.vmovdqa32(d, e.constant_chunk(interleaved(i % 2)));
    e.vpermi2d(d, low, high);
    e.write(operation.d, i, d, kWideBytes);
  }
}

void unpack_words(HostEmitter& e, const Operation& operation) {
  const OperandPlace* const places = e.list();
  for (const unsigned part : {0U, 1U}) {
    for (unsigned i = 0; i < kWordChunks; ++i) {
      const Vector first = e.read(operation.a, 2 * i);
      const Vector second = e.read(operation.a, 2 * i + 1);
      const Vector d = e.fresh();
      e.vmovdqa32(d, e.constant_chunk(every_second(part)));
      e.vpermi2d(d, first, second);
      e.write(places[part], i, d);
    }
  }
}

// The host's instruction has the same tables.
void look_up(HostEmitter& e, const Operation& operation, bool tests) {
  std::array<int, kWordChunks> results{};
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector a = e.read(operation.a, i);
    const Vector b = e.read(operation.b, i);
    const Vector c = e.read(operation.c, i);
    const Vector d = e.fresh();
    e.vmovdqa32(d, a);
    e.vpternlogd(d, b, c, operation.variant);
    e.write(operation.d, i, d);
    results[i] = e.read(operation.d, i).getIdx();
  }
  if (!tests) {
    return;
  }
  e.vptestmd(e.k3, Vector(results[0]), Vector(results[0]));
  e.vptestmd(e.k4, Vector(results[1]), Vector(results[1]));
  e.join_masks(kWordChunks);
  e.read_predicate(e.edx, operation.e, operation.count != 0);
  if (operation.form == HostForm::kLookUpAndTest) {
    e.and_(e.eax, e.edx);
  } else {
    e.or_(e.eax, e.edx);
  }
  e.write_predicate(operation.p, e.eax);
}

// Shifts by a word per lane: the host's also give 0, or the sign, from the width on.
template <class Shift>
void shift_words(HostEmitter& e, const Operation& operation, Shift shift) {
  map_chunks(e, kWordChunks, kWordBytes, operation.a, operation.b, shift);
}
template <class Shift>
void shift_wides(HostEmitter& e, const Operation& operation, Shift shift) {
  for (unsigned i = 0; i < kWideChunks; ++i) {
    const Vector a = e.read(operation.a, i);
    const Vector amounts = e.read(operation.b, i / 2);
    const Vector d = e.fresh();
    const Xbyak::Ymm half(d.getIdx());
    if (i % 2 != 0) {
      e.vextracti64x4(half, amounts, 1);
    }
    e.vpmovzxdq(d, Xbyak::Ymm(i % 2 != 0 ? d.getIdx() : amounts.getIdx()));
    shift(d, a, d);
    e.write(operation.d, i, d, kWideBytes);
  }
}

void funnel(HostEmitter& e, const Operation& operation) {
  constexpr unsigned kBits = 32;
  const auto right = static_cast<std::uint8_t>(operation.offset);
  for (unsigned i = 0; i < kWordChunks; ++i) {
    const Vector a = e.read(operation.a, i);
    const Vector c = e.read(operation.c, i);
    const Vector d = e.fresh();
    const Vector t = e.fresh();
    e.vpsrld(d, a, right);
    e.vpslld(t, c, static_cast<std::uint8_t>(kBits - right));
    e.vpord(d, d, t);
    e.write(operation.d, i, d);
  }
}

// A field that ends in the word: to the upper end and back.
bool extract(HostEmitter& e, const Operation& operation, bool is_signed) {
  constexpr std::uint32_t kBits = 32;
  constexpr std::uint32_t kField = 0xff;  // the bits of its operands that count
  const std::uint32_t position = e.constant_value(operation.b) & kField;
  const std::uint32_t length = e.constant_value(operation.c) & kField;
  if (length == 0 || position + length > kBits) {
    return false;
  }
  map_chunks(e, kWordChunks, kWordBytes, operation.a, [&](const Vector& d, const Vector& a) {
    e.vpslld(d, a, static_cast<std::uint8_t>(kBits - position - length));
    if (is_signed) {
      e.vpsrad(d, d, static_cast<std::uint8_t>(kBits - length));
    } else {
      e.vpsrld(d, d, static_cast<std::uint8_t>(kBits - length));
    }
  });
  return true;
}

// Bytes move within lanes, all lanes alike: byte i of the result is byte (selector >> 4 * i & 7) of {b, a}.
bool permute_bytes(HostEmitter& e, const Operation& operation) {
  constexpr std::uint32_t kSigns = 0x8888;  // of a selector: a byte's sign in all bits
  constexpr std::uint32_t kZero = 0x80;     // of a byte of the host's selector
  const std::uint32_t selector = e.constant_value(operation.c);
  if ((selector & kSigns) != 0) {
    return false;
  }
  std::array<std::array<std::uint32_t, 16>, 2> chosen{};
  std::array<bool, 2> is_used{};
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    for (std::uint32_t i = 0; i < kWordBytes; ++i) {
      const std::uint32_t from = selector >> (4 * i) & 7U;
      for (std::uint32_t source = 0; source < 2; ++source) {
        const bool is_from = from / kWordBytes == source;
        is_used[source] = is_used[source] || is_from;
        const std::uint32_t byte = is_from ? lane % 4 * kWordBytes + from % kWordBytes : kZero;
        chosen[source][lane] |= byte << (8 * i);
      }
    }
  }
  map_chunks(e, kWordChunks, kWordBytes, operation.a, operation.b,
             [&](const Vector& d, const Vector& a, const Vector& b) {
               if (is_used[0]) {
                 e.vpshufb(d, a, e.constant_chunk(chosen[0]));
               }
               const Vector t = is_used[0] ? e.fresh() : d;
               if (is_used[1]) {
                 e.vpshufb(t, b, e.constant_chunk(chosen[1]));
               }
               if (is_used[0] && is_used[1]) {
                 e.vpord(d, d, t);
               }
             });
  return true;
}

}  // namespace

bool emit_bits(HostEmitter& e) {
  const Operation& operation = e.operation();
  const auto amount = static_cast<std::uint8_t>(operation.offset);
  const auto words = [&](auto emit) { map_chunks(e, kWordChunks, kWordBytes, operation.a, operation.b, emit); };
  const auto wides = [&](auto emit) { map_chunks(e, kWideChunks, kWideBytes, operation.a, operation.b, emit); };
  const auto by_constant = [&](auto emit) { map_chunks(e, kWordChunks, kWordBytes, operation.a, emit); };
  constexpr std::uint8_t kComplement = 0x55;  // of the third source
  switch (operation.form) {
    case HostForm::kMove32:
    case HostForm::kMove64:
      move(e, operation, operation.form == HostForm::kMove64);
      return true;
    case HostForm::kPackWords:
      pack_words(e, operation);
      return true;
    case HostForm::kUnpackWords:
      unpack_words(e, operation);
      return true;
    case HostForm::kAnd32:
      words([&](auto d, auto a, auto b) { e.vpandd(d, a, b); });
      return true;
    case HostForm::kAnd64:
      wides([&](auto d, auto a, auto b) { e.vpandd(d, a, b); });
      return true;
    case HostForm::kOr32:
      words([&](auto d, auto a, auto b) { e.vpord(d, a, b); });
      return true;
    case HostForm::kOr64:
      wides([&](auto d, auto a, auto b) { e.vpord(d, a, b); });
      return true;
    case HostForm::kXor32:
      words([&](auto d, auto a, auto b) { e.vpxord(d, a, b); });
      return true;
    case HostForm::kXor64:
      wides([&](auto d, auto a, auto b) { e.vpxord(d, a, b); });
      return true;
    case HostForm::kNot32:
      by_constant([&](auto d, auto a) { e.vpternlogd(d, a, a, kComplement); });
      return true;
    case HostForm::kNot64:
      map_chunks(e, kWideChunks, kWideBytes, operation.a, [&](auto d, auto a) { e.vpternlogd(d, a, a, kComplement); });
      return true;
    case HostForm::kLookUp:
      look_up(e, operation, false);
      return true;
    case HostForm::kLookUpAndTest:
    case HostForm::kLookUpOrTest:
      look_up(e, operation, true);
      return true;
    case HostForm::kShiftLeft32:
      shift_words(e, operation, [&](auto d, auto a, auto b) { e.vpsllvd(d, a, b); });
      return true;
    case HostForm::kShiftRightSigned32:
      shift_words(e, operation, [&](auto d, auto a, auto b) { e.vpsravd(d, a, b); });
      return true;
    case HostForm::kShiftRightUnsigned32:
      shift_words(e, operation, [&](auto d, auto a, auto b) { e.vpsrlvd(d, a, b); });
      return true;
    case HostForm::kShiftLeft64:
      shift_wides(e, operation, [&](auto d, auto a, auto b) { e.vpsllvq(d, a, b); });
      return true;
    case HostForm::kShiftRightSigned64:
      shift_wides(e, operation, [&](auto d, auto a, auto b) { e.vpsravq(d, a, b); });
      return true;
    case HostForm::kShiftRightUnsigned64:
      shift_wides(e, operation, [&](auto d, auto a, auto b) { e.vpsrlvq(d, a, b); });
      return true;
    case HostForm::kShiftLeftBy:
      by_constant([&](auto d, auto a) { e.vpslld(d, a, amount); });
      return true;
    case HostForm::kShiftRightSignedBy:
      by_constant([&](auto d, auto a) { e.vpsrad(d, a, amount); });
      return true;
    case HostForm::kShiftRightUnsignedBy:
      by_constant([&](auto d, auto a) { e.vpsrld(d, a, amount); });
      return true;
    case HostForm::kExtractSigned:
    case HostForm::kExtractUnsigned:
      return extract(e, operation, operation.form == HostForm::kExtractSigned);
    case HostForm::kPermuteBytes:
      return permute_bytes(e, operation);
    case HostForm::kFunnelBy:
      funnel(e, operation);
      return true;
    default:
      return false;
  }
}

}  // namespace warpsim

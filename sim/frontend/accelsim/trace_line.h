// Scans the fields of one line of an Accel-Sim trace. The line must end in a newline character (InputStream guarantees
// it); every field is bounded by blanks or that newline, so no code here counts characters.
//
// A field of another form than expected throws TraceError `<file>:<line>: ...`.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/types.h"
#include "frontend/accelsim/input_stream.h"

namespace warpsim {

// The value of each hexadecimal digit character, 255 for all others.
constexpr std::array<std::uint8_t, 256> make_digit_values() {
  std::array<std::uint8_t, 256> table{};
  table.fill(255);
  for (std::uint8_t i = 0; i < 10; ++i) {
    table[static_cast<std::size_t>('0') + i] = i;
  }
  for (std::uint8_t i = 10; i < 16; ++i) {
    table[static_cast<std::size_t>('a') + i - 10] = i;
    table[static_cast<std::size_t>('A') + i - 10] = i;
  }
  return table;
}
inline constexpr std::array<std::uint8_t, 256> kDigitValues = make_digit_values();

class TraceLine {
 public:
  // A newline follows the line in memory.
  TraceLine(const TextPlace& place, std::string_view line) : place_(place), start_(line.data()), at_(line.data()) {}

  const char* position() const { return at_; }
  void move_to(const char* position) { at_ = position; }

  bool at_end() {
    skip_blanks();
    return *at_ == '\n' || *at_ == '\r';
  }
  bool at_number() {
    skip_blanks();
    return digit(*at_) < 10 || *at_ == '-';
  }

  // Unsigned hexadecimal number, with or without 0x, of at most `digits` digits.
  std::uint64_t hexadecimal(std::uint32_t digits, const char* what) {
    skip_blanks();
    if (at_[0] == '0' && at_[1] == 'x') {
      at_ += 2;
    }
    const char* first = at_;
    std::uint64_t value = 0;
    for (std::uint8_t d = digit(*at_); d < 16; d = digit(*++at_)) {
      value = value << 4U | d;
    }
    check_field(first, digits, what, "a hexadecimal number");
    return value;
  }
  std::uint64_t decimal(std::uint64_t max, const char* what) {
    skip_blanks();
    const char* first = at_;
    std::uint64_t value = 0;
    for (std::uint8_t d = digit(*at_); d < 10; d = digit(*++at_)) {
      value = value * 10 + d;
    }
    check_field(first, 19, what, "a decimal number");
    if (value > max) {
      fail_range(what, value, max);
    }
    return value;
  }
  std::int64_t signed_decimal(const char* what) {
    skip_blanks();
    const bool negative = *at_ == '-';
    at_ += negative ? 1 : 0;
    const auto value = static_cast<std::int64_t>(decimal(INT64_MAX, what));
    return negative ? -value : value;
  }
  std::string_view word(const char* what) {
    skip_blanks();
    const char* first = at_;
    while (*at_ > ' ') {
      ++at_;
    }
    if (at_ == first) {
      fail_field(first, what, "a word");
    }
    return {first, static_cast<std::size_t>(at_ - first)};
  }
  // "R12" gives 12.
  std::uint8_t general_register(const char* what) {
    skip_blanks();
    if (*at_ != 'R') {
      fail_field(at_, what, "R and a number");
    }
    ++at_;
    return static_cast<std::uint8_t>(decimal(255, what));
  }

  [[noreturn]] void fail(const std::string& message) const;

 private:
  // 0 to 15 for hexadecimal digits (lower or upper case), 255 otherwise.
  static std::uint8_t digit(char c) { return kDigitValues[static_cast<unsigned char>(c)]; }
  void skip_blanks() {
    while (*at_ == ' ' || *at_ == '\t') {
      ++at_;
    }
  }
  void check_field(const char* first, std::uint32_t digits, const char* what, const char* expected) const {
    const auto length = static_cast<std::size_t>(at_ - first);
    if (length == 0 || length > digits || *at_ > ' ') [[unlikely]] {
      fail_field(first, what, expected);
    }
  }
  [[noreturn]] void fail_field(const char* first, const char* what, const char* expected) const;
  [[noreturn]] void fail_range(const char* what, std::uint64_t value, std::uint64_t max) const;

  const TextPlace& place_;
  const char* start_;
  const char* at_;
};

// The beginning of every instruction line, up to its registers.
struct InstructionPrefix {
  std::uint32_t pc = 0;
  LaneMask active = 0;
};

// The optional fields of the lines of a file.
struct LineFormat {
  bool has_block = false;        // versions 1 and 2: block coordinates and warp first
  bool has_source_line = false;  // source line numbers
  bool has_immediate = false;    // version 5
};

inline constexpr std::uint32_t kLargestTracePc = (1U << 26U) - 1;

inline InstructionPrefix scan_prefix(TraceLine& line, const LineFormat& format) {
  if (format.has_block) [[unlikely]] {
    for (const char* what : {"block x", "block y", "block z", "warp"}) {
      line.decimal(UINT32_MAX, what);
    }
  }
  if (format.has_source_line) [[unlikely]] {
    line.decimal(UINT32_MAX, "source line");
  }
  InstructionPrefix prefix;
  const std::uint64_t pc = line.hexadecimal(16, "PC");
  if (pc > kLargestTracePc) [[unlikely]] {
    line.fail("the PC is beyond 64 MiB; expected an offset in the kernel's code");
  }
  prefix.pc = static_cast<std::uint32_t>(pc);
  prefix.active = static_cast<LaneMask>(line.hexadecimal(8, "active mask"));
  return prefix;
}

// Registers, opcode and access width: the part that is the same for all executions of an instruction.
struct InstructionBody {
  static constexpr std::size_t kMaxRegisters = 16;
  std::array<std::uint8_t, kMaxRegisters> destinations{};
  std::uint32_t destination_count = 0;
  std::string_view opcode;
  std::array<std::uint8_t, kMaxRegisters> sources{};
  std::uint32_t source_count = 0;
  std::uint32_t access_bytes = 0;  // as recorded; 0: no memory access, no addresses follow
};

InstructionBody scan_body(TraceLine& line);

// The addresses after the body: one per active lane, in ascending lanes. Returns their number.
std::uint32_t scan_addresses(TraceLine& line, LaneMask active, std::array<Address, kWarpSize>& out);

// What may follow: the immediate, and text that tools append. Numbers that do not belong there are refused.
std::int64_t scan_tail(TraceLine& line, const LineFormat& format);

}  // namespace warpsim

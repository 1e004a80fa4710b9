#include "frontend/accelsim/trace_line.h"

#include <fmt/format.h>

#include "base/error.h"

namespace warpsim {

void TraceLine::fail(const std::string& message) const {
  throw TraceError(fmt::format("{}:{}: {}", place_.path, place_.line_number, message));
}

void TraceLine::fail_field(const char* first, const char* what, const char* expected) const {
  const char* end = first;
  while (*end > ' ' && end - first < 40) {
    ++end;
  }
  const std::string_view got(first, static_cast<std::size_t>(end - first));
  if (got.empty()) {
    fail(fmt::format("the line ends before the {}; expected {}", what, expected));
  }
  fail(fmt::format("the {} in column {} is '{}'; expected {}", what, first - start_ + 1, got, expected));
}

void TraceLine::fail_range(const char* what, std::uint64_t value, std::uint64_t max) const {
  fail(fmt::format("the {} is {}; expected at most {}", what, value, max));
}

InstructionBody scan_body(TraceLine& line) {
  InstructionBody body;
  body.destination_count = static_cast<std::uint32_t>(line.decimal(2, "number of destination registers"));
  for (std::uint32_t i = 0; i < body.destination_count; ++i) {
    body.destinations[i] = line.general_register("destination register");
  }
  body.opcode = line.word("opcode");
  if (body.opcode[0] < 'A' || body.opcode[0] > 'Z') {
    line.fail(fmt::format("the opcode is '{}'; expected a name in capital letters", body.opcode));
  }
  body.source_count =
      static_cast<std::uint32_t>(line.decimal(InstructionBody::kMaxRegisters, "number of source registers"));
  for (std::uint32_t i = 0; i < body.source_count; ++i) {
    body.sources[i] = line.general_register("source register");
  }
  body.access_bytes = static_cast<std::uint32_t>(line.decimal(1024, "access width"));
  return body;
}

std::uint32_t scan_addresses(TraceLine& line, LaneMask active, std::array<Address, kWarpSize>& out) {
  const auto lanes = static_cast<std::uint32_t>(std::popcount(active));
  const std::uint64_t mode = line.decimal(2, "address mode");
  if (mode == 0) {
    for (std::uint32_t i = 0; i < lanes; ++i) {
      out[i] = line.hexadecimal(16, "address (one per active lane)");
    }
    return lanes;
  }
  Address address = line.hexadecimal(16, "base address");
  if (mode == 1) {
    const std::int64_t stride = line.signed_decimal("stride");
    const LaneMask run = lanes == 0 ? 0 : active >> std::countr_zero(active);
    if (stride != 0 && (run & (run + 1)) != 0) {
      line.fail("a base and a stride are given for lanes that are not contiguous; expected address mode 0 or 2");
    }
    for (std::uint32_t i = 0; i < lanes; ++i) {
      out[i] = address;
      address += static_cast<Address>(stride);
    }
    return lanes;
  }
  for (std::uint32_t i = 0; i < lanes; ++i) {
    address += i == 0 ? 0 : static_cast<Address>(line.signed_decimal("address delta (one per further active lane)"));
    out[i] = address;
  }
  return lanes;
}

std::int64_t scan_tail(TraceLine& line, const LineFormat& format) {
  std::int64_t immediate = 0;
  if (format.has_immediate) {
    immediate = line.signed_decimal("immediate");
  }
  if (line.at_number()) {
    line.fail("a number follows where the line should end; expected one address or delta per active lane");
  }
  return immediate;
}

}  // namespace warpsim

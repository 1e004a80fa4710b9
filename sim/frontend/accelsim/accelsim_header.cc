#include "frontend/accelsim/accelsim_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/trim.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kMaxGridX = 0x7fffffff;
constexpr std::uint64_t kMaxGridYZ = 65535;
constexpr std::uint64_t kMaxBlockThreads = 1024;
constexpr std::uint64_t kMaxSharedBytes = 1U << 24U;  // the generic window
constexpr std::uint64_t kMaxLocalBytes = 512ULL * 1024;
constexpr std::uint32_t kNewestVersion = 5;

class HeaderReader {
 public:
  explicit HeaderReader(InputStream& input) : input_(input) {}

  AccelsimHeader read() {
    std::string_view line;
    while (input_.next_line(line)) {
      const std::string_view text = trim(line);
      if (text.starts_with("#BEGIN_TB")) {
        input_.unread(line);
        break;
      }
      if (text.starts_with("#traces format")) {
        break;
      }
      if (text.starts_with('-')) {
        key_line(text.substr(1));
      } else if (!text.empty() && text[0] != '#') {
        fail("this is not a header line of an Accel-Sim trace; expected '-key = value' or '#traces format = ...'");
      }
    }
    check_complete();
    return header_;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw TraceError(
        fmt::format("{}:{}: {}", input_.path(), std::max<std::uint64_t>(input_.line_number(), 1), message));
  }
  [[noreturn]] void bad_value(std::string_view key, std::string_view value, const std::string& expected) const {
    fail(fmt::format("'-{}' is '{}'; expected {}", key, value.substr(0, 80), expected));
  }

  std::uint64_t integer(std::string_view key, std::string_view value, std::uint64_t min, std::uint64_t max) const {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size() || number < min || number > max) {
      bad_value(key, value, fmt::format("an integer from {} to {}", min, max));
    }
    return number;
  }
  std::uint32_t integer32(std::string_view key, std::string_view value, std::uint64_t min, std::uint64_t max) const {
    return static_cast<std::uint32_t>(integer(key, value, min, max));
  }
  Address hexadecimal(std::string_view key, std::string_view value) const {
    std::string_view digits = value;
    digits.remove_prefix(digits.starts_with("0x") ? 2 : 0);
    Address number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
      bad_value(key, value, "a hexadecimal address");
    }
    return number;
  }
  Dim3 dimensions(std::string_view key, std::string_view value, const std::array<std::uint64_t, 3>& max) const {
    const std::string expected = fmt::format("(x,y,z) with x from 1 to {}, y to {}, z to {}", max[0], max[1], max[2]);
    if (!value.starts_with('(') || !value.ends_with(')')) {
      bad_value(key, value, expected);
    }
    std::string_view rest = value.substr(1, value.size() - 2);
    std::array<std::uint32_t, 3> numbers{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string_view part = trim(rest.substr(0, rest.find(',')));
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), numbers[i]);
      const bool last_has_comma = i == 2 && rest.find(',') != std::string_view::npos;
      if (error != std::errc{} || end != part.data() + part.size() || numbers[i] < 1 || numbers[i] > max[i] ||
          last_has_comma) {
        bad_value(key, value, expected);
      }
      rest.remove_prefix(std::min(rest.find(','), rest.size() - 1) + 1);
    }
    return {numbers[0], numbers[1], numbers[2]};
  }

  void key_line(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      fail("a header line has no '='; expected '-key = value'");
    }
    const std::string_view key = trim(line.substr(0, equals));
    const std::string_view value = trim(line.substr(equals + 1));
    if (std::ranges::find(seen_, key) != seen_.end()) {
      fail(fmt::format("'-{}' appears twice; expected each key once", key));
    }
    if (take_needed(key, value) || take_optional(key, value)) {
      seen_.emplace_back(key);
    }
  }

  bool take_needed(std::string_view key, std::string_view value) {
    KernelLaunch& launch = header_.launch;
    if (key == "kernel name") {
      if (value.empty()) {
        bad_value(key, value, "a name");
      }
      launch.kernel = value;
    } else if (key == "grid dim") {
      launch.grid = dimensions(key, value, {kMaxGridX, kMaxGridYZ, kMaxGridYZ});
    } else if (key == "block dim") {
      launch.block = dimensions(key, value, {kMaxBlockThreads, kMaxBlockThreads, kMaxBlockThreads});
      if (launch.block.count() > kMaxBlockThreads) {
        bad_value(key, value, fmt::format("at most {} threads", kMaxBlockThreads));
      }
    } else if (key == "shmem") {
      launch.shared_bytes = integer32(key, value, 0, kMaxSharedBytes);
    } else if (key == "nregs") {
      launch.registers_per_thread = integer32(key, value, 0, 255);
    } else if (key == "binary version") {
      header_.architecture = integer32(key, value, 10, 999);
    } else if (key == "accelsim tracer version") {
      header_.version = integer32(key, value, 1, 1000);
      if (header_.version > kNewestVersion) {
        fail(fmt::format("tracer version {} is not supported; expected 1 to {}", header_.version, kNewestVersion));
      }
    } else {
      return false;
    }
    return true;
  }

  bool take_optional(std::string_view key, std::string_view value) {
    KernelLaunch& launch = header_.launch;
    if (key == "cuda stream id") {
      launch.stream = integer(key, value, 0, UINT64_MAX);
    } else if (key == "shmem base_addr") {
      launch.shared_base = hexadecimal(key, value);
    } else if (key == "local mem base_addr") {
      launch.local_base = hexadecimal(key, value);
    } else if (key == "enable lineinfo") {
      header_.has_source_lines = integer(key, value, 0, 1) == 1;
    } else if (key == "cluster dim") {
      launch.cluster = dimensions(key, value, {16, 16, 16});
    } else if (key == "local size") {
      launch.local_bytes_per_thread = integer32(key, value, 0, kMaxLocalBytes);
    } else if (key == "function id") {
      header_.function = integer(key, value, 0, 0xffffffffU);
    } else if (key == "shmem reserve") {
      header_.shared_reserve = integer32(key, value, 0, kMaxSharedBytes);
    } else {
      return false;
    }
    return true;
  }

  void check_complete() {
    constexpr std::array<std::string_view, 7> kNeeded{
        "kernel name", "grid dim", "block dim", "shmem", "nregs", "binary version", "accelsim tracer version"};
    for (const std::string_view key : kNeeded) {
      if (std::ranges::find(seen_, key) == seen_.end()) {
        fail(fmt::format("the header ends without '-{}'; expected a line '-{} = ...'", key, key));
      }
    }
    if (header_.shared_reserve.value_or(0) > header_.launch.shared_bytes) {
      fail(fmt::format("'-shmem reserve' is {}, '-shmem' {}; expected no more reserve than shared memory",
                       *header_.shared_reserve, header_.launch.shared_bytes));
    }
  }

  InputStream& input_;
  AccelsimHeader header_;
  std::vector<std::string> seen_;
};

}  // namespace

AccelsimHeader read_accelsim_header(InputStream& input) {
  return HeaderReader(input).read();
}

}  // namespace warpsim

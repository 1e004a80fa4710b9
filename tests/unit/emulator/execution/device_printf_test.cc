#include "emulator/execution/device_printf.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace warpsim {
namespace {

// Arguments at their natural alignment, like the compiler's layout.
class Buffer {
 public:
  template <class T>
  Buffer& add(T value) {
    bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T) + sizeof(T));
    std::memcpy(bytes_.data() + bytes_.size() - sizeof(T), &value, sizeof(T));
    return *this;
  }
  PrintedText print(const std::string& format) const {
    return format_device_text(format, bytes_.data(), bytes_.size(), [](Address address) -> std::optional<std::string> {
      if (address == 2) {
        return std::string(2000, 'x');
      }
      return address == 1 ? std::optional<std::string>("text") : std::nullopt;
    });
  }
  std::string text(const std::string& format) const { return print(format).text; }

 private:
  std::vector<std::byte> bytes_;
};

Buffer with(std::int32_t value) {
  return Buffer().add(value);
}

TEST_CASE("text without conversions is printed unchanged") {
  const PrintedText printed = Buffer().print("a\tb\n");
  CHECK(printed.text == "a\tb\n");
  CHECK(printed.arguments == 0);
  CHECK(Buffer().text("").empty());
}

TEST_CASE("integers are printed in each base") {
  CHECK(with(-5).text("%d") == "-5");
  CHECK(with(-5).text("%i") == "-5");
  CHECK(with(-1).text("%u") == "4294967295");
  CHECK(with(255).text("%x") == "ff");
  CHECK(with(255).text("%X") == "FF");
  CHECK(with(8).text("%o") == "10");
  CHECK(with('A').text("<%c>") == "<A>");
}

TEST_CASE("flags, widths and precisions are those of C") {
  CHECK(with(42).text("[%5d]") == "[   42]");
  CHECK(with(42).text("[%-5d]") == "[42   ]");
  CHECK(with(42).text("[%05d]") == "[00042]");
  CHECK(with(42).text("[%+d]") == "[+42]");
  CHECK(with(42).text("[% d]") == "[ 42]");
  CHECK(with(255).text("[%#x]") == "[0xff]");
  CHECK(with(7).text("[%.3d]") == "[007]");
  CHECK(Buffer().add(3.14159).text("[%8.2f]") == "[    3.14]");
}

TEST_CASE("widths and precisions may be arguments") {
  CHECK(Buffer().add<std::int32_t>(6).add<std::int32_t>(42).text("[%*d]") == "[    42]");
  CHECK(Buffer().add<std::int32_t>(-6).add<std::int32_t>(42).text("[%*d]") == "[42    ]");
  const Buffer both = Buffer().add<std::int32_t>(8).add<std::int32_t>(2).add(2.5);
  CHECK(both.text("[%*.*f]") == "[    2.50]");
  CHECK(both.print("[%*.*f]").arguments == 3);
  // A negative precision is ignored.
  CHECK(Buffer().add<std::int32_t>(-1).add<std::int32_t>(0).add(2.5).text("[%.*f]") == "[2.500000]");
}

TEST_CASE("long integers have 64 bits at their alignment, short ones are truncated") {
  const Buffer buffer = Buffer().add<std::int32_t>(1).add<std::int64_t>(-5'000'000'000).add<std::int32_t>(2);
  CHECK(buffer.text("%d %lld %d") == "1 -5000000000 2");
  CHECK(buffer.text("%d %ld %d") == "1 -5000000000 2");
  CHECK(Buffer().add<std::uint64_t>(~0ULL).text("%llu") == "18446744073709551615");
  CHECK(Buffer().add<std::uint64_t>(1ULL << 40U).text("%llx") == "10000000000");
  CHECK(Buffer().add<std::uint64_t>(1ULL << 40U).text("%zu") == "1099511627776");
  CHECK(with(70'000).text("%hd") == "4464");
  CHECK(with(0x1ff).text("%hhu") == "255");
}

TEST_CASE("floating-point values are double") {
  CHECK(Buffer().add(1.5).text("%f") == "1.500000");
  CHECK(Buffer().add(1.5).text("%e") == "1.500000e+00");
  CHECK(Buffer().add(1.5).text("%E") == "1.500000E+00");
  CHECK(Buffer().add(0.0001).text("%g") == "0.0001");
  CHECK(Buffer().add(1e-10).text("%G") == "1E-10");
  CHECK(Buffer().add(1.5).text("%a") == "0x1.8p+0");
  CHECK(Buffer().add(1.5).text("%.1lf") == "1.5");
  CHECK(Buffer().add<std::int32_t>(1).add(2.5).text("%d %.1f") == "1 2.5");
}

TEST_CASE("strings are read from memory, of any length") {
  CHECK(Buffer().add<std::uint64_t>(1).text("<%s>") == "<text>");
  CHECK(Buffer().add<std::uint64_t>(1).text("<%6s>") == "<  text>");
  CHECK(Buffer().add<std::uint64_t>(1).text("<%.2s>") == "<te>");
  CHECK(Buffer().add<std::uint64_t>(0).text("%s") == "(null)");
  CHECK(Buffer().add<std::uint64_t>(2).text("%s") == std::string(2000, 'x'));
}

TEST_CASE("a width beyond any buffer is kept") {
  CHECK(with(1).text("%700d") == std::string(699, ' ') + "1");
}

TEST_CASE("pointers are hexadecimal") {
  CHECK(Buffer().add<std::uint64_t>(0x70000000abcd).text("%p") == "0x70000000abcd");
}

TEST_CASE("two percent signs are one, and take no argument") {
  const PrintedText printed = with(5).print("%d%% %%");
  CHECK(printed.text == "5% %");
  CHECK(printed.arguments == 1);
}

TEST_CASE("a conversion that does not exist is printed unchanged") {
  CHECK(with(5).text("%y|%d") == "%y|5");
  CHECK(with(5).text("%d %") == "5 %");
}

TEST_CASE("arguments after the end of the buffer are zeros") {
  CHECK(with(5).text("%d %d %f %s") == "5 0 0.000000 (null)");
  const PrintedText printed = format_device_text("%d", nullptr, 0, [](Address) { return std::nullopt; });
  CHECK(printed.text == "0");
  // The second argument is truncated: 12 of 16 bytes are present.
  Buffer cut;
  cut.add<std::int32_t>(1).add<std::int32_t>(2).add<std::int32_t>(3);
  CHECK(cut.text("%lld %lld") == "8589934593 0");
}

}  // namespace
}  // namespace warpsim

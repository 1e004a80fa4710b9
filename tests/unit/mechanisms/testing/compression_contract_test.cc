#include "warpsim/testing/compression_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism::testing {
namespace {

class HalfLines : public Compression {
 public:
  HalfLines(const NoSettings& /*settings*/, const CompressionSite& /*site*/, Counters& /*counters*/) {}
  std::uint32_t sectors(Address /*line*/) const override { return 2; }
  std::uint32_t decompression_cycles() const override { return 1; }
};

class NoSectors final : public HalfLines {
 public:
  using HalfLines::HalfLines;
  std::uint32_t sectors(Address line) const override { return static_cast<std::uint32_t>(line / kLineBytes % 5); }
};

class OtherSizes final : public HalfLines {
 public:
  using HalfLines::HalfLines;
  std::uint32_t sectors(Address /*line*/) const override { return 1 + calls_++ % 4; }

 private:
  mutable std::uint32_t calls_ = 0;
};

class TooLong final : public HalfLines {
 public:
  using HalfLines::HalfLines;
  std::uint32_t decompression_cycles() const override { return 20000; }
};

class SizesOfAll final : public HalfLines {
 public:
  SizesOfAll(const NoSettings& settings, const CompressionSite& site, Counters& counters)
      : HalfLines(settings, site, counters), size_(1 + objects_of_all++ % 3) {}
  std::uint32_t sectors(Address /*line*/) const override { return size_; }

 private:
  static inline std::uint32_t objects_of_all = 0;
  std::uint32_t size_;
};

template <typename Mechanism>
Sentences compression_violations() {
  return check_compression(entry_of<Mechanism>("mine", "compresses lines"));
}

TEST_CASE("A correct compression has no violations") {
  CHECK_THAT(compression_violations<HalfLines>(), Catch::Equals(Sentences{}));
}

TEST_CASE("Sizes that are no sectors of a line are found") {
  CHECK(says(compression_violations<NoSectors>(), "a slice of L2: sectors() answers with a number that is not 1 to 4"));
}

TEST_CASE("Sizes that change are found") {
  CHECK(says(compression_violations<OtherSizes>(),
             "a slice of L2: sectors() answers differently when it is called again"));
}

TEST_CASE("Decompression that takes too long is found") {
  CHECK(says(compression_violations<TooLong>(), "a slice of L2: decompression_cycles() answers with more than 10,000"));
}

TEST_CASE("Sizes that depend on other objects are found") {
  CHECK(
      says(compression_violations<SizesOfAll>(), "a slice of L2: two objects with the same calls answer differently"));
}

}  // namespace
}  // namespace warpsim::mechanism::testing

#include "warpsim/testing/write_policy_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism::testing {
namespace {

class StaysThrough : public WritePolicy {
 public:
  StaysThrough(const NoSettings& /*settings*/, const WritePolicySite& /*site*/, Counters& /*counters*/) {}
  WriteWay write(const LineWrite& /*write*/, std::uint32_t& /*memo*/) override { return WriteWay::kThrough; }
  void leaves(const WrittenLine& /*line*/) override {}
};

class WritesBack final : public StaysThrough {
 public:
  using StaysThrough::StaysThrough;
  WriteWay write(const LineWrite& /*write*/, std::uint32_t& /*memo*/) override { return WriteWay::kBack; }
};

class AnswersAnything final : public StaysThrough {
 public:
  using StaysThrough::StaysThrough;
  WriteWay write(const LineWrite& write, std::uint32_t& /*memo*/) override {
    return static_cast<WriteWay>(1 + write.sectors % 4);
  }
};

class CountsWritesOfAll final : public StaysThrough {
 public:
  using StaysThrough::StaysThrough;
  WriteWay write(const LineWrite& /*write*/, std::uint32_t& /*memo*/) override {
    return ++writes_of_all % 7 == 3 ? WriteWay::kAround : WriteWay::kThrough;
  }

 private:
  static inline std::uint32_t writes_of_all = 0;
};

template <typename Mechanism>
Sentences policy_violations() {
  return check_write_policy(entry_of<Mechanism>("mine", "keeps written data"));
}

TEST_CASE("A correct write policy has no violations") {
  CHECK_THAT(policy_violations<StaysThrough>(), Catch::Equals(Sentences{}));
}

TEST_CASE("An L1 that writes back is found") {
  const Sentences found = policy_violations<WritesBack>();
  CHECK(says(found, "L1: write() answers with kBack, which only L2 has"));
  CHECK_FALSE(says(found, "L2: write() answers with kBack, which only L2 has"));
}

TEST_CASE("Answers that are no way to write are found") {
  CHECK(says(policy_violations<AnswersAnything>(), "L2: write() answers with a number that is no way to write"));
}

TEST_CASE("State that write policies share is found") {
  CHECK(says(policy_violations<CountsWritesOfAll>(), "L1: two objects with the same calls answer differently"));
}

}  // namespace
}  // namespace warpsim::mechanism::testing

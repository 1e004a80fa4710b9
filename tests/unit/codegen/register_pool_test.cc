#include "codegen/register_pool.h"

#include <catch2/catch.hpp>

using namespace warpsim::codegen;

namespace {

using Range = std::vector<LiveSegment>;

const Range kNever;

RegisterPool::Claim claim_of(const Range& needed, std::size_t words = 1, const Range& pending = kNever) {
  return RegisterPool::Claim(words, {&needed, &pending});
}

TEST_CASE("register pool: a register serves values that are not needed at the same time") {
  RegisterPool pool(0, 8);
  const Range early{{0, 4}};
  const Range late{{4, 8}};
  const Range both{{2, 6}};
  CHECK(pool.take(claim_of(early), {}) == 0);
  CHECK(pool.take(claim_of(late), {}) == 0);
  CHECK(pool.take(claim_of(both), {}) == 1);
  CHECK(pool.most() == 2);
  CHECK_FALSE(pool.take_there(0, claim_of(both)));
  CHECK(pool.take_there(2, claim_of(both)));
}

TEST_CASE("register pool: values of several words are aligned") {
  RegisterPool pool(0, 16);
  const Range range{{0, 4}};
  pool.keep(1);
  CHECK(pool.take(claim_of(range, 2), {}) == 2);
  CHECK(pool.take(claim_of(range, 4), {}) == 4);
  CHECK(pool.take(claim_of(range, 3), {}) == 8);
  CHECK(pool.take(claim_of(range), {}) == 0);
}

TEST_CASE("register pool: a bank is only chosen where that needs no further register") {
  RegisterPool pool(0, 8);
  const Range range{{0, 4}};
  const Range later{{4, 8}};
  CHECK(pool.take(claim_of(range), {}) == 0);
  CHECK(pool.take(claim_of(range), {}) == 1);
  CHECK(pool.take(claim_of(later), 1) == 1);
  CHECK(pool.take(claim_of(later), 1) == 0);
}

TEST_CASE("register pool: registers that a memory access may still read are avoided below the limit") {
  const Range address{{0, 4}};
  const Range reads{{4, 20}};
  const Range next{{5, 9}};
  RegisterPool plain(0, 8);
  CHECK(plain.take(claim_of(address, 1, reads), {}) == 0);
  CHECK(plain.take(claim_of(next), {}) == 0);
  RegisterPool quiet(0, 8);
  quiet.be_quiet_below(2);
  CHECK(quiet.take(claim_of(address, 1, reads), {}) == 0);
  CHECK_FALSE(quiet.take_there(0, claim_of(next)));
  CHECK(quiet.take(claim_of(next), {}) == 1);
  // There is no other left.
  CHECK(quiet.take(claim_of(next), {}) == 0);
}

}  // namespace

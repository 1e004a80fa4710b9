#include "device/peer_copies.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

// 10 GB/s each way, 15 GB/s both ways together, 2 GB/s through the host.
PeerCopies three_gpus() {
  const PeerCopies::Rates rates = {
      .send_ns = 100, .receive_ns = 150, .staged_ns = 1000, .one_way = 10, .both = 15, .staged = 2};
  return PeerCopies({rates, rates, rates});
}

// In a stream of the GPU that sends.
Work copy(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, bool staged = false) {
  Work work;
  work.place.gpu = from;
  work.kind = WorkKind::kToPeer;
  work.bytes = bytes;
  work.peer = {from, to, staged};
  return work;
}

TEST_CASE("peer copies: the latency depends on the side whose stream copies, and on the way") {
  PeerCopies copies = three_gpus();
  CHECK_FALSE(copies.next_end());
  copies.start(1, copy(0, 1, 1000), 50);
  CHECK(*copies.next_end() == Approx(50 + 100 + 100));
  CHECK_FALSE(copies.take_ended(200));
  CHECK(copies.take_ended(250) == 1);
  CHECK_FALSE(copies.next_end());
  Work received = copy(0, 1, 1000);
  received.place.gpu = 1;
  copies.start(2, received, 300);
  CHECK(*copies.next_end() == Approx(300 + 150 + 100));
  CHECK(copies.take_ended(550) == 2);
  copies.start(3, copy(0, 1, 1000, true), 600);
  CHECK(*copies.next_end() == Approx(600 + 1000 + 500));
}

TEST_CASE("peer copies: what is left of a copy, and the rates of a GPU's links") {
  PeerCopies copies = three_gpus();
  CHECK_FALSE(copies.progress(1, 0));
  copies.start(1, copy(0, 1, 1000), 0);
  copies.start(2, copy(0, 2, 4000), 0);
  copies.start(3, copy(1, 2, 1000, true), 0);  // through the host
  CHECK(copies.gb_per_s(0, true) == Approx(10));
  CHECK(copies.gb_per_s(0, false) == 0);
  CHECK(copies.gb_per_s(1, false) == Approx(5));
  CHECK(copies.gb_per_s(1, true) == 0);
  const auto begun = copies.progress(1, 40);
  REQUIRE(begun);
  CHECK(begun->latency_ns == Approx(60));
  CHECK(begun->bytes_left == Approx(1000));
  CHECK(begun->gb_per_s == Approx(5));
  CHECK(copies.progress(1, 200)->bytes_left == Approx(500));
}

TEST_CASE("peer copies: a GPU shares its rate among those that it sends, or receives") {
  PeerCopies copies = three_gpus();
  copies.start(1, copy(0, 1, 1000), 0);
  copies.start(2, copy(0, 2, 1000), 0);
  CHECK(*copies.next_end() == Approx(100 + 200));
  CHECK(copies.take_ended(300) == 1);
  CHECK(copies.take_ended(300) == 2);
  copies.start(3, copy(0, 2, 1000), 1000);
  copies.start(4, copy(1, 2, 2000), 1000);
  CHECK(*copies.next_end() == Approx(1000 + 100 + 200));
  CHECK(copies.take_ended(1300) == 3);
  CHECK(*copies.next_end() == Approx(1300 + 100));  // the rest has the rate for itself
}

TEST_CASE("peer copies: both directions share what the links of a GPU carry") {
  PeerCopies copies = three_gpus();
  copies.start(1, copy(0, 1, 1500), 0);
  copies.start(2, copy(1, 0, 1500), 0);
  CHECK(*copies.next_end() == Approx(100 + 200));
  CHECK(copies.take_ended(300).has_value());
  CHECK(copies.take_ended(300).has_value());
}

}  // namespace
}  // namespace warpsim

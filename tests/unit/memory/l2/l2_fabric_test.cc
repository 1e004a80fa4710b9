#include "memory/l2/l2_fabric.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

namespace warpsim {
namespace {

constexpr std::uint32_t kSlices = 4;  // 0 and 1 in partition 0, 2 and 3 in partition 1

// Links of one cycle: what is sent in cycle 0 is visible in cycle 1, and what passes in cycle n arrives in n + 1.
class FabricBench {
 public:
  explicit FabricBench(double bytes_per_cycle, bool compressed_lines = false)
      : stats_("gpu"), domain_(engine_.add_domain("l2", 1000)) {
    L2FabricConfig config;
    config.slice_bytes_per_cycle = bytes_per_cycle;
    config.request_bytes = 0;
    config.compressed_lines = compressed_lines;
    std::vector<L2Fabric::SliceLinks> links;
    for (std::uint32_t slice = 0; slice < kSlices; ++slice) {
      asks_.push_back(make<SliceRequest>());
      asked_.push_back(make<SliceRequest>());
      replies_.push_back(make<SliceResponse>());
      answers_.push_back(make<SliceResponse>());
      links.push_back({slice, asks_[slice].get(), asked_[slice].get(), replies_[slice].get(), answers_[slice].get()});
    }
    fabric_ = std::make_unique<L2Fabric>(config, links, stats_, 0);
    fabric_->connect(engine_.add_component(domain_, "fabric", *fabric_));
  }

  void ask(std::uint32_t from, std::uint32_t to, MemOp op, std::uint8_t sectors, std::uint32_t bytes,
           std::uint8_t compressed = 0) {
    SliceRequest request;
    request.compressed = compressed;
    request.mem.byte_mask.fill(0xffffffffU);
    request.mem.op = op;
    request.mem.sector_mask = sectors;
    request.bytes = static_cast<std::uint16_t>(bytes);
    request.home_slice = static_cast<std::uint16_t>(to);
    request.near_slice = static_cast<std::uint16_t>(from);
    asks_[from]->send(request, 0);
  }
  void remove_copy(std::uint32_t from, std::uint32_t to) {
    SliceRequest request;
    request.removes_copy = true;
    request.mem.op = MemOp::kWrite;
    request.mem.sector_mask = 0xf;
    request.bytes = 160;
    request.home_slice = static_cast<std::uint16_t>(to);
    request.near_slice = static_cast<std::uint16_t>(from);
    asks_[from]->send(request, 0);
  }
  void reply(std::uint32_t from, std::uint32_t to, std::uint8_t sectors, std::uint8_t compressed = 0) {
    SliceResponse response;
    response.compressed = compressed;
    response.mem.op = MemOp::kRead;
    response.mem.sector_mask = sectors;
    response.near_slice = static_cast<std::uint16_t>(to);
    replies_[from]->send(response, 0);
  }
  void run() {
    while (engine_.run() != Engine::Outcome::kNothingDue) {
    }
    CHECK(fabric_->idle());
  }
  // Cycles in which requests and responses arrive at a slice.
  std::vector<Cycle> asked(std::uint32_t slice) { return arrivals(*asked_[slice]); }
  std::vector<Cycle> answered(std::uint32_t slice) { return arrivals(*answers_[slice]); }

 private:
  template <typename Message>
  std::unique_ptr<Link<Message>> make() {
    return std::make_unique<Link<Message>>(engine_.domain(domain_), engine_.domain(domain_), 64, 1);
  }
  template <typename Message>
  static std::vector<Cycle> arrivals(Link<Message>& link) {
    std::vector<Cycle> cycles;
    while (!link.empty()) {
      cycles.push_back(link.next_arrival());
      link.pop(link.next_arrival());
    }
    return cycles;
  }

  Engine engine_;
  LaunchStats<StatGroup> stats_;
  std::uint32_t domain_;
  std::vector<std::unique_ptr<Link<SliceRequest>>> asks_;
  std::vector<std::unique_ptr<Link<SliceRequest>>> asked_;
  std::vector<std::unique_ptr<Link<SliceResponse>>> replies_;
  std::vector<std::unique_ptr<Link<SliceResponse>>> answers_;
  std::unique_ptr<L2Fabric> fabric_;
};

TEST_CASE("written data and read data share the rate of a direction and go in turn", "[memory]") {
  FabricBench bench(64);
  for (int i = 0; i < 4; ++i) {
    bench.ask(0, 2, MemOp::kWrite, 0xf, 128);
    bench.reply(0, 2, 0xf);
  }
  bench.run();
  // A line takes two cycles; a response goes first.
  CHECK(bench.answered(2) == std::vector<Cycle>{2, 6, 10, 14});
  CHECK(bench.asked(2) == std::vector<Cycle>{4, 8, 12, 16});
}

TEST_CASE("the two directions of the fabric do not share their rates", "[memory]") {
  FabricBench bench(64);
  for (int i = 0; i < 4; ++i) {
    bench.ask(0, 2, MemOp::kWrite, 0xf, 128);
    bench.ask(2, 0, MemOp::kWrite, 0xf, 128);
  }
  bench.run();
  CHECK(bench.asked(2) == std::vector<Cycle>{2, 4, 6, 8});
  CHECK(bench.asked(0) == std::vector<Cycle>{2, 4, 6, 8});
}

TEST_CASE("requests to read pass the fabric beside data that use its whole rate", "[memory]") {
  FabricBench bench(64);
  for (int i = 0; i < 4; ++i) {
    bench.reply(0, 2, 0xf);
    bench.ask(1, 3, MemOp::kRead, 0xf, 32);
  }
  bench.run();
  CHECK(bench.answered(2) == std::vector<Cycle>{2, 4, 6, 8});
  CHECK(bench.asked(3) == std::vector<Cycle>{2, 2, 2, 2});
}

TEST_CASE("removals of copies use no rate of the fabric, but go in turn with data, one in a cycle", "[memory]") {
  FabricBench alone(64);
  FabricBench beside(64);
  for (int i = 0; i < 4; ++i) {
    alone.remove_copy(0, 2);
    beside.remove_copy(0, 2);
    beside.reply(0, 2, 0xf);
  }
  alone.run();
  CHECK(alone.asked(2) == std::vector<Cycle>{2, 3, 4, 5});
  beside.run();
  // A line takes two cycles, and a removal one more.
  CHECK(beside.answered(2) == std::vector<Cycle>{2, 5, 8, 11});
  CHECK(beside.asked(2) == std::vector<Cycle>{4, 7, 10, 13});
}

TEST_CASE("each slice has a rate of its own into the fabric", "[memory]") {
  FabricBench bench(32);
  for (int i = 0; i < 4; ++i) {
    bench.ask(0, 2, MemOp::kWrite, 1, 32);
    bench.ask(1, 3, MemOp::kWrite, 3, 64);
  }
  bench.run();
  CHECK(bench.asked(2) == std::vector<Cycle>{2, 3, 4, 5});
  CHECK(bench.asked(3) == std::vector<Cycle>{2, 4, 6, 8});
}

TEST_CASE("the mask of a partly written sector crosses the fabric with its data", "[memory]") {
  FabricBench bench(32);
  for (int i = 0; i < 3; ++i) {
    bench.ask(0, 2, MemOp::kWrite, 1, 64);
  }
  bench.run();
  CHECK(bench.asked(2) == std::vector<Cycle>{2, 4, 6});
}

}  // namespace
TEST_CASE("L2 fabric: data of compressed lines take the compressed line's sectors, if the description says so") {
  const bool compressed_lines = GENERATE(false, true);
  const auto third = [](FabricBench& bench) { return bench.answered(2).back(); };
  {  // responses: four sectors of a line of two, one sector of it, four of a line that is not compressed
    FabricBench bench(32, compressed_lines);
    bench.reply(0, 2, 0xf, 0x3);
    bench.reply(0, 2, 0x1, 0x3);
    bench.reply(0, 2, 0xf, 0);
    bench.run();
    CHECK(third(bench) == (compressed_lines ? 1 + 2 + 1 + 1 : 1 + 4 + 1 + 1));
  }
  {  // writes: a whole line, a part of it, an atomic
    FabricBench bench(32, compressed_lines);
    bench.ask(0, 2, MemOp::kWrite, 0xf, 128, 0x1);
    bench.ask(0, 2, MemOp::kWrite, 0x7, 96, 0x1);
    bench.ask(0, 2, MemOp::kAtomic, 0xf, 128, 0x1);
    bench.ask(0, 2, MemOp::kWrite, 0x1, 32, 0);
    bench.run();
    CHECK(bench.asked(2).back() == (compressed_lines ? 1 + 1 + 3 + 4 + 1 : 1 + 4 + 3 + 4 + 1));
  }
}

}  // namespace warpsim

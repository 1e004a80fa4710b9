#include "memory/input_set.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

namespace warpsim {
namespace {

// Two links of one cycle, and how often each input was offered.
class InputBench {
 public:
  InputBench() {
    for (std::uint32_t input = 0; input < 2; ++input) {
      links_.push_back(std::make_unique<Link<int>>(clock_, clock_, 8, 1));
      inputs_.connect(input, *links_[input], {});
    }
  }
  void send(std::uint32_t input, Cycle now) { links_[input]->send(0, now); }
  // Offers all at `now`. `refused`: inputs and what serving them returns.
  Cycle serve(Cycle now, const std::map<std::uint32_t, Cycle>& refused = {}) {
    offered_.clear();
    return inputs_.serve_all(now, [&](std::uint32_t input, Link<int>& link) {
      offered_.push_back(input);
      if (const auto found = refused.find(input); found != refused.end()) {
        return found->second;
      }
      link.pop(now);
      return InputSet<int>::kTaken;
    });
  }
  // In the order of `ranks`, the lower first, one message after another.
  Cycle serve_in_order(Cycle now, const std::vector<int>& ranks, const std::map<std::uint32_t, Cycle>& refused = {}) {
    offered_.clear();
    std::vector<InputSet<int>::Offered<int>> storage;
    return inputs_.serve_in_order(
        now, storage, [](std::uint32_t /*input*/) { return false; },
        [&](std::uint32_t input, Link<int>& /*link*/) { return ranks[input]; }, [](int a, int b) { return a > b; },
        [&](std::uint32_t input, Link<int>& link, int /*rank*/) {
          offered_.push_back(input);
          if (const auto found = refused.find(input); found != refused.end()) {
            return found->second;
          }
          link.pop(now);
          return InputSet<int>::kTaken;
        });
  }
  const std::vector<std::uint32_t>& offered() const { return offered_; }
  bool empty() const { return inputs_.empty(); }

 private:
  ClockDomain clock_{"l2", 1000};
  InputSet<int> inputs_{2};
  std::vector<std::unique_ptr<Link<int>>> links_;
  std::vector<std::uint32_t> offered_;
};

using Inputs = std::vector<std::uint32_t>;

TEST_CASE("Input set: a message is offered when it has arrived", "[memory]") {
  InputBench bench;
  bench.send(1, 10);
  CHECK(bench.serve(10) == 11);
  CHECK(bench.offered().empty());
  CHECK(bench.serve(11) == kNever);
  CHECK(bench.offered() == Inputs{1});
  CHECK(bench.empty());
}

TEST_CASE("Input set: an input that names a cycle is not offered before it", "[memory]") {
  InputBench bench;
  bench.send(0, 10);
  bench.send(1, 10);
  CHECK(bench.serve(11, {{0, 15}, {1, 13}}) == 13);
  CHECK(bench.serve(13, {{1, 16}}) == 15);
  CHECK(bench.offered() == Inputs{1});
  CHECK(bench.serve(15) == 16);
  CHECK(bench.offered() == Inputs{0});
  CHECK(bench.serve(16) == kNever);
  CHECK(bench.empty());
}

TEST_CASE("Input set: an input that waits for a link is offered each time", "[memory]") {
  InputBench bench;
  bench.send(0, 10);
  CHECK(bench.serve(11, {{0, InputSet<int>::kWaitForLink}}) == kNever);
  CHECK(bench.serve(12) == kNever);
  CHECK(bench.offered() == Inputs{0});
}

TEST_CASE("Input set: in an order, all messages of the first input go before those of the next", "[memory]") {
  InputBench bench;
  for (std::uint32_t input = 0; input < 2; ++input) {
    bench.send(input, 10);
    bench.send(input, 10);
  }
  bench.send(0, 20);
  CHECK(bench.serve_in_order(11, {5, 3}) == 21);
  CHECK(bench.offered() == Inputs{1, 1, 0, 0});
  CHECK(bench.serve_in_order(21, {5, 3}) == kNever);
  CHECK(bench.offered() == Inputs{0});
  CHECK(bench.empty());
}

TEST_CASE("Input set: in an order, an input that is refused is passed over until its cycle", "[memory]") {
  InputBench bench;
  bench.send(0, 10);
  bench.send(1, 10);
  CHECK(bench.serve_in_order(11, {1, 2}, {{0, 15}}) == 15);
  CHECK(bench.offered() == Inputs{0, 1});
  bench.send(1, 11);
  CHECK(bench.serve_in_order(12, {1, 2}) == 15);
  CHECK(bench.offered() == Inputs{1});
  CHECK(bench.serve_in_order(15, {1, 2}, {{0, InputSet<int>::kWaitForLink}}) == kNever);
  CHECK_FALSE(bench.empty());
  CHECK(bench.serve_in_order(16, {1, 2}) == kNever);
  CHECK(bench.empty());
}

}  // namespace
}  // namespace warpsim

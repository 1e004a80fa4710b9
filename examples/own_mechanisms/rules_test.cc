// Do the mechanisms keep the rules of their interfaces, and do they what they should?
#include <cstdio>
#include <string>
#include <vector>

#include "pc_stride.h"
#include "second_chance.h"
#include "turns.h"
#include "warpsim/testing/prefetcher_contract.h"
#include "warpsim/testing/replacement_contract.h"
#include "warpsim/testing/warp_scheduler_contract.h"

namespace {

using namespace warpsim::mechanism;
using namespace warpsim::mechanism::testing;

int failures = 0;

void report(const char* what, const std::vector<std::string>& violations) {
  for (const std::string& sentence : violations) {
    std::printf("%s: %s\n", what, sentence.c_str());
    ++failures;
  }
}

void expect(bool condition, const char* sentence) {
  if (!condition) {
    report("expected", {sentence});
  }
}

void used_lines_stay() {
  TestCounters counters;
  mine::SecondChance replacement({}, {CacheLevel::kL2, 1, 2}, counters);
  replacement.inserted({0, 0}, 0, false);
  replacement.inserted({0, 1}, kLineBytes, false);
  replacement.used({0, 0}, 0);
  expect(replacement.victim(0) == 1, "the line that was not used is replaced");
  expect(counters.value("chances") == 1, "the line that was used got a second chance");
}

void turns_end() {
  TestCounters counters;
  mine::Turns scheduler({.length = 2}, {4, 0}, counters);
  std::vector<std::uint32_t> order;
  for (Cycle now = 0; now < 5; ++now) {
    order.push_back(scheduler.pick(0b1010, now));
    scheduler.issued({.slot = order.back(), .ready = 0b1010, .now = now});
  }
  expect(order == std::vector<std::uint32_t>{1, 1, 3, 3, 1}, "two warps take turns of two instructions");
  expect(counters.value("turns") == 3, "three turns began");
}

void strides_are_followed() {
  TestCounters counters;
  mine::PcStride prefetcher({}, {CacheLevel::kL1}, counters);
  PrefetchList wanted;
  for (const Address line : {0U, 3U, 6U}) {
    prefetcher.access({.line = line * kLineBytes, .sectors = 0x3, .pc = 16}, wanted);
  }
  expect(wanted.end() - wanted.begin() == 1, "one line is requested after two equal distances");
  expect(wanted.begin()->line == 9 * kLineBytes && wanted.begin()->sectors == 0x3, "the line at the same distance");
}

}  // namespace

int main() {
  report("second_chance", check_replacement(entry_of<mine::SecondChance>("second_chance", "a replacement")));
  report("turns", check_warp_scheduler(entry_of<mine::Turns>("turns", "a scheduler")));
  report("pc_stride", check_prefetcher(entry_of<mine::PcStride>("pc_stride", "a prefetcher")));
  used_lines_stay();
  turns_end();
  strides_are_followed();
  std::printf("%d violations\n", failures);
  return failures == 0 ? 0 : 1;
}

#include "memory/translation/gpu_translations.h"

#include <array>
#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kGpuRegion = 1U << 20U;

// Two groups at a distance of one cycle; two entries of 1 MiB; one unit, whose walks take 100 cycles. With page tables
// in memory a walk is one read of 30 cycles.
struct GpuBench {
  explicit GpuBench(bool in_memory = false)
      : translations(config(), {{&asks[0], &answers[0]}, {&asks[1], &answers[1]}},
                     in_memory ? PageWalks::Port{&reads, &entries} : PageWalks::Port{}, stats) {}
  static TranslationConfig config() {
    TranslationConfig config;
    config.starts_full = false;
    config.page_kib = 1024;
    config.gpu = {1, 2, 1, 1};
    config.walks = 1;
    config.walk_latency_cycles = 100;
    config.directory_entries = 4;
    config.tables = {false, 16, 0, 0};
    return config;
  }
  void ask(std::uint32_t group, Address line, std::uint16_t miss, Cycle now) { asks[group].send({line, 0, miss}, now); }
  // Runs up to a cycle; returns the latest cycle in which an answer was sent.
  Cycle run(Cycle until) {
    Cycle last = 0;
    for (; now <= until; ++now) {
      const std::size_t before = answers[0].size() + answers[1].size();
      translations.tick(now);
      for (; reads.has_message(now); reads.pop(now)) {
        entries.send({reads.front().tag, 0, MemOp::kRead, reads.front().sector_mask}, now);
      }
      last = answers[0].size() + answers[1].size() > before ? now : last;
    }
    return last;
  }

  ClockDomain clock{"l2", 1000};
  std::array<Link<TranslationAsk>, 2> asks{Link<TranslationAsk>{clock, clock, 8, 1},
                                           Link<TranslationAsk>{clock, clock, 8, 1}};
  std::array<Link<TranslationAnswer>, 2> answers{Link<TranslationAnswer>{clock, clock, 8, 1},
                                                 Link<TranslationAnswer>{clock, clock, 8, 1}};
  LaunchStats<StatGroup> stats{"gpu"};
  Link<MemRequest> reads{clock, clock, 8, 1};
  Link<MemResponse> entries{clock, clock, 8, 29};
  GpuTranslations translations;
  Cycle now = 0;
};

TEST_CASE("GpuTranslations: an answer comes after the walk, and at once if the cache has the region") {
  GpuBench bench;
  bench.ask(0, kGpuRegion, 5, 0);
  CHECK(bench.run(200) == 1 + 100);
  REQUIRE(bench.answers[0].size() == 1);
  CHECK(bench.answers[0].front().miss == 5);
  CHECK_FALSE(bench.translations.idle());  // the group has not taken the answer
  bench.answers[0].pop(200);
  CHECK(bench.translations.idle());
  bench.ask(1, kGpuRegion + kLineBytes, 2, 200);
  CHECK(bench.run(400) == 201);
  REQUIRE(bench.answers[1].size() == 1);
  CHECK(bench.answers[1].front().miss == 2);
}

TEST_CASE("GpuTranslations: asks for a region that is walked to wait for the same walk, others for the unit") {
  GpuBench bench;
  bench.ask(0, kGpuRegion, 0, 0);
  bench.ask(1, kGpuRegion, 0, 20);
  CHECK(bench.run(150) == 1 + 100);
  CHECK(bench.answers[0].size() + bench.answers[1].size() == 2);
  bench.ask(0, 2 * kGpuRegion, 1, 150);
  bench.ask(1, 3 * kGpuRegion, 1, 150);
  CHECK(bench.run(500) == 151 + 200);
  bench.ask(0, kGpuRegion, 2, 500);  // two others have replaced it
  CHECK(bench.run(700) == 501 + 100);
}

TEST_CASE("GpuTranslations: lookups take turns at their rate") {
  GpuBench bench;
  bench.ask(0, kGpuRegion, 0, 0);
  bench.run(200);
  for (std::uint16_t miss = 0; miss < 4; ++miss) {
    bench.ask(0, kGpuRegion, miss, 200);
  }
  CHECK(bench.run(300) == 201 + 3);
}

TEST_CASE("GpuTranslations: all asks for a region are answered when the reads of its walk have ended") {
  GpuBench bench(true);
  bench.ask(0, kGpuRegion, 0, 0);
  bench.ask(1, kGpuRegion, 0, 20);
  bench.ask(1, 2 * kGpuRegion, 1, 20);
  CHECK_FALSE(bench.translations.idle());
  CHECK(bench.run(30) == 0);
  CHECK(bench.translations.describe_stall() ==
        "3 answers of the GPU's translation cache are due; 2 walks read page tables or wait for it; ");
  CHECK(bench.run(31) == 1 + 30);
  CHECK(bench.answers[0].size() == 1);
  CHECK(bench.answers[1].size() == 1);
  CHECK(bench.run(100) == 1 + 30 + 30);  // the other region waited for the unit
  CHECK(bench.answers[1].size() == 2);
  bench.ask(0, kGpuRegion, 2, 100);
  CHECK(bench.run(200) == 101);
}

}  // namespace
}  // namespace warpsim

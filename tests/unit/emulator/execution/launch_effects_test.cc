#include "emulator/execution/launch_effects.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "emulator/execution/launch_context.h"

namespace warpsim {
namespace {

struct Written : PutOffWarps {
  void execute_put_off(std::uint32_t warp, Cycle cycle) override { order.emplace_back(warp, cycle); }
  std::vector<std::pair<std::uint32_t, Cycle>> order;
};

void store(SmEffects& sm, std::uint32_t& word, std::uint32_t value, Cycle now) {
  std::memcpy(sm.view().write(reinterpret_cast<std::byte*>(&word), sizeof(word)), &value, sizeof(value));
  sm.executed(now);
}

TEST_CASE("Effects are visible at the next multiple of the interval") {
  LaunchEffects effects;
  effects.set_interval(12);
  CHECK(effects.visible_at(0) == 12);
  CHECK(effects.visible_at(11) == 12);
  CHECK(effects.visible_at(12) == 24);
}

TEST_CASE("At an exchange effects are applied by cycle, then SM") {
  LaunchEffects effects;
  SmEffects& second = effects.of(1);
  SmEffects& first = effects.of(0);
  alignas(8) std::uint32_t a = 0;
  alignas(8) std::uint32_t b = 0;
  store(second, a, 21, 3);  // earlier
  store(first, a, 11, 5);
  store(second, b, 22, 7);
  store(first, b, 12, 7);  // the same cycle, lower number
  CHECK(a == 0);
  CHECK(effects.exchange() == 0);
  CHECK(a == 11);
  CHECK(b == 22);
  CHECK(first.view().is_clean());
  a = 0;
  effects.exchange();
  CHECK(a == 0);
}

TEST_CASE("Operations that were put off are executed at the exchange, in the same order") {
  LaunchEffects effects;
  Written written;
  effects.of(1).put_off(written, 10, 4);
  effects.of(1).put_off(written, 11, 6);
  effects.of(0).put_off(written, 0, 6);
  effects.of(0).put_off(written, 1, 6);
  CHECK(written.order.empty());
  effects.exchange();
  CHECK(written.order == std::vector<std::pair<std::uint32_t, Cycle>>{{10, 4}, {0, 6}, {1, 6}, {11, 6}});
}

TEST_CASE("Effects in memory that is far away are applied when they have arrived, by the cycle of their arrival") {
  LaunchEffects effects;
  Written written;
  SmEffects& first = effects.of(0);
  SmEffects& second = effects.of(1);
  alignas(8) std::uint32_t word = 0;
  std::uint32_t value = 5;
  std::memcpy(second.view().write(reinterpret_cast<std::byte*>(&word), sizeof(word)), &value, sizeof(value));
  second.executed(4, 100);            // arrives at 104
  first.put_off(written, 1, 6, 97);   // at 103
  first.put_off(written, 2, 2, 102);  // at 104, lower SM
  first.put_off(written, 3, 20);
  effects.exchange(24);
  CHECK(written.order == std::vector<std::pair<std::uint32_t, Cycle>>{{3, 20}});
  effects.exchange(104);
  CHECK(written.order.size() == 2);
  CHECK(written.order.back() == std::pair<std::uint32_t, Cycle>{1, 6});
  CHECK(word == 0);
  effects.exchange(105);
  CHECK(written.order.back() == std::pair<std::uint32_t, Cycle>{2, 2});
  CHECK(word == 5);
}

TEST_CASE("The last exchange applies everything") {
  LaunchEffects effects;
  Written written;
  effects.of(0).put_off(written, 1, 6, 1000);
  effects.exchange();
  CHECK(written.order.size() == 1);
}

TEST_CASE("Warnings and executed instructions are collected over SMs") {
  LaunchContext launch;
  std::vector<std::string> texts;
  launch.warn = [&](std::uint32_t line, const std::string& text) { texts.push_back(std::to_string(line) + text); };
  LaunchEffects effects;
  effects.of(3).warn(launch, 7, "late", 9);
  effects.of(2).warn(launch, 8, "later", 10);
  effects.of(0).warn(launch, 5, "early", 2);
  effects.of(3).spend(5);
  effects.of(0).spend(2);
  CHECK(texts.empty());
  CHECK(effects.exchange() == 7);
  CHECK(texts == std::vector<std::string>{"5early", "7late", "8later"});
  CHECK(effects.exchange() == 0);
}

}  // namespace
}  // namespace warpsim

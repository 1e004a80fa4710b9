#include "memory/dram/dram_bank.h"

#include <catch2/catch.hpp>

#include "base/check.h"

namespace warpsim {
namespace {

// rcd 10, rp 11, ras 20, rc 35, cl 10, wl 5, ccd 2/4, rrd 3/6, faw 40, wtr 5/8, rtw 7, wr 12, rtp 6, refi 1000, rfc 100
DramBanks two_groups_of_two() {
  DramConfig config;
  config.timing = {10, 11, 20, 35, 10, 5, 2, 4, 3, 6, 40, 5, 8, 7, 12, 6, 1000, 100};
  config.burst_cycles = 2;
  return DramBanks(config, 2, 2);
}

constexpr DramCommand kActivate = DramCommand::kActivate;
constexpr DramCommand kPrecharge = DramCommand::kPrecharge;
constexpr DramCommand kRead = DramCommand::kRead;
constexpr DramCommand kWrite = DramCommand::kWrite;

}  // namespace

TEST_CASE("DRAM bank: a column command waits t_rcd after the activate") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 7, 100);
  CHECK(banks.open_row(0) == 7);
  CHECK(banks.ready_at(kRead, 0) == 110);
  CHECK_THROWS_AS(banks.access(kRead, 0, 1, 109), InternalError);
  CHECK_NOTHROW(banks.access(kRead, 0, 1, 110));
}

TEST_CASE("DRAM bank: a precharge waits t_ras, and t_rtp after a read") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 7, 100);
  CHECK(banks.ready_at(kPrecharge, 0) == 120);
  banks.access(kRead, 0, 1, 118);
  CHECK(banks.ready_at(kPrecharge, 0) == 124);
  CHECK_THROWS_AS(banks.precharge(0, 123), InternalError);
}

TEST_CASE("DRAM bank: a precharge waits t_wr after the data of a write") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 7, 100);
  banks.access(kWrite, 0, 1, 110);
  CHECK(banks.ready_at(kPrecharge, 0) == 110 + 5 + 2 + 12);
}

TEST_CASE("DRAM bank: the next activate of a bank waits t_rp after the precharge and t_rc after the last activate") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 7, 100);
  banks.precharge(0, 120);
  CHECK(banks.ready_at(kActivate, 0) == 135);  // t_rc is the longer
  DramBanks late = two_groups_of_two();
  late.activate(0, 7, 100);
  late.precharge(0, 130);
  CHECK(late.ready_at(kActivate, 0) == 141);  // t_rp is the longer
}

TEST_CASE("DRAM bank: activates of other banks wait t_rrd, longer in the same group") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 7, 100);
  CHECK(banks.ready_at(kActivate, 1) == 106);
  CHECK(banks.ready_at(kActivate, 2) == 103);
}

TEST_CASE("DRAM bank: a fifth activate waits for the window of four") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 1, 100);
  banks.activate(2, 1, 103);
  banks.activate(1, 1, 106);
  banks.activate(3, 1, 109);
  banks.precharge(0, 120);
  CHECK(banks.ready_at(kActivate, 0) == 140);  // t_faw 40 after the first, not t_rc 135
}

TEST_CASE("DRAM bank: column commands keep t_ccd, longer in the same group") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 1, 100);
  banks.activate(2, 1, 103);
  banks.access(kRead, 0, 1, 120);
  CHECK(banks.ready_at(kRead, 0) == 124);
  CHECK(banks.ready_at(kRead, 2) == 122);
}

TEST_CASE("DRAM bank: the bursts of one access follow each other at t_ccd_s and count from the last") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 1, 100);
  banks.activate(2, 1, 103);
  CHECK(banks.access(kRead, 0, 3, 120) == 124);
  CHECK(banks.ready_at(kRead, 2) == 126);
  CHECK(banks.ready_at(kRead, 0) == 128);
  CHECK(banks.ready_at(kPrecharge, 0) == 130);
}

TEST_CASE("DRAM bank: the turnaround from write to read and back takes its time") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 1, 100);
  banks.activate(2, 1, 103);
  banks.access(kWrite, 0, 1, 120);
  CHECK(banks.ready_at(kRead, 0) == 120 + 5 + 2 + 8);
  CHECK(banks.ready_at(kRead, 2) == 120 + 5 + 2 + 5);
  banks.access(kRead, 2, 1, 140);
  CHECK(banks.ready_at(kWrite, 0) == 147);
}

TEST_CASE("DRAM bank: a refresh closes the row and blocks the bank for t_rfc") {
  DramBanks banks = two_groups_of_two();
  banks.activate(0, 1, 100);
  banks.refresh(0, 105);
  CHECK(banks.open_row(0) == DramBanks::kClosed);
  CHECK(banks.ready_at(kActivate, 0) == 120 + 11 + 100);  // t_ras first, then t_rp
  CHECK(banks.ready_at(kActivate, 2) == 103);
}

}  // namespace warpsim

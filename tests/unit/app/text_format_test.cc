#include "app/text_format.h"

#include <catch2/catch.hpp>

#include "app/simulation/progress.h"

namespace warpsim {

TEST_CASE("text: numbers in readable form") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(short_count(999) == "999");
  CHECK(short_count(36965) == "37.0 k");
  CHECK(short_count(1234567) == "1.23 M");
  CHECK(short_count(999999) == "1.00 M");
  CHECK(short_count(2.5e12) == "2.50 T");
  CHECK(short_seconds(12.64e-6) == "12.64 us");
  CHECK(short_seconds(0.25) == "250.00 ms");
  CHECK(short_seconds(42) == "42.0 s");
  CHECK(short_seconds(185) == "3 min 05 s");
  CHECK(short_seconds(7260) == "2 h 01 min");
}

TEST_CASE("text: a table is as wide as its widest cells and has no blanks at line ends") {
  TextTable table({{"name", Align::kLeft}, {"value", Align::kRight}, {"note", Align::kLeft}});
  table.add({"a", "1,000", "x"});
  table.add({"longer", "2", ""});
  CHECK(table.render() ==
        "  name    value  note\n"
        "  ------  -----  ----\n"
        "  a       1,000  x\n"
        "  longer      2\n");
}

TEST_CASE("text: a kernel's name without result, parameters, template arguments and namespaces") {
  CHECK(short_kernel_name("k_bfs_level(int const*, int)", 30) == "k_bfs_level");
  CHECK(short_kernel_name("void at::native::reduce_kernel<512, 1, at::native::Op<float> >(Op)", 30) == "reduce_kernel");
  CHECK(short_kernel_name("plain", 30) == "plain");
  CHECK(short_kernel_name("abcdefghij", 6) == "abcd..");
}

TEST_CASE("progress line: cycle, instructions done of total, rate and time left") {
  ProgressState state;
  state.runs = 1;
  state.label = "bfs[2]";
  state.launch = {12345, 1'000'000, 25, 100};
  state.instructions = 3'000'000;
  state.seconds = 2;
  state.launch_seconds = 1;
  CHECK(progress_line(state, 200) ==
        "bfs[2]  #####---------------  25 %  cycle 12,345  1.00 M of ~4.00 M instr  1.50 M/s  ETA 3.0 s");
  CHECK(progress_line(state, 10) == "bfs[2]  ##");
}

TEST_CASE("progress line: there is no estimate before the first block is done") {
  ProgressState state;
  state.runs = 3;
  state.runs_done = 1;
  state.label = "x[0]";
  state.launch = {500, 2000, 0, 10};
  CHECK(progress_line(state, 200) == "1 of 3 runs  x[0]  --------------------   0 %  cycle 500  2.00 k instr");
}

}  // namespace warpsim

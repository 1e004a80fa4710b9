#include "stats/details_writer.h"

#include <catch2/catch.hpp>

#include "stats/schema.h"
#include "support/temporary_folder.h"

using namespace warpsim;

namespace {

ListedProgram program() {
  return {"_Z1kv", 90, {{0, "LDG.E R4, [R2]", "k.cu", 7}, {16, "FADD R5, R4, R4"}, {32, "EXIT"}}};
}

// A run with two launches of 100 cycles, 50 ns each.
void begin(Database& database) {
  create_schema(database);
  database.execute(
      "INSERT INTO run (run_id, name, source, status, gpu, version) VALUES (1, 'r', 'simulated', 'complete', 'g', '1');"
      "INSERT INTO kernel VALUES ('_Z1kv', 'k()', 'k');"
      "INSERT INTO launch (run_id, launch_index, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, "
      "elapsed_cycles, duration_ns) VALUES (1, 0, '_Z1kv', 1, 1, 1, 32, 1, 1, 100, 50), (1, 1, '_Z1kv', 1, 1, 1, 32, "
      "1, "
      "1, 100, 50)");
}

double number(const Database& database, const std::string& sql) {
  Statement row(database, sql);
  REQUIRE(row.step());
  REQUIRE_FALSE(row.is_null(0));
  return row.real(0);
}

TEST_CASE("time series in the database: views give rates of the intervals") {
  const TemporaryFolder folder;
  Database database(folder.at("d.db"), Database::Mode::kCreate);
  begin(database);
  SampleSeries series;
  const auto set = [](std::vector<std::uint64_t>& row, std::size_t table, const std::string& name,
                      std::uint64_t value) {
    const auto columns = sample_tables()[table].columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name == name) {
        row[i] = value;
      }
    }
  };
  std::vector<std::uint64_t> sm(sample_tables()[0].columns.size());
  set(sm, 0, "instructions", 30);
  set(sm, 0, "thread_instructions", 480);
  set(sm, 0, "stalled_selected", 30);
  set(sm, 0, "stalled_not_selected", 10);
  set(sm, 0, "stalled_wait", 60);
  set(sm, 0, "l1_load_sectors", 8);
  set(sm, 0, "l1_load_hit_sectors", 2);
  series.add(0, {20, 20, 5, sm});
  std::vector<std::uint64_t> channel(sample_tables()[2].columns.size());
  set(channel, 2, "dram_bytes_read", 640);
  set(channel, 2, "dram_row_hits", 3);
  set(channel, 2, "dram_row_conflicts", 1);
  set(channel, 2, "dram_queue", 9);
  series.add(2, {20, 20, 1, channel});
  DetailsWriter(database).add(1, 1, {.series = &series});

  const std::string from_sm = " FROM timeseries_sm WHERE run_name = 'r' AND launch_index = 1 AND instance = 5";
  CHECK(number(database, "SELECT ipc" + from_sm) == 1.5);
  CHECK(number(database, "SELECT active_warps" + from_sm) == 5);
  CHECK(number(database, "SELECT eligible_warps" + from_sm) == 2);
  CHECK(number(database, "SELECT threads_per_instruction" + from_sm) == 16);
  CHECK(number(database, "SELECT l1_hit_pct" + from_sm) == 25);
  CHECK(number(database, "SELECT time_us" + from_sm) == Approx(0.01));
  const std::string from_dram = " FROM timeseries_dram_channel";
  CHECK(number(database, "SELECT dram_read_gb_per_s" + from_dram) == 64);  // 640 bytes in 10 ns
  CHECK(number(database, "SELECT dram_row_hit_pct" + from_dram) == 75);
  CHECK(number(database, "SELECT dram_queue" + from_dram) == 9);
}

TEST_CASE("hot spots in the database: programs once, shares of the launch, loads by latency") {
  const TemporaryFolder folder;
  Database database(folder.at("d.db"), Database::Mode::kCreate);
  begin(database);
  HotSpotTable spots(3);
  spots[0].add(HotSpotColumn::kExecuted, 4);
  spots[0].add(HotSpotColumn::kRequests, 4);
  spots[0].add(HotSpotColumn::kSectors, 16);
  spots[0].add(HotSpotColumn::kHitSectors, 4);
  spots[0].add_load(30);
  spots[0].add_load(31);
  spots[0].add_load(600);
  spots[0].add_stall(0, 4);
  spots[1].add_stall(0, 4);
  spots[1].add_stall(10, 24);  // long_scoreboard
  const ListedProgram listed = program();
  DetailsWriter writer(database);
  writer.add(1, 0, {.hot_spots = &spots, .program = &listed});
  writer.add(1, 1, {.hot_spots = &spots, .program = &listed});

  CHECK(database.integer("SELECT count(*) FROM program") == 1);
  CHECK(database.integer("SELECT count(*) FROM instruction") == 3);
  CHECK(database.integer("SELECT count(*) FROM hot_spots WHERE launch_index = 1") == 2);  // the third was not executed
  const std::string second = " FROM hot_spots WHERE launch_index = 1 AND position = 1";
  CHECK(number(database, "SELECT stall_cycles" + second) == 24);
  CHECK(number(database, "SELECT warp_cycles_pct" + second) == 87.5);
  CHECK(number(database, "SELECT address" + second) == 16);
  const std::string first = " FROM hot_spots WHERE launch_index = 0 AND position = 0";
  CHECK(number(database, "SELECT sectors_per_request" + first) == 4);
  CHECK(number(database, "SELECT l1_hit_pct" + first) == 25);
  CHECK(number(database, "SELECT source_line" + first) == 7);
  CHECK(number(database, "SELECT mean_load_cycles" + first) == Approx(661.0 / 3));
  CHECK(number(database, "SELECT greatest_load_cycles" + first) == 600);
  CHECK(number(database,
               "SELECT loads FROM hot_spot_latency WHERE launch_index = 0 AND lower_bound <= 30 AND 31 <= "
               "upper_bound") == 2);
  CHECK(number(database,
               "SELECT warp_cycles FROM hot_spot_stalls WHERE launch_index = 0 AND reason = "
               "'long_scoreboard'") == 24);
  Statement unknown(database, "SELECT source_file, l1_hit_pct" + second);
  REQUIRE(unknown.step());
  CHECK(unknown.is_null(0));
  CHECK(unknown.is_null(1));
}

}  // namespace

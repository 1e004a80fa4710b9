#include "stats/schema_series.h"

#include <catch2/catch.hpp>

#include "stats/database.h"
#include "stats/hot_spot_columns.h"
#include "stats/sample_columns.h"
#include "stats/schema.h"
#include "support/temporary_folder.h"

using namespace warpsim;

namespace {

std::int64_t columns_of(const Database& database, const std::string& table) {
  return database.integer("SELECT count(*) FROM pragma_table_info('" + table + "')");
}

TEST_CASE("series: the device's table has the columns of all others, and every view can be read") {
  const TemporaryFolder folder;
  Database database(folder.at("series.db"), Database::Mode::kCreate);
  create_schema(database);
  std::int64_t all = 4;  // run, launch, cycle, cycles
  for (const SampleTable& table : sample_tables()) {
    const auto own = static_cast<std::int64_t>(table.columns.size());
    all += own;
    if (*table.component != '\0') {
      CHECK(columns_of(database, table.name) == own + 5);  // and the instance
    }
  }
  CHECK(columns_of(database, "sample_device") == all);
  CHECK(columns_of(database, "hot_spot") == 3 + kHotSpotColumns);
  for (const char* view : {"timeseries", "timeseries_sm", "timeseries_l2_slice", "timeseries_dram_channel",
                           "timeseries_stalls", "hot_spots", "hot_spot_stalls"}) {
    CHECK(database.integer("SELECT count(*) FROM " + std::string(view)) == 0);
  }
}

}  // namespace

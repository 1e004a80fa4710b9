// Stores time series and hot spots of launches (tables of stats/schema_series.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stats/database.h"
#include "stats/launch_details.h"

namespace warpsim {

class DetailsWriter {
 public:
  // The database has the schema and outlives this.
  explicit DetailsWriter(Database& database);
  ~DetailsWriter();

  // Must be called inside a transaction.
  void add(std::int64_t run_id, std::uint32_t launch_index, const LaunchDetails& details);

 private:
  void add_series(std::int64_t run_id, std::uint32_t launch_index, const SampleSeries& series);
  void add_hot_spots(std::int64_t run_id, std::uint32_t launch_index, const LaunchDetails& details);
  void add_latencies(std::int64_t run_id, std::uint32_t launch_index, std::uint32_t position,
                     const HotSpot::Buckets& buckets);
  std::int64_t program_id(const ListedProgram& program);

  Database& database_;
  std::vector<std::unique_ptr<Statement>> samples_;  // by table
  Statement hot_spot_;
  Statement latency_;
};

}  // namespace warpsim

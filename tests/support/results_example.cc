#include "support/results_example.h"

#include "stats/results_writer.h"
#include "stats/schema_variants.h"

namespace warpsim {

namespace {

void insert_run(Database& database, const ExampleRun& run) {
  const bool simulated = run.source == "simulated";
  Statement row(database,
                "INSERT INTO run (name, source, status, gpu, config_hash, trace, trace_hash, version) "
                "VALUES (?, ?, 'complete', ?, ?, ?, ?, '0.1.0')");
  row.bind(1, std::string_view(run.name)).bind(2, std::string_view(run.source)).bind(3, std::string_view(run.gpu));
  if (simulated) {
    row.bind(4, std::string_view(run.config_hash)).bind(5, std::string_view(run.trace));
    row.bind(6, std::string_view(run.trace_hash));
  }
  row.run();
}

void insert_launch(Database& database, std::int64_t run_id, std::uint32_t index, const ExampleLaunch& launch) {
  Statement(database, "INSERT OR IGNORE INTO kernel VALUES (?, ?, ?)")
      .bind(1, std::string_view(launch.kernel))
      .bind(2, std::string_view(launch.kernel))
      .bind(3, std::string_view(launch.kernel))
      .run();
  Statement row(database,
                "INSERT INTO launch (run_id, launch_index, kernel, status, grid_x, grid_y, grid_z, block_x, block_y, "
                "block_z, elapsed_cycles, duration_ns) VALUES (?, ?, ?, 'complete', 4, 1, 1, 128, 1, 1, 1000, 500)");
  row.bind(1, run_id).bind(2, index).bind(3, std::string_view(launch.kernel)).run();
  for (const auto& [name, value] : launch.metrics) {
    Statement(database, "INSERT OR IGNORE INTO metric VALUES (?, '', '', NULL)").bind(1, std::string_view(name)).run();
    Statement metric(database, "INSERT INTO metric_value VALUES (?, ?, ?, ?)");
    metric.bind(1, run_id).bind(2, index).bind(3, std::string_view(name)).bind(4, value).run();
  }
  for (const auto& [name, value] : launch.attributes) {
    Statement attribute(database, "INSERT INTO launch_attribute VALUES (?, ?, ?, ?)");
    attribute.bind(1, run_id).bind(2, index).bind(3, std::string_view(name)).bind(4, value).run();
  }
}

}  // namespace

void write_example_results(const std::string& path, const std::vector<ExampleRun>& runs) {
  { const ResultsWriter creates_the_schema(path); }
  Database database(path, Database::Mode::kReadWrite);
  Transaction transaction(database);
  for (const ExampleRun& run : runs) {
    insert_run(database, run);
    const std::int64_t run_id = database.last_row_id();
    for (const auto& [key, value] : run.config) {
      Statement config(database, "INSERT INTO config VALUES (?, ?, ?, 'example')");
      config.bind(1, run_id).bind(2, std::string_view(key)).bind(3, std::string_view(value)).run();
    }
    for (std::uint32_t i = 0; i < run.launches.size(); ++i) {
      insert_launch(database, run_id, i, run.launches[i]);
    }
  }
  update_sweep_view(database);
  transaction.commit();
}

}  // namespace warpsim

#include "stats/details_writer.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace warpsim {

namespace {

// "INSERT INTO table VALUES (?, ?, ...)".
std::string insert_into(const std::string& table, std::size_t columns) {
  std::string sql = "INSERT INTO " + table + " VALUES (?";
  for (std::size_t i = 1; i < columns; ++i) {
    sql += ", ?";
  }
  return sql + ")";
}

std::size_t columns_of(const SampleTable& table) {
  const std::size_t keys = is_of_device(table) ? 4 : 5;  // run, launch, cycle, instance, cycles
  return keys + all_columns(table).size();
}

// Equal for programs with equal listings.
std::uint64_t hash_of(const ListedProgram& program) {
  std::string text = program.kernel + "\n" + std::to_string(program.architecture) + "\n";
  for (const ListedProgram::Instruction& instruction : program.instructions) {
    text += fmt::format("{:x} {} {}:{}\n", instruction.address, instruction.text, instruction.source_file,
                        instruction.source_line);
  }
  return XXH64(text.data(), text.size(), 0);
}

// The number of a program follows from its listing, so that it does not depend on which launch is stored first. Readers
// of JSON keep integers of 53 bits.
std::int64_t number_of(std::uint64_t hash) {
  return static_cast<std::int64_t>(hash >> 12U);
}

}  // namespace

DetailsWriter::DetailsWriter(Database& database)
    : database_(database),
      hot_spot_(database, insert_into("hot_spot", 3 + kHotSpotColumns)),
      latency_(database, insert_into("hot_spot_latency", 6)) {
  for (const SampleTable& table : sample_tables()) {
    samples_.push_back(std::make_unique<Statement>(database, insert_into(table.name, columns_of(table))));
  }
}

DetailsWriter::~DetailsWriter() = default;

void DetailsWriter::add(std::int64_t run_id, std::uint32_t launch_index, const LaunchDetails& details) {
  if (details.series != nullptr) {
    add_series(run_id, launch_index, *details.series);
  }
  if (details.hot_spots != nullptr) {
    add_hot_spots(run_id, launch_index, details);
  }
}

void DetailsWriter::add_series(std::int64_t run_id, std::uint32_t launch_index, const SampleSeries& series) {
  for (std::size_t table = 0; table < samples_.size(); ++table) {
    Statement& insert = *samples_[table];
    const bool instances = !is_of_device(sample_tables()[table]);
    series.for_each(table, [&](const SampleSeries::Row& row) {
      insert.bind(1, run_id).bind(2, launch_index).bind(3, row.cycle);
      int parameter = 3;
      if (instances) {
        insert.bind(++parameter, row.instance);
      }
      insert.bind(++parameter, row.cycles);
      for (const std::uint64_t value : row.values) {
        insert.bind(++parameter, value);
      }
      insert.run();
    });
  }
}

std::int64_t DetailsWriter::program_id(const ListedProgram& program) {
  const std::uint64_t value = hash_of(program);
  const std::string hash = fmt::format("{:016x}", value);
  Statement find(database_, "SELECT program_id FROM program WHERE hash = ?");
  find.bind(1, std::string_view(hash));
  if (find.step()) {
    return find.integer(0);
  }
  const std::int64_t id = number_of(value);
  Statement(database_, insert_into("program", 4))
      .bind(1, id)
      .bind(2, std::string_view(program.kernel))
      .bind(3, program.architecture)
      .bind(4, std::string_view(hash))
      .run();
  Statement insert(database_, insert_into("instruction", 6));
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const ListedProgram::Instruction& instruction = program.instructions[i];
    insert.bind(1, id).bind(2, static_cast<std::uint64_t>(i)).bind(3, instruction.address);
    insert.bind(4, std::string_view(instruction.text));
    if (instruction.source_file.empty()) {
      insert.bind_null(5).bind_null(6).run();
    } else {
      insert.bind(5, std::string_view(instruction.source_file)).bind(6, instruction.source_line).run();
    }
  }
  return id;
}

void DetailsWriter::add_hot_spots(std::int64_t run_id, std::uint32_t launch_index, const LaunchDetails& details) {
  Statement(database_, insert_into("launch_program", 3))
      .bind(1, run_id)
      .bind(2, launch_index)
      .bind(3, program_id(*details.program))
      .run();
  const std::vector<HotSpot>& rows = details.hot_spots->rows();
  for (std::uint32_t position = 0; position < rows.size(); ++position) {
    const HotSpot& spot = rows[position];
    if (std::ranges::all_of(spot.counts(), [](std::uint64_t count) { return count == 0; })) {
      continue;
    }
    hot_spot_.bind(1, run_id).bind(2, launch_index).bind(3, position);
    int parameter = 3;
    for (const std::uint64_t count : spot.counts()) {
      hot_spot_.bind(++parameter, count);
    }
    hot_spot_.run();
    if (spot.latencies() != nullptr) {
      add_latencies(run_id, launch_index, position, *spot.latencies());
    }
  }
}

void DetailsWriter::add_latencies(std::int64_t run_id, std::uint32_t launch_index, std::uint32_t position,
                                  const HotSpot::Buckets& buckets) {
  for (std::uint32_t bucket = 0; bucket < buckets.size(); ++bucket) {
    if (buckets[bucket] == 0) {
      continue;
    }
    latency_.bind(1, run_id).bind(2, launch_index).bind(3, position).bind(4, Histogram::lower_bound(bucket));
    if (bucket + 1 < Histogram::kBuckets) {
      latency_.bind(5, Histogram::lower_bound(bucket + 1) - 1);
    } else {
      latency_.bind_null(5);
    }
    latency_.bind(6, buckets[bucket]).run();
  }
}

}  // namespace warpsim

#include "app/simulation/summary.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "app/text_format.h"
#include "base/error.h"
#include "stats/database.h"

namespace warpsim {

namespace {

constexpr std::size_t kMostRows = 60;
constexpr std::size_t kSummaryKernelWidth = 26;

std::string number(const Statement& row, int column, int digits) {
  return row.is_null(column) ? "-" : fmt::format("{:.{}f}", row.real(column), digits);
}
std::string percent(const Statement& row, int column) {
  return row.is_null(column) ? "-" : fmt::format("{:.0f} %", row.real(column));
}

// "256 x 1 x 1" is shortened to "256".
std::string trimmed_size(std::string size) {
  const std::string unit = " x 1";
  while (size.size() > unit.size() && size.ends_with(unit)) {
    size.resize(size.size() - unit.size());
  }
  return size;
}

struct Totals {
  std::uint64_t launches = 0;
  double instructions = 0;
  std::set<std::string> gpus;
  std::set<std::string> limited;
  bool has_streams = false;  // the database has the work of a device
  // The runs with each note.
  std::map<std::string, std::vector<std::string>> notes;
};

void add_run(const Database& database, std::int64_t run_id, TextTable& table, Totals& totals) {
  Statement rows(database,
                 "SELECT run_name, launch_index, name, grid, block, cycles, time_us, instructions, ipc, "
                 "occupancy_achieved_pct, occupancy_theoretical_pct, l1_hit_pct, l2_hit_pct, dram_gb_per_s, "
                 "mean_load_latency_cycles, top_stall, gpu, status FROM kernel_summary WHERE run_id = ? "
                 "ORDER BY launch_index");
  rows.bind(1, run_id);
  while (rows.step()) {
    ++totals.launches;
    totals.instructions += rows.real(7);
    totals.gpus.insert(rows.text(16));
    if (rows.text(17) == "limited") {
      totals.limited.insert(fmt::format("{}[{}]", rows.text(0), rows.integer(1)));
    }
    if (totals.launches > kMostRows) {
      continue;
    }
    const std::string occupancy = percent(rows, 9) + (rows.is_null(10) ? "" : fmt::format(" of {:.0f}", rows.real(10)));
    table.add({fmt::format("{}[{}]", rows.text(0), rows.integer(1)),
               short_kernel_name(rows.text(2), kSummaryKernelWidth), trimmed_size(rows.text(3)),
               trimmed_size(rows.text(4)), grouped(static_cast<std::uint64_t>(rows.integer(5))),
               short_seconds(rows.real(6) * 1e-6), short_count(rows.real(7)), number(rows, 8, 2), occupancy,
               percent(rows, 11), percent(rows, 12), number(rows, 13, 0), number(rows, 14, 0),
               rows.is_null(15) ? "-" : rows.text(15)});
  }
  Statement works(database, "SELECT EXISTS (SELECT 1 FROM device_work WHERE run_id = ?)");
  works.bind(1, run_id);
  while (works.step()) {
    totals.has_streams = totals.has_streams || works.integer(0) != 0;
  }
  Statement notes(database, "SELECT note, name FROM run_note JOIN run USING (run_id) WHERE run_id = ? ORDER BY number");
  notes.bind(1, run_id);
  while (notes.step()) {
    totals.notes[notes.text(0)].push_back(notes.text(1));
  }
}

void require_run(const Database& database, std::int64_t run_id) {
  Statement rows(database, "SELECT count(*) FROM run WHERE run_id = ?");
  rows.bind(1, run_id);
  while (rows.step()) {
    if (rows.integer(0) == 0) {
      throw DatabaseError(database.path() + ": a run that was just stored was replaced or deleted by another process");
    }
  }
}

std::string closing_lines(const std::string& database, const Totals& totals) {
  std::string text;
  if (totals.launches > kMostRows) {
    text += fmt::format("  ... and {} more launches in the view kernel_summary\n", totals.launches - kMostRows);
  }
  for (const auto& [note, runs] : totals.notes) {
    const bool many = runs.size() > 3;
    text += fmt::format("\n  note: {}: {}",
                        many ? fmt::format("{} runs", runs.size()) : fmt::format("{}", fmt::join(runs, ", ")), note);
  }
  for (const std::string& launch : totals.limited) {
    text += fmt::format("\n  limited: {} reached --max-cycles; its results end there", launch);
  }
  if (!totals.notes.empty() || !totals.limited.empty()) {
    text += "\n";
  }
  text += fmt::format("\n  Statistics are in {}. To view them:\n", database);
  text += fmt::format("  sqlite3 -box {} 'SELECT * FROM kernel_summary'\n", database);
  if (totals.has_streams) {
    text += "  The views streams and device_timeline have what the device did in its streams. For Perfetto's viewer:\n";
    text += fmt::format("  warpsim export {} --view device_timeline -o device.pftrace\n", database);
  }
  return text;
}

}  // namespace

std::string summary_text(const std::string& database, const std::vector<std::int64_t>& run_ids,
                         const SummaryWork& work) {
  const Database file(database, Database::Mode::kReadOnly);
  TextTable table({{"launch", Align::kLeft},
                   {"kernel", Align::kLeft},
                   {"grid", Align::kRight},
                   {"block", Align::kRight},
                   {"cycles", Align::kRight},
                   {"time", Align::kRight},
                   {"instr", Align::kRight},
                   {"IPC", Align::kRight},
                   {"occupancy", Align::kRight},
                   {"L1 hit", Align::kRight},
                   {"L2 hit", Align::kRight},
                   {"DRAM GB/s", Align::kRight},
                   {"load lat.", Align::kRight},
                   {"top stall", Align::kLeft}});
  Totals totals;
  for (const std::int64_t run_id : run_ids) {
    require_run(file, run_id);
    add_run(file, run_id, table, totals);
  }
  const std::string speed = work.launches_before == 0
                                ? fmt::format("({}/s)", short_count(totals.instructions / work.seconds))
                                : fmt::format("({} of the launches were stored before)", work.launches_before);
  std::string text =
      fmt::format("\n  {}: {} launch{} of {} run{}, {} warp instructions, {} of host time {}\n\n",
                  fmt::join(totals.gpus, ", "), totals.launches, totals.launches == 1 ? "" : "es", run_ids.size(),
                  run_ids.size() == 1 ? "" : "s", short_count(totals.instructions), short_seconds(work.seconds), speed);
  if (!table.empty()) {
    text += table.render();
  }
  return text + closing_lines(database, totals);
}

}  // namespace warpsim

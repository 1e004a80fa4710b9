// Views that compare runs (docs/statistics.md): the parameters that vary between the runs of a database, the variant
// and the workload of each run, and the speed-up of one variant over another.
//
// A variant is the configuration of a run: GPU, values of its description, cache control. A workload is the simulated
// trace or program. Runs with equal variant and workload are the first, second, ... repetition of a variant.
#pragma once

#include <string>

namespace warpsim {

class Database;

// CREATE VIEW parameters, variants, speedups, mean_speedups. They are created after the tables.
std::string variant_schema();

// Recreates the view `sweep` if its columns differ from the parameters that vary. Must be called within the transaction
// that adds or removes runs.
void update_sweep_view(Database& database);

}  // namespace warpsim

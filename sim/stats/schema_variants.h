// Views that set runs against each other (docs/statistics.md): what varies between the runs of a database, which runs
// are of one variant and of one workload, and how much faster one variant is than another.
//
// A variant is what a run is simulated with: GPU, values of its description, cache control. A workload is what it
// simulates: a trace or a program. Runs that agree in both are the first, second, ... repetition of a variant.
#pragma once

#include <string>

namespace warpsim {

class Database;

// CREATE VIEW parameters, variants, speedups, mean_speedups. To be created after the tables.
std::string variant_schema();

// Creates the view `sweep` anew if the parameters that vary are others than those that it has columns for. To be called
// within the transaction that adds runs or removes them.
void update_sweep_view(Database& database);

}  // namespace warpsim

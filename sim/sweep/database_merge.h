// Joins results databases: all runs of several files in one, in the order of the files.
//
// Which tables there are, what their rows belong to and which columns are numbers of other rows is read from the schema
// itself (table_roles()), so that a table that is added later is carried like all others. Rows of a run go with it and
// get its new number. Rows that runs share (statistics, instances, kernels, metrics, programs) are stored once: of rows
// with the same key the first one stays, and its number takes the place of the others'.
//
// Invariant: the target holds either all runs of all files or what it held before. Everything happens in one
// transaction; a target that did not exist is built beside its name and gets its name when it is whole. If another
// process has made a file of that name meanwhile, the runs are added to that.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace warpsim {

class Database;

// What the schema says of one table.
struct TableRole {
  std::string name;
  std::vector<std::string> columns;
  std::string id;                        // column by which others refer to a row, if it is a mere number; else empty
  std::vector<std::string> natural_key;  // by which equal rows of shared tables are known
  bool shared = false;                   // not part of a run

  bool has(const std::string& column) const;
};

// Of all tables, in an order in which rows can be stored: what others refer to comes first. Throws InternalError for a
// table that cannot be carried: one whose rows are shared and have nothing but a number to be known by.
std::vector<TableRole> table_roles(const Database& database);

struct MergeOptions {
  bool replace = false;  // a run takes the place of an earlier one of its name and source
  // Asked before each file with the number of files done; what it throws ends the merge, and nothing is left of it.
  std::function<void(std::size_t done)> progress;
};

// Adds the runs of `inputs` to `target`, which is made if it does not exist. Returns how many runs were added. Throws
// DatabaseError for a file that is not a results database of this schema version, a name that is there already, a
// statistic counted in different units, and files that cannot be read or written.
std::size_t merge_databases(const std::string& target, const std::vector<std::string>& inputs,
                            const MergeOptions& options);

// The same, with the file at `scratch` (of the target's file system, overwritten) in place of a name beside the target,
// and a target that exists replaced as a whole.
std::size_t merge_into_new(const std::string& target, const std::string& scratch,
                           const std::vector<std::string>& inputs, const MergeOptions& options);

}  // namespace warpsim

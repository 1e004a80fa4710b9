// Merges results databases: all runs of several files in one, in the order of the files.
//
// The tables, the owners of their rows and the columns that refer to other rows are read from the schema
// (table_roles()), so that later tables are also merged. Rows of a run get its new number. Rows that runs share
// (statistics, instances, kernels, metrics, programs) are stored once: of rows with the same key the first one stays,
// and its number replaces the others'.
//
// Invariant: the target contains either all runs of all files or its old content. Everything happens in one
// transaction. A new target is built under a temporary name and renamed when it is complete. If another process has
// created a file of that name meanwhile, the runs are added to that file.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace warpsim {

class Database;

// The role of one table according to the schema.
struct TableRole {
  std::string name;
  std::vector<std::string> columns;
  std::string id;                        // column by which others refer to a row, if it is only a number; else empty
  std::vector<std::string> natural_key;  // columns that identify equal rows of shared tables
  bool shared = false;                   // not part of a run

  bool has(const std::string& column) const;
};

// Of all tables, in an order in which rows can be stored: referenced tables first. Throws InternalError for a table
// that cannot be merged: its rows are shared and have no key besides a number.
std::vector<TableRole> table_roles(const Database& database);

struct MergeOptions {
  bool replace = false;  // a run replaces an earlier one of its name and source
  // Called before each file with the number of files done; if it throws, the merge is undone.
  std::function<void(std::size_t done)> progress;
};

// Adds the runs of `inputs` to `target`, which is created if it does not exist. Returns how many runs were added.
// Throws DatabaseError for a file that is not a results database of this schema version, a name that already exists,
// a statistic counted in different units, and files that cannot be read or written.
std::size_t merge_databases(const std::string& target, const std::vector<std::string>& inputs,
                            const MergeOptions& options);

// The same, but with `scratch` (on the target's file system, overwritten) as the temporary file; an existing target is
// replaced completely.
std::size_t merge_into_new(const std::string& target, const std::string& scratch,
                           const std::vector<std::string>& inputs, const MergeOptions& options);

}  // namespace warpsim

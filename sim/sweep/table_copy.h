// Rows of one results database added to another, table by table, for database_merge.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "stats/database.h"
#include "sweep/database_merge.h"

namespace warpsim {

// Copies one file's rows. Runs and shared rows get new numbers; references are translated.
class TableCopy {
 public:
  TableCopy(const Database& source, Database& target, const std::vector<TableRole>& roles)
      : source_(source), target_(target), roles_(roles) {}

  // All tables. Throws DatabaseError.
  void copy_all();

 private:
  using Numbers = std::map<std::int64_t, std::int64_t>;  // number in the target, by number in the source

  void copy(const TableRole& role);
  void copy_runs(const TableRole& role);
  void copy_shared(const TableRole& role);
  void copy_owned(const TableRole& role);
  // Binds the current row of `read` with translated numbers; `first` is the parameter of the first column.
  void bind_row(const TableRole& role, const Statement& read, Statement& write);
  std::int64_t translated(const std::string& column, std::int64_t number) const;
  void refuse_other_unit(const TableRole& role, const Statement& read, std::int64_t found) const;

  const Database& source_;
  Database& target_;
  const std::vector<TableRole>& roles_;
  std::map<std::string, Numbers> numbers_;  // by column
};

}  // namespace warpsim

#include "app/commands/merge_command.h"

#include <fmt/format.h>

#include <ostream>

#include "app/exit_codes.h"
#include "sweep/database_merge.h"

namespace warpsim {

int merge_command(const MergeCommandOptions& options, std::ostream& out) {
  const std::size_t runs = merge_databases(options.out, options.inputs, {options.replace, {}});
  out << fmt::format("{} runs of {} databases are now in {}\n", runs, options.inputs.size(), options.out);
  return kExitDone;
}

}  // namespace warpsim

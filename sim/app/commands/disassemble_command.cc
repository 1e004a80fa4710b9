#include "app/commands/disassemble_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "app/commands/generated_listing.h"
#include "app/exit_codes.h"
#include "app/program/code_file.h"
#include "base/demangle.h"
#include "base/error.h"
#include "sass/cubin.h"
#include "sass/cubin_listing.h"
#include "sass/decoder.h"

namespace warpsim {

namespace {

std::string list_of(const std::set<std::string>& names) {
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

bool is_decodable(std::uint32_t architecture) {
  try {
    const sass::Decoder decoder(architecture);
    return true;
  } catch (const sass::UnknownInstruction&) {
    return false;
  }
}

// The entries to print. All of them must have a table of instructions.
std::vector<CodeEntry> chosen_entries(const CodeFile& file, const DisassembleOptions& options) {
  std::vector<CodeEntry> chosen;
  std::set<std::string> held(file.others().begin(), file.others().end());
  std::set<std::string> unknown;
  std::set<std::string> known;
  for (const CodeEntry& entry : file.entries()) {
    held.insert(entry.target);
    (is_decodable(entry.architecture) ? known : unknown).insert(entry.target);
    if (options.target.empty() || entry.target == options.target) {
      chosen.push_back(entry);
    }
  }
  if (chosen.empty()) {
    const std::string what = options.target.empty() ? "machine code" : "machine code for " + options.target;
    throw UserError(fmt::format("{}: {} expected, it holds {}", options.file, what, list_of(held)));
  }
  for (const CodeEntry& entry : chosen) {
    if (unknown.contains(entry.target)) {
      throw UserError(
          fmt::format("{}: code for {} cannot be disassembled; expected a file or --arch with sm_70, sm_75, "
                      "sm_80, sm_86, sm_89 or sm_90; the file holds {} of these",
                      entry.place, entry.target, list_of(known)));
    }
  }
  return chosen;
}

std::size_t print_machine_code(const DisassembleOptions& options, const sass::ListingOptions& listing,
                               std::ostream& out) {
  const CodeFile file(options.file);
  std::size_t printed = 0;
  for (const CodeEntry& entry : chosen_entries(file, options)) {
    const sass::Cubin cubin(CodeFile::cubin_of(entry), entry.place);
    printed += sass::print_listing(cubin, listing, out);
  }
  return printed;
}

}  // namespace

int disassemble_command(const DisassembleOptions& options, std::ostream& out) {
  sass::ListingOptions listing;
  listing.words = options.words;
  if (!options.function.empty()) {
    listing.wanted = [&options](std::string_view name) {
      const std::string mangled(name);
      return mangled.find(options.function) != std::string::npos ||
             demangle(mangled).find(options.function) != std::string::npos;
    };
  }
  const std::size_t printed = options.is_ptx ? print_generated(options.file, options.architecture, listing.wanted, out)
                                             : print_machine_code(options, listing, out);
  if (printed == 0) {
    throw UserError(options.function.empty()
                        ? options.file + ": no function; expected a section of code"
                        : fmt::format("{}: no function whose name contains '{}'; expected part of a mangled or "
                                      "readable name",
                                      options.file, options.function));
  }
  return kExitDone;
}

}  // namespace warpsim

#include "frontend/lowering/lowering_findings.h"

#include <fmt/format.h>

#include <atomic>
#include <set>

namespace warpsim {

void LoweringCounts::add(const LoweringCounts& more) {
  const auto sum = [](std::uint64_t& total, std::uint64_t part) {
    if (part != 0) {
      std::atomic_ref(total).fetch_add(part, std::memory_order_relaxed);
    }
  };
  sum(executed, more.executed);
  sum(replaced, more.replaced);
  sum(issued, more.issued);
  sum(copies, more.copies);
  sum(copied_bytes, more.copied_bytes);
  sum(barrier_operations, more.barrier_operations);
  sum(barrier_operations_left_out, more.barrier_operations_left_out);
  sum(unknown, more.unknown);
}

namespace {

// "IMAD (XMAD, XMAD.MRG, ...), LDGSTS (...)", of those with the nativity.
std::string list_of(const std::map<std::string, LoweredProgram::Change>& changed, Nativity nativity) {
  std::vector<std::string> items;
  for (const auto& [opcode, change] : changed) {
    if (change.nativity == nativity) {
      items.push_back(nativity == Nativity::kMissing ? opcode : fmt::format("{} ({})", opcode, change.sequence));
    }
  }
  return fmt::format("{}", fmt::join(items, ", "));
}

void note_asynchronous(const LoweringFindings& all, std::vector<std::string>& notes) {
  if (all.copies != 0) {
    notes.push_back(
        fmt::format("the {} bulk copies ({} bytes) are executed by all lanes of the warps that started them, one copy "
                    "after another; a program for that capability would distribute them over the block",
                    all.copies, all.copied_bytes));
  }
  if (all.barrier_operations != 0) {
    notes.push_back(
        fmt::format("{} operations on barriers with byte counts become accesses to shared memory: warps still wait for "
                    "the copies, but the cost of polling is not modelled",
                    all.barrier_operations));
  }
  if (all.cluster_dropped) {
    notes.push_back(fmt::format(
        "compute capability {} has no clusters: their blocks run independently, no warp waits at their barriers with "
        "byte counts ({} operations left out), and a copy to several blocks is executed once per block",
        capability_text(all.architecture), all.barrier_operations_left_out));
  }
  if (all.unknown != 0) {
    notes.push_back(fmt::format(
        "{} copies and barrier operations are left out, because their barrier or size is not known", all.unknown));
  }
}

}  // namespace

std::string capability_text(std::uint32_t architecture) {
  return fmt::format("{}.{}", architecture / 10, architecture % 10);
}

std::vector<std::string> lowering_notes(const std::vector<std::shared_ptr<const LoweringFindings>>& findings) {
  std::vector<std::string> notes;
  if (findings.empty()) {
    return notes;
  }
  LoweringFindings all = *findings.front();
  std::set<std::string> cut;
  for (const auto& one : findings) {
    all.changed.insert(one->changed.begin(), one->changed.end());
    all.control_dropped = all.control_dropped || one->control_dropped;
    if (one != findings.front()) {
      all.executed += one->executed;
      all.replaced += one->replaced;
      all.issued += one->issued;
      all.copies += one->copies;
      all.copied_bytes += one->copied_bytes;
      all.barrier_operations += one->barrier_operations;
      all.barrier_operations_left_out += one->barrier_operations_left_out;
      all.unknown += one->unknown;
    }
    all.cluster_dropped = all.cluster_dropped || one->cluster_dropped;
    if (one->registers_cut != 0) {
      cut.insert(fmt::format("{} ({})", one->kernel, one->registers_cut));
    }
  }
  notes.push_back(fmt::format(
      "code of sm_{} runs on compute capability {}: {} of {} warp instructions ({:.1f} %) do not exist there, {} are "
      "issued in all; a compiler for that capability would choose other registers and another order: trends are "
      "reliable, cycle counts are not",
      all.recorded_architecture, capability_text(all.architecture), all.replaced, all.executed,
      all.executed == 0 ? 0.0 : 100.0 * static_cast<double>(all.replaced) / static_cast<double>(all.executed),
      all.issued));
  if (const std::string list = list_of(all.changed, Nativity::kSequence); !list.empty()) {
    notes.push_back("replaced: " + list);
  }
  if (const std::string list = list_of(all.changed, Nativity::kMissing); !list.empty()) {
    notes.push_back("left out, because the capability has no equivalent: " + list +
                    "; the simulated kernels differ from the recorded ones");
  }
  note_asynchronous(all, notes);
  if (all.control_dropped) {
    notes.push_back("the control bits are for another generation: dependences are tracked by register instead");
  }
  if (!cut.empty()) {
    notes.push_back(
        fmt::format("more registers per thread than the GPU has (spills are not modelled): {}", fmt::join(cut, ", ")));
  }
  return notes;
}

}  // namespace warpsim

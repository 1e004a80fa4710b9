#include "app/simulation/thread_note.h"

#include <fmt/format.h>

#include <iostream>

#include "sweep/local_engine.h"

namespace warpsim {

std::string thread_note(std::uint64_t jobs, std::uint32_t threads, std::uint32_t processors) {
  const std::uint64_t total = jobs * threads;
  if (total <= processors) {
    return {};
  }
  std::string what = fmt::format("{} threads", total);
  if (jobs > 1) {
    what = fmt::format("{} jobs with {} thread{} each", jobs, threads, threads == 1 ? "" : "s");
  }
  return fmt::format("note: {} for {} processor{}: results do not change, but the simulation may take longer", what,
                     processors, processors == 1 ? "" : "s");
}

void tell_thread_note(std::uint64_t jobs, std::uint32_t threads) {
  const std::string note = thread_note(jobs, threads, usable_processors());
  if (!note.empty()) {
    std::cerr << "warpsim: " << note << "\n";
  }
}

}  // namespace warpsim

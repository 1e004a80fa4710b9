#include "mechanisms/prefetch_answer.h"

#include <fmt/format.h>

#include "base/error.h"
#include "mechanisms/prefetch_stats.h"

namespace warpsim {

void require_lines(const mechanism::PrefetchList& wanted, const std::string& name) {
  for (const mechanism::PrefetchList::Line& line : wanted) {
    if (line.line % mechanism::kLineBytes != 0) [[unlikely]] {
      throw ConfigError(fmt::format("prefetcher '{}' requests the line {:#x}, expected a multiple of {}", name,
                                    line.line, mechanism::kLineBytes));
    }
    if (line.sectors > kPrefetchableSectors) [[unlikely]] {
      throw ConfigError(fmt::format("prefetcher '{}' requests the sectors {:#x} of a line, expected some of {:#x}",
                                    name, line.sectors, kPrefetchableSectors));
    }
  }
}

}  // namespace warpsim

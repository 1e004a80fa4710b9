#include "memory/l2/l2_config.h"

#include <algorithm>

#include "base/types.h"
#include "memory/access/access_window.h"
#include "memory/caches/line_parts.h"

namespace warpsim {

void describe(ConfigSection& section, L2PersistenceConfig& config) {
  section.integer("max_sixteenths", config.max_sixteenths, 0, 16,
                  "sixteenths of L2 that a program may set aside for persisting lines; 0: not possible");
  section.integer("first_sixteenths", config.first_sixteenths, 0, 16,
                  "those that are set aside before the program asks");
  section.integer("max_window_mib", config.max_window_mib, 0, 65536, "largest access policy window in MiB");
  section.integers("hit_permille", config.hit_permille, 0, 1000,
                   "lines of a window with the property of hits, per thousand, for each sixteenth of the hit ratio");
  if (config.first_sixteenths > config.max_sixteenths) {
    section.problem("first_sixteenths", "must not exceed max_sixteenths");
  }
  if (config.hit_permille.size() != AccessWindows::kSteps || !std::ranges::is_sorted(config.hit_permille)) {
    section.problem("hit_permille", "expected 16 values in ascending order");
  }
}

void describe(ConfigSection& section, L2Config& config) {
  section.boolean("keeps_lines", config.keeps_lines,
                  "false: a chip without L2, whose slices forward each transaction to DRAM (1.x)");
  section.integer("num_sets", config.num_sets, 1, 65535, "sets of a slice");
  section.integer("num_ways", config.num_ways, 1, 1024, "ways of a set, lines");
  section.integer("compressed_ways", config.compressed_ways, 0, 1024,
                  "tags of a set whose num_ways lines of data hold lines as compression makes them; 0: a line always "
                  "takes a way");
  describe_parts(
      section, "line_bytes", config.line_bytes,
      "a line: 32, 64 or 128; a slice looks up each line of a request, and has sets, ways and misses of lines");
  describe_mechanism(section, "replacement", config.replacement,
                     {{"lru", Replacement::kLru}, {"fifo", Replacement::kFifo}, {"random", Replacement::kRandom}},
                     Replacement::kMechanism, config.replacement_mechanism, "which line of a set is replaced");
  describe_mechanism(section, "prefetcher", config.prefetcher,
                     "lines of a slice that are requested before a read needs them");
  describe_mechanism(section, "sector_fetch", config.sector_fetch,
                     "which sectors of a line a miss requests from DRAM; none: those of fill_bytes");
  describe_mechanism(section, "miss_admission", config.miss_admission,
                     "which misses of lines at home have to wait although there is an entry for them; none: none");
  describe_mechanism(section, "write_policy", config.write_policy,
                     "what becomes of written data at home; none: they stay and are written back");
  describe_mechanism(section, "compression", config.compression, "how many sectors a line takes in DRAM; none: all");
  if (!config.keeps_lines &&
      (config.prefetcher.chosen() || config.replacement_mechanism.chosen() || config.sector_fetch.chosen() ||
       config.miss_admission.chosen() || config.write_policy.chosen() || config.compression.chosen())) {
    section.problem("keeps_lines",
                    "is false: a chip without L2 has neither a prefetcher, replacement, sectors to fetch, an "
                    "admission of misses, a write policy nor compression");
  }
  section.integer("mshr_entries", config.mshr_entries, 1, 65536,
                  "lines whose home is this slice with an outstanding miss");
  section.integer("far_mshr_entries", config.far_mshr_entries, 1, 65536,
                  "lines whose home is the other partition with an outstanding miss");
  section.integer("mshr_waiters", config.mshr_waiters, 1, 65536, "requests that wait for one such line");
  section.real("data_bytes_per_cycle", config.data_bytes_per_cycle, 0.01, 1e6, "bytes read from a slice per L2 cycle");
  section.real("request_bytes_per_cycle", config.request_bytes_per_cycle, 0.01, 1e6,
               "bytes of requests that a slice takes from the crossbar per L2 cycle, with the data of writes");
  section.integer("reply_queue_entries", config.reply_queue_entries, 1, 65536,
                  "responses that wait for the data port before lookups stop");
  describe_parts(section, "fill_bytes", config.fill_bytes, "a read miss fetches this aligned block: 32, 64 or 128");
  section.real("atomic_sector_cycles", config.atomic_sector_cycles, 0, 1000,
               "L2 cycles of an atomic operation on part of a sector");
  section.real("atomic_full_sector_cycles", config.atomic_full_sector_cycles, 0, 1000,
               "L2 cycles of an atomic operation on all words of a sector");
  section.integer("atomic_latency_cycles", config.atomic_latency_cycles, 0, 1000,
                  "additional L2 cycles of an atomic's response compared with a read");
  section.real("atomic_reply_cycles", config.atomic_reply_cycles, 0, 1000,
               "L2 cycles for which the response sector of an atomic occupies the slice's response path");
  section.integer("atomic_queue_cycles", config.atomic_queue_cycles, 1, 65536,
                  "cycles of atomic work that may wait before lookups stop");
  section.boolean("keep_far_writes_near", config.keep_far_writes_near,
                  "a write whose home is far also leaves a clean copy in the near slice");
  section.boolean("far_reads_leave_home_first", config.far_reads_leave_home_first,
                  "a line fetched into its home slice for the other partition is replaced first");
  section.integer("max_dirty_ways", config.max_dirty_ways, 0, 1024,
                  "dirty lines of a set beyond which the oldest is written back; 0 for no limit");
  section.integer("writeback_lines", config.writeback_lines, 1, 4096,
                  "a dirty line is written back with the dirty ones among so many aligned neighbours in its slice");
  section.integer("max_partial_sectors", config.max_partial_sectors, 0, 1U << 24,
                  "partly written sectors of a slice beyond which the oldest are completed from DRAM; 0 for no limit");
  section.boolean("masked_writes", config.masked_writes,
                  "DRAM takes the written bytes of a partly written sector, which need not be completed before");
  section.integer("writeback_queue_entries", config.writeback_queue_entries, 1, 65536,
                  "write-backs that wait for DRAM before lookups stop");
  section.nested("persistence", config.persistence, "lines that L2 keeps while others pass through it");
  section.nested("launch_traffic", config.launch_traffic, "requests for a launch besides those of its accesses");
  section.boolean("perfect", config.perfect, "idealisation: every request hits in the near slice");
  section.boolean("unlimited_mshrs", config.unlimited_mshrs, "idealisation: any number of outstanding misses");
  section.boolean("unlimited_bandwidth", config.unlimited_bandwidth,
                  "idealisation: any number of lookups and any data rate per cycle");
  check_fill(section, config.fill_bytes, config.line_bytes);
  if (config.compressed_ways != 0 && config.compressed_ways < config.num_ways) {
    section.problem("compressed_ways", "must be 0 or at least num_ways");
  }
  if (config.compressed_ways != 0 && config.replacement_mechanism.chosen()) {
    section.problem("compressed_ways",
                    "must be 0 with a replacement mechanism, which chooses among full sets; expected lru, fifo or "
                    "random");
  }
  if (config.compression.chosen() && config.line_bytes != kLineBytes) {
    section.problem("line_bytes", "must be 128 with compression, which compresses 128 bytes together");
  }
}

}  // namespace warpsim

#include "memory/translation/translation_config.h"

#include <bit>
#include <string_view>

namespace warpsim {
namespace {

constexpr std::uint64_t kMaxCycles = 1000000;
constexpr std::uint32_t kMaxPages = 1U << 20;
constexpr std::uint64_t kMaxDirectoryLevels = 6;  // the window of page tables has room for one more

// Regions are aligned.
void pages(ConfigSection& section, std::string_view key, std::uint32_t& out, std::string_view sentence) {
  section.integer(key, out, 1, kMaxPages, sentence);
  if (!std::has_single_bit(out)) {
    section.problem(key, "must be a power of two");
  }
}

void describe_level(ConfigSection& section, TranslationLevelConfig& config) {
  section.integer("sets", config.sets, 1, 65536, "sets; a power of two");
  if (!std::has_single_bit(config.sets)) {
    section.problem("sets", "must be a power of two");
  }
  section.integer("ways", config.ways, 1, 1024, "entries of a set");
  pages(section, "entry_pages", config.entry_pages, "neighbouring pages that an entry covers; a power of two");
  section.real("lookups_per_cycle", config.lookups_per_cycle, 0.001, 1000, "lookups per L2 cycle");
}

void describe_tables(ConfigSection& section, PageTablesConfig& config) {
  section.boolean("in_memory", config.in_memory,
                  "whether walks read page tables in memory, one entry after another, and take as long as the reads; "
                  "false: walks take a fixed time");
  if (!config.in_memory && !section.given("entry_bytes", "none")) {
    return;  // a section that only switches off
  }
  section.integer("entry_bytes", config.entry_bytes, 8, 16, "bytes of the entry of a page, 8 or 16");
  if (!std::has_single_bit(config.entry_bytes)) {
    section.problem("entry_bytes", "must be 8 or 16");
  }
  section.integer("directory_levels", config.directory_levels, 0, kMaxDirectoryLevels,
                  "entries of upper levels, of 8 bytes, that a walk reads first if it misses in the directory cache");
  section.integer("step_cycles", config.step_cycles, 0, kMaxCycles,
                  "L2 cycles from the answer to a read of a walk to the next read, or to the end of the walk");
}

}  // namespace

void describe(ConfigSection& section, TranslationConfig& config) {
  section.boolean("enabled", config.enabled,
                  "whether translations can miss; false: every address is translated at once");
  if (!config.enabled && !section.given("sm_entries", "none")) {
    return;  // a section that only switches off
  }
  section.boolean("starts_full", config.starts_full,
                  "whether every level holds at the start what is requested first, as after earlier launches that "
                  "used the same memory; false: it is empty");
  section.integer("page_kib", config.page_kib, 4, 1U << 20, "KiB of a page; a power of two");
  if (!std::has_single_bit(config.page_kib)) {
    section.problem("page_kib", "must be a power of two");
  }
  section.integer("sm_entries", config.sm_entries, 1, 1024, "entries of each SM");
  pages(section, "sm_entry_pages", config.sm_entry_pages,
        "neighbouring pages that an entry of an SM covers; a power of two");
  section.integer("sm_misses", config.sm_misses, 1, 1024, "requests of an SM that wait for translations at a time");
  section.integer("groups_per_gpc", config.groups_per_gpc, 1, 64,
                  "groups of a GPC's TPCs: a TPC belongs to the group of its position in the GPC modulo this number");
  section.section("group", "the translation cache of a group",
                  [&](ConfigSection& inner) { describe_level(inner, config.group); });
  section.integer("group_latency_cycles", config.group_latency_cycles, 3, kMaxCycles,
                  "L2 cycles by which a request is later that finds its translation in the group");
  section.integer("group_misses", config.group_misses, 1, 1024, "translations that a group waits for at a time");
  section.section("gpu", "the translation cache of the GPU",
                  [&](ConfigSection& inner) { describe_level(inner, config.gpu); });
  section.integer("gpu_partition", config.gpu_partition, 0, 1, "L2 partition that the GPU's translation cache is in");
  section.integer("gpu_near_latency_cycles", config.gpu_near_latency_cycles, 1, kMaxCycles,
                  "further L2 cycles if the group misses and the GPU's translation cache hits: GPCs of its partition");
  section.integer("gpu_far_latency_cycles", config.gpu_far_latency_cycles, 1, kMaxCycles, "the same: other GPCs");
  section.integer("walks", config.walks, 1, 1024, "walks through page tables at a time");
  section.integer("walk_latency_cycles", config.walk_latency_cycles, 1, kMaxCycles,
                  "further L2 cycles of a walk whose upper levels are in the directory cache; without effect if page "
                  "tables are in memory");
  section.integer("directory_entries", config.directory_entries, 1, 65536, "entries of the directory cache");
  pages(section, "directory_entry_pages", config.directory_entry_pages,
        "neighbouring pages that an entry of the directory cache covers; a power of two");
  section.integer("directory_miss_cycles", config.directory_miss_cycles, 0, kMaxCycles,
                  "further L2 cycles of a walk that misses in the directory cache; without effect if page tables are "
                  "in memory");
  if (section.given("tables", "none")) {
    section.section("tables", "page tables in memory; without the section walks take a fixed time",
                    [&](ConfigSection& inner) { describe_tables(inner, config.tables); });
  }
}

}  // namespace warpsim

#include "mechanisms/mechanism_reference.h"

#include <fmt/format.h>

#include <utility>

#include "mechanisms/mechanism_choice.h"
#include "mechanisms/mechanism_keys.h"
#include "stats/launch_stats.h"

namespace warpsim {

namespace {

// Records the keys that a mechanism declares.
class KeyList final : public mechanism::Keys {
 public:
  void integer(const char* key, std::uint32_t& value, std::uint32_t min, std::uint32_t max,
               const char* sentence) override {
    declared_.add(key, sentence, min <= value && value <= max);
    keys.push_back({key, fmt::format("{} to {}", min, max), std::to_string(value), sentence});
  }
  void real(const char* key, double& value, double min, double max, const char* sentence) override {
    declared_.add(key, sentence, min <= value && value <= max);
    keys.push_back({key, fmt::format("{} to {}", min, max), fmt::format("{}", value), sentence});
  }
  void boolean(const char* key, bool& value, const char* sentence) override {
    declared_.add(key, sentence, true);
    keys.push_back({key, "true or false", value ? "true" : "false", sentence});
  }

  std::vector<MechanismKey> keys;

 private:
  DeclaredKeys declared_;
};

// A place like those of a GPU, for an object that only declares its counters.
template <typename Interface>
typename Interface::Site example_site();
template <>
mechanism::WarpSchedulerSite example_site<mechanism::WarpScheduler>() {
  return {.warp_slots = 16, .sub_core = 0};
}
template <>
mechanism::ReplacementSite example_site<mechanism::Replacement>() {
  return {.cache = mechanism::CacheLevel::kL2, .sets = 64, .ways = 16};
}
template <>
mechanism::PrefetcherSite example_site<mechanism::Prefetcher>() {
  return {.cache = mechanism::CacheLevel::kL1};
}
template <>
mechanism::L1InsertionSite example_site<mechanism::L1Insertion>() {
  return {.sets = 64};
}
template <>
mechanism::DramSchedulerSite example_site<mechanism::DramScheduler>() {
  return {.banks = 16, .channel = 0};
}

template <>
mechanism::BlockPlacementSite example_site<mechanism::BlockPlacement>() {
  static constexpr std::uint32_t kPlace = 0;
  return {.sms = 1, .gpcs = 1, .gpc_of_sm = &kPlace, .tpc_of_sm = &kPlace};
}
template <>
mechanism::AddressHashSite example_site<mechanism::AddressHash>() {
  return {.places = 48};
}
template <>
mechanism::NetworkSite example_site<mechanism::Network>() {
  static constexpr std::uint32_t kPartition = 0;
  return {.gpcs = 1, .slices = 1, .partitions = 1, .partition_of_gpc = &kPartition};
}

template <>
mechanism::SectorFetchSite example_site<mechanism::SectorFetch>() {
  return {.cache = mechanism::CacheLevel::kL1};
}

template <>
mechanism::WritePolicySite example_site<mechanism::WritePolicy>() {
  return {.cache = mechanism::CacheLevel::kL1};
}

template <>
mechanism::CompressionSite example_site<mechanism::Compression>() {
  return {};
}

template <>
mechanism::ArbitrationSite example_site<mechanism::Arbitration>() {
  return {.requesters = 8};
}

template <>
mechanism::MissAdmissionSite example_site<mechanism::MissAdmission>() {
  return {.cache = mechanism::CacheLevel::kL1, .entries = 16};
}

template <typename Interface>
MechanismText text_of(const mechanism::Entry<Interface>& entry, const std::string& library) {
  MechanismText text;
  text.name = library.empty() ? entry.name : library + ":" + entry.name;
  text.sentence = entry.sentence;
  std::shared_ptr<mechanism::Factory<Interface>> factory = entry.make_factory();
  KeyList keys;
  factory->describe(keys);
  text.keys = std::move(keys.keys);
  LaunchStats<StatGroup> root("root");
  MechanismCounters counters(root, "mechanism");
  MechanismChoice<Interface>(entry.name, factory).make(example_site<Interface>(), counters);
  for (const MechanismCounter& counter : counters.declared()) {
    text.counters.push_back({counter.name, to_string(unit_of(counter.unit)), counter.sentence});
  }
  return text;
}

template <typename Interface>
MechanismKind kind_of(std::string title, std::vector<std::string> chosen_by,
                      const std::vector<mechanism::Entry<Interface>>& entries, const std::string& library) {
  MechanismKind kind{std::move(title), std::move(chosen_by), {}};
  for (const mechanism::Entry<Interface>& entry : entries) {
    kind.mechanisms.push_back(text_of(entry, library));
  }
  return kind;
}

// `entries_of` returns the entries of an interface, which a null pointer names.
template <typename EntriesOf>
std::vector<MechanismKind> all_kinds(const EntriesOf& entries_of, const std::string& library) {
  using namespace mechanism;
  return {kind_of("Warp schedulers", {"sm.sub_core.scheduler.policy"}, entries_of(static_cast<WarpScheduler*>(nullptr)),
                  library),
          kind_of("Replacement", {"sm.l1.replacement", "l2.replacement"},
                  entries_of(static_cast<Replacement*>(nullptr)), library),
          kind_of("Prefetchers", {"sm.l1.prefetcher", "l2.prefetcher"}, entries_of(static_cast<Prefetcher*>(nullptr)),
                  library),
          kind_of("Insertion into L1", {"sm.l1.insertion"}, entries_of(static_cast<L1Insertion*>(nullptr)), library),
          kind_of("DRAM schedulers", {"dram.scheduler"}, entries_of(static_cast<DramScheduler*>(nullptr)), library),
          kind_of("Block placement", {"block_scheduler.placement.policy"},
                  entries_of(static_cast<BlockPlacement*>(nullptr)), library),
          kind_of("Address hashes", {"address_map.hash"}, entries_of(static_cast<AddressHash*>(nullptr)), library),
          kind_of("Arbitrations", {"crossbar.arbitration"}, entries_of(static_cast<Arbitration*>(nullptr)), library),
          kind_of("Networks", {"crossbar.network"}, entries_of(static_cast<Network*>(nullptr)), library),
          kind_of("Sectors of misses", {"sm.l1.sector_fetch", "l2.sector_fetch"},
                  entries_of(static_cast<SectorFetch*>(nullptr)), library),
          kind_of("Admission of misses", {"sm.l1.miss_admission", "l2.miss_admission"},
                  entries_of(static_cast<MissAdmission*>(nullptr)), library),
          kind_of("Write policies", {"sm.l1.write_policy", "l2.write_policy"},
                  entries_of(static_cast<WritePolicy*>(nullptr)), library),
          kind_of("Compressions", {"l2.compression"}, entries_of(static_cast<Compression*>(nullptr)), library)};
}

}  // namespace

std::vector<MechanismKind> shipped_mechanism_kinds() {
  return all_kinds([]<typename Interface>(Interface*) { return shipped_mechanisms<Interface>(); }, "");
}

std::vector<MechanismKind> library_mechanism_kinds(const MechanismLibrary& library) {
  std::vector<MechanismKind> kinds =
      all_kinds([&library]<typename Interface>(Interface*) { return library.entries<Interface>(); }, library.path());
  std::erase_if(kinds, [](const MechanismKind& kind) { return kind.mechanisms.empty(); });
  return kinds;
}

}  // namespace warpsim

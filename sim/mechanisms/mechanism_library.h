// A shared library with mechanisms of a user (include/warpsim/library.h).
//
// Modelled: opening, the check of version and layout, the list of what the library declares. The library stays open
// until the process ends, since objects of its classes may live as long.
#pragma once

#include <string>
#include <vector>

#include "warpsim/library.h"

namespace warpsim {

class MechanismLibrary {
 public:
  // Throws ConfigError with the path and what was expected.
  explicit MechanismLibrary(const std::string& path);

  const std::string& path() const { return path_; }
  // xxHash64 of the file: results depend on it.
  const std::string& hash() const { return hash_; }

  // Entries of one interface, in the order of their declaration.
  template <typename Interface>
  const std::vector<mechanism::Entry<Interface>>& entries() const {
    return declared_.list(static_cast<const Interface*>(nullptr));
  }

 private:
  class Declared final : public mechanism::Registry {
   public:
    void add(const mechanism::Entry<mechanism::WarpScheduler>& entry) override { schedulers_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::Replacement>& entry) override { replacements_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::Prefetcher>& entry) override { prefetchers_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::L1Insertion>& entry) override { insertions_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::DramScheduler>& entry) override { dram_schedulers_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::BlockPlacement>& entry) override { placements_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::AddressHash>& entry) override { hashes_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::Network>& entry) override { networks_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::SectorFetch>& entry) override { sector_fetches_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::WritePolicy>& entry) override { write_policies_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::Compression>& entry) override { compressions_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::MissAdmission>& entry) override { admissions_.push_back(entry); }
    void add(const mechanism::Entry<mechanism::Arbitration>& entry) override { arbitrations_.push_back(entry); }

    const auto& list(const mechanism::WarpScheduler* /*interface*/) const { return schedulers_; }
    const auto& list(const mechanism::Replacement* /*interface*/) const { return replacements_; }
    const auto& list(const mechanism::Prefetcher* /*interface*/) const { return prefetchers_; }
    const auto& list(const mechanism::L1Insertion* /*interface*/) const { return insertions_; }
    const auto& list(const mechanism::DramScheduler* /*interface*/) const { return dram_schedulers_; }
    const auto& list(const mechanism::BlockPlacement* /*interface*/) const { return placements_; }
    const auto& list(const mechanism::AddressHash* /*interface*/) const { return hashes_; }
    const auto& list(const mechanism::Network* /*interface*/) const { return networks_; }
    const auto& list(const mechanism::SectorFetch* /*interface*/) const { return sector_fetches_; }
    const auto& list(const mechanism::WritePolicy* /*interface*/) const { return write_policies_; }
    const auto& list(const mechanism::Compression* /*interface*/) const { return compressions_; }
    const auto& list(const mechanism::MissAdmission* /*interface*/) const { return admissions_; }
    const auto& list(const mechanism::Arbitration* /*interface*/) const { return arbitrations_; }

   private:
    std::vector<mechanism::Entry<mechanism::WarpScheduler>> schedulers_;
    std::vector<mechanism::Entry<mechanism::Replacement>> replacements_;
    std::vector<mechanism::Entry<mechanism::Prefetcher>> prefetchers_;
    std::vector<mechanism::Entry<mechanism::L1Insertion>> insertions_;
    std::vector<mechanism::Entry<mechanism::DramScheduler>> dram_schedulers_;
    std::vector<mechanism::Entry<mechanism::BlockPlacement>> placements_;
    std::vector<mechanism::Entry<mechanism::AddressHash>> hashes_;
    std::vector<mechanism::Entry<mechanism::Network>> networks_;
    std::vector<mechanism::Entry<mechanism::SectorFetch>> sector_fetches_;
    std::vector<mechanism::Entry<mechanism::WritePolicy>> write_policies_;
    std::vector<mechanism::Entry<mechanism::Compression>> compressions_;
    std::vector<mechanism::Entry<mechanism::MissAdmission>> admissions_;
    std::vector<mechanism::Entry<mechanism::Arbitration>> arbitrations_;
  };

  template <typename Interface>
  void check_entries() const;

  std::string path_;
  std::string hash_;
  Declared declared_;
};

}  // namespace warpsim

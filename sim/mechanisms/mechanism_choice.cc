#include "mechanisms/mechanism_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "config/near_miss.h"
#include "mechanisms/mechanism_keys.h"

namespace warpsim {

namespace {

template <typename Interface>
struct Found {
  std::unique_ptr<mechanism::Factory<Interface>> factory;
  std::string library_hash;  // empty: a shipped mechanism
};

template <typename Interface>
const mechanism::Entry<Interface>* find_entry(const std::vector<mechanism::Entry<Interface>>& entries,
                                              const std::string& name) {
  for (const mechanism::Entry<Interface>& entry : entries) {
    if (entry.name == name) {
      return &entry;
    }
  }
  return nullptr;
}

template <typename Interface>
std::vector<std::string> names_of(const std::vector<mechanism::Entry<Interface>>& entries) {
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const mechanism::Entry<Interface>& entry : entries) {
    names.emplace_back(entry.name);
  }
  return names;
}

template <typename Interface>
Found<Interface> find_mechanism(const std::string& text, const std::string& folder) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) {
    const auto* const entry = find_entry(shipped_mechanisms<Interface>(), text);
    return {entry == nullptr ? nullptr : entry->make_factory(), {}};
  }
  const MechanismLibrary library((std::filesystem::path(folder) / text.substr(0, colon)).string());
  const std::string name = text.substr(colon + 1);
  const auto* const entry = find_entry(library.entries<Interface>(), name);
  if (entry == nullptr) {
    const std::vector<std::string> names = names_of(library.entries<Interface>());
    throw ConfigError(names.empty() ? fmt::format("{} has no mechanisms for this key", library.path())
                                    : fmt::format("{} has no '{}' for this key, only {}{}", library.path(), name,
                                                  fmt::join(names, ", "), did_you_mean(name, names)));
  }
  return {entry->make_factory(), library.hash()};
}

}  // namespace

template <typename Interface>
MechanismName choose_mechanism(ConfigSection& section, std::string_view key, const std::vector<std::string>& own_words,
                               MechanismChoice<Interface>& choice, std::string_view sentence) {
  std::vector<std::string> words = own_words;
  for (std::string& name : names_of(shipped_mechanisms<Interface>())) {
    words.push_back(std::move(name));
  }
  MechanismName name{own_words.front(), true};
  choice = {};
  const std::string folder = section.mechanism(key, name.text, words, sentence);
  if (std::find(own_words.begin(), own_words.end(), name.text) != own_words.end()) {
    section.refuse(std::string(key) + "_options", fmt::format("has no meaning: '{}' has no options", name.text));
    return name;
  }
  name.own = false;
  try {
    Found<Interface> found = find_mechanism<Interface>(name.text, folder);
    if (found.factory == nullptr) {
      return {own_words.front(), true};  // the section has reported the word
    }
    if (!found.library_hash.empty()) {
      section.derived(std::string(key) + "_library", found.library_hash);
    }
    mechanism::Factory<Interface>& factory = *found.factory;
    section.optional_section(std::string(key) + "_options", "keys of the mechanism",
                             [&factory](ConfigSection& options) { describe_keys(factory, options); });
    choice = {name.text, std::shared_ptr<const mechanism::Factory<Interface>>(std::move(found.factory))};
  } catch (const ConfigError& error) {
    section.problem(key, fmt::format("names '{}', which cannot be used: {}", name.text, error.what()));
  }
  return name;
}

template <typename Interface>
std::unique_ptr<Interface> MechanismChoice<Interface>::make(const typename Interface::Site& site,
                                                            MechanismCounters& counters) const {
  try {
    counters.begin_again();
    std::unique_ptr<Interface> object = factory_->make(site, counters);
    counters.complete();
    return object;
  } catch (const std::exception& error) {
    throw ConfigError(fmt::format("mechanism '{}': {}", name_, error.what()));
  }
}

#define WARPSIM_MECHANISM(Interface)                                                                         \
  template class MechanismChoice<mechanism::Interface>;                                                      \
  template MechanismName choose_mechanism(ConfigSection&, std::string_view, const std::vector<std::string>&, \
                                          MechanismChoice<mechanism::Interface>&, std::string_view)
WARPSIM_MECHANISM(WarpScheduler);
WARPSIM_MECHANISM(Replacement);
WARPSIM_MECHANISM(Prefetcher);
WARPSIM_MECHANISM(L1Insertion);
WARPSIM_MECHANISM(DramScheduler);
WARPSIM_MECHANISM(BlockPlacement);
WARPSIM_MECHANISM(AddressHash);
WARPSIM_MECHANISM(Network);
WARPSIM_MECHANISM(SectorFetch);
WARPSIM_MECHANISM(WritePolicy);
WARPSIM_MECHANISM(Compression);
WARPSIM_MECHANISM(MissAdmission);
WARPSIM_MECHANISM(Arbitration);
#undef WARPSIM_MECHANISM

}  // namespace warpsim

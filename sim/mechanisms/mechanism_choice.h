// How a description of a GPU chooses a mechanism: by the name of a shipped one, or as PATH:NAME of a library's.
//
//     struct L2Config {
//       Replacement replacement = Replacement::kLru;                          // of the component itself
//       MechanismChoice<mechanism::Replacement> replacement_mechanism;        // or one of these
//     };
//
// A component with ways of its own, which cost nothing to choose, names them beside the mechanisms. The keys of the
// mechanism are in a section beside its name: `replacement: rrip`, `replacement_options: {bits: 3}`.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config_section.h"
#include "mechanisms/mechanism_counters.h"
#include "mechanisms/mechanism_library.h"
#include "mechanisms/shipped_mechanisms.h"

namespace warpsim {

template <typename Interface>
class MechanismChoice {
 public:
  MechanismChoice() = default;
  MechanismChoice(std::string name, std::shared_ptr<const mechanism::Factory<Interface>> factory)
      : name_(std::move(name)), factory_(std::move(factory)) {}

  bool chosen() const { return factory_ != nullptr; }
  const std::string& name() const { return name_; }
  // `counters` must outlive the object. Throws ConfigError if the mechanism's constructor throws.
  std::unique_ptr<Interface> make(const typename Interface::Site& site, MechanismCounters& counters) const;

 private:
  std::string name_;
  std::shared_ptr<const mechanism::Factory<Interface>> factory_;
};

// One of the component's own words, or a mechanism.
struct MechanismName {
  std::string text;
  bool own = true;
};
// Declares `key` and the section of its options. The result is for the component: its own word, or `choice` is set.
template <typename Interface>
MechanismName choose_mechanism(ConfigSection& section, std::string_view key, const std::vector<std::string>& own_words,
                               MechanismChoice<Interface>& choice, std::string_view sentence);

// `out` becomes the component's own way of that name, or `other` if a mechanism was chosen.
template <typename Interface, typename E>
void describe_mechanism(ConfigSection& section, std::string_view key, E& out, std::initializer_list<EnumName<E>> own,
                        E other, MechanismChoice<Interface>& choice, std::string_view sentence) {
  std::vector<std::string> words;
  for (const EnumName<E>& entry : own) {
    words.emplace_back(entry.name);
  }
  const MechanismName name = choose_mechanism(section, key, words, choice, sentence);
  if (!name.own) {
    out = other;
    return;
  }
  for (const EnumName<E>& entry : own) {
    out = name.text == entry.name ? entry.value : out;
  }
}

// The same for a component that does without by default: `none`.
template <typename Interface>
void describe_mechanism(ConfigSection& section, std::string_view key, MechanismChoice<Interface>& choice,
                        std::string_view sentence) {
  choose_mechanism(section, key, {"none"}, choice, sentence);
}

}  // namespace warpsim

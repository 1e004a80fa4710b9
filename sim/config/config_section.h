// How a component declares its parameters: once, with key, range and description.
//
// Each component has a plain config struct and one function
//     void describe(ConfigSection& section, L2SliceConfig& config);
// that names every key through `section`. The same function reads a YAML map (strictly: unknown, missing, duplicate
// and out-of-range keys are all collected, each with file, line, column and a near-miss suggestion) and writes the
// reference of all keys (docs/config-reference.md), so that the two cannot differ.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

template <typename E>
struct EnumName {
  const char* name;
  E value;
};

class ConfigSection {
 public:
  virtual ~ConfigSection() = default;

  // Decimal integer in [min, max].
  virtual void integer(std::string_view key, std::uint32_t& out, std::uint64_t min, std::uint64_t max,
                       std::string_view sentence) = 0;
  virtual void integer(std::string_view key, std::uint64_t& out, std::uint64_t min, std::uint64_t max,
                       std::string_view sentence) = 0;
  virtual void real(std::string_view key, double& out, double min, double max, std::string_view sentence) = 0;
  virtual void boolean(std::string_view key, bool& out, std::string_view sentence) = 0;  // true or false
  virtual void text(std::string_view key, std::string& out, std::string_view sentence) = 0;
  virtual void integers(std::string_view key, std::vector<std::uint32_t>& out, std::uint64_t min, std::uint64_t max,
                        std::string_view sentence) = 0;
  // One of a list of words; `out` is the index of the chosen word.
  virtual void word(std::string_view key, std::size_t& out, const std::vector<std::string>& words,
                    std::string_view sentence) = 0;
  // The name of a mechanism: one of `words`, or PATH:NAME of one in a library. Returns the folder that PATH is relative
  // to; empty: the current one. `out` keeps its value if the name is not valid.
  virtual std::string mechanism(std::string_view key, std::string& out, const std::vector<std::string>& words,
                                std::string_view sentence) = 0;
  // A nested map. The callback is called once with the nested section.
  virtual void section(std::string_view key, std::string_view sentence,
                       const std::function<void(ConfigSection&)>& describe_nested) = 0;
  // The same for a map that may be absent, which is one without keys then.
  virtual void optional_section(std::string_view key, std::string_view sentence,
                                const std::function<void(ConfigSection&)>& describe_nested) = 0;
  // Whether the section has the key. If not, `fallback` is its value in effect.
  virtual bool given(std::string_view key, const std::string& fallback) = 0;
  // Reports the key with this message if the section has it.
  virtual void refuse(std::string_view key, const std::string& message) = 0;
  // A value that is not written in the description but follows from it, and that results depend on.
  virtual void derived(std::string_view key, const std::string& value) = 0;
  // Reports a problem that spans several keys of this section (cross-field rule).
  virtual void problem(std::string_view key, const std::string& message) = 0;

  template <typename E>
  void choice(std::string_view key, E& out, std::initializer_list<EnumName<E>> names, std::string_view sentence) {
    std::vector<std::string> words;
    std::vector<E> values;
    std::size_t index = 0;
    for (const EnumName<E>& entry : names) {
      if (entry.value == out) {
        index = words.size();
      }
      words.emplace_back(entry.name);
      values.push_back(entry.value);
    }
    word(key, index, words, sentence);
    out = values[index];
  }
  template <typename Config>
  void nested(std::string_view key, Config& config, std::string_view sentence) {
    section(key, sentence, [&config](ConfigSection& inner) { describe(inner, config); });
  }
};

}  // namespace warpsim

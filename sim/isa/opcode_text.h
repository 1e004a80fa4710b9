// An opcode's text, split: "LDG.E.128.CONSTANT" is base LDG with modifiers E, 128 and CONSTANT.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace warpsim {

class OpcodeText {
 public:
  explicit OpcodeText(std::string_view text) : rest_(text) {
    const std::size_t dot = text.find('.');
    base_ = text.substr(0, dot);
    rest_ = dot == std::string_view::npos ? std::string_view{} : text.substr(dot + 1);
  }

  std::string_view base() const { return base_; }

  // Calls `visit(modifier)` for each modifier from left to right.
  template <typename Visit>
  void for_each_modifier(Visit visit) const {
    std::string_view rest = rest_;
    while (!rest.empty()) {
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      visit(rest.substr(0, dot));
      rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
  }
  bool has(std::string_view modifier) const {
    bool found = false;
    for_each_modifier([&](std::string_view m) { found = found || m == modifier; });
    return found;
  }

 private:
  std::string_view base_;
  std::string_view rest_;
};

}  // namespace warpsim

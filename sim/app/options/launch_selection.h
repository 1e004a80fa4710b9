// The selected launches of a trace: "0,3-5".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpsim {

class LaunchSelection {
 public:
  // All launches.
  LaunchSelection() = default;
  // Indices and closed ranges, comma-separated. Throws UsageError.
  explicit LaunchSelection(const std::string& text);

  bool contains(std::uint32_t launch_index) const;
  // True once no later launch can be selected.
  bool beyond(std::uint32_t launch_index) const;
  // Largest index named; meaningful unless all() is.
  std::uint32_t last() const;
  bool all() const { return ranges_.empty(); }
  const std::string& text() const { return text_; }

 private:
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
  };
  std::string text_;
  std::vector<Range> ranges_;
};

}  // namespace warpsim

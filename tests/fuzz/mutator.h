// Makes texts from others, reproducibly: cuts, copies, splices and replaces bytes, numbers, words and lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  // One of `texts`, changed in a few places, with parts of the others inserted.
  std::string mutate(const std::vector<std::string>& texts);
  std::size_t below(std::size_t bound);

 private:
  struct Range {
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  void change(std::string& text, const std::string& other);
  Range range_of(std::string_view text, std::size_t longest);
  void replace_number(std::string& text);
  void repeat(std::string& text);

  std::mt19937_64 random_;
};

}  // namespace warpsim

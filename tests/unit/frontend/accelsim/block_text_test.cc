#include "frontend/accelsim/block_text.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "support/temporary_folder.h"

namespace warpsim {
namespace {

// What a handler is told, with the numbers of the lines.
struct HeardLines {
  const TextPlace* place = nullptr;
  std::vector<std::uint32_t> warps;
  std::vector<std::pair<std::uint64_t, std::string>> lines;
  void begin_warp(std::uint32_t warp) { warps.push_back(warp); }
  void instruction(std::string_view line) {
    REQUIRE(line.data()[line.size()] == '\n');
    lines.emplace_back(place->line_number, line);
  }
};

TEST_CASE("BlockText: lines are replayed with their numbers, which blank lines and warps interrupt") {
  const TemporaryFolder folder;
  InputStream input(folder.write("a.txt", "first\nsecond\n\nthird\nwarp\nfourth\nfifth"));
  BlockText text;
  BlockText::Copier copier(input, text);
  copier.begin_warp(3);
  std::string_view line;
  while (input.next_line(line)) {
    if (line == "warp") {
      copier.begin_warp(1);
    } else if (!line.empty()) {
      copier.instruction(line);
    }
  }
  TextPlace place;
  HeardLines heard;
  heard.place = &place;
  for (int again = 0; again < 2; ++again) {
    text.replay(heard, place);
  }
  const std::vector<std::pair<std::uint64_t, std::string>> once = {
      {1, "first"}, {2, "second"}, {4, "third"}, {6, "fourth"}, {7, "fifth"}};
  std::vector<std::pair<std::uint64_t, std::string>> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  CHECK(heard.lines == twice);
  CHECK(heard.warps == std::vector<std::uint32_t>{3, 1, 3, 1});
  text.clear();
  CHECK(text.bytes() == 0);
  HeardLines nothing;
  text.replay(nothing, place);
  CHECK(nothing.warps.empty());
}

}  // namespace
}  // namespace warpsim

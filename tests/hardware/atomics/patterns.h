// Words that the lanes of a warp access. `active`: active lanes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Pattern {
  const char* name;
  uint32_t active;
  int (*word)(int lane);
};

inline int skewed(int lane, int range, uint32_t seed) {  // squares of random numbers: few words often
  uint32_t x = (lane + 1) * 2654435761u + seed * 40503u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  x *= 3266489917u;
  x ^= x >> 16;
  const double u = (x >> 8) / 16777216.0;
  return static_cast<int>(u * u * u * range);
}

constexpr uint32_t kAll = 0xffffffffu;
inline const Pattern kPatterns[] = {
    {"lane", 1, [](int) { return 0; }},
    {"same", kAll, [](int) { return 0; }},
    {"words", kAll, [](int l) { return l; }},
    {"lines", kAll, [](int l) { return l * 32; }},
    // one line: lanes in each of its sectors
    {"sector2", 0x3, [](int l) { return l; }},
    {"sector4", 0xf, [](int l) { return l; }},
    {"sector8", 0xff, [](int l) { return l; }},
    {"sector16", 0xffff, [](int l) { return l; }},
    {"sector24", 0xffffff, [](int l) { return l; }},
    {"sectors2", 0x3, [](int l) { return l * 8; }},
    {"sectors3", 0x7, [](int l) { return l * 8; }},
    {"sectors4", 0xf, [](int l) { return l * 8; }},
    {"sectors4x2", 0xff, [](int l) { return l / 2 * 8 + l % 2; }},
    {"sectors4x4", 0xffff, [](int l) { return l / 4 * 8 + l % 4; }},
    {"sectors2x4", 0xff, [](int l) { return l / 4 * 8 + l % 4; }},
    // several lines
    {"lines8sectors4", kAll, [](int l) { return l * 8; }},
    {"lines16sectors2", kAll, [](int l) { return l / 2 * 32 + l % 2 * 8; }},
    {"lines16pair", kAll, [](int l) { return l / 2 * 32 + l % 2; }},
    {"lines8of4", kAll, [](int l) { return l / 4 * 32 + l % 4; }},
    {"lines4of8", kAll, [](int l) { return l / 8 * 32 + l % 8; }},
    {"lines2of16", kAll, [](int l) { return l / 16 * 32 + l % 16; }},
    {"lines4", 0xf, [](int l) { return l * 32; }},
    {"lines8", 0xff, [](int l) { return l * 32; }},
    {"lines16", 0xffff, [](int l) { return l * 32; }},
    // lanes that share words
    {"pairs", kAll, [](int l) { return l / 2; }},
    {"fours", kAll, [](int l) { return l / 4; }},
    {"eights", kAll, [](int l) { return l / 8; }},
    {"sixteens", kAll, [](int l) { return l / 16; }},
    {"modulo16", kAll, [](int l) { return l % 16; }},
    {"modulo8", kAll, [](int l) { return l % 8; }},
    {"modulo2", kAll, [](int l) { return l % 2; }},
    {"pairs_of_lines", kAll, [](int l) { return l / 2 * 32; }},
    {"modulo16_lines", kAll, [](int l) { return l % 16 * 32; }},
    {"eights_of_lines", kAll, [](int l) { return l / 8 * 32; }},
    {"two_words_uneven", kAll, [](int l) { return l < 24 ? 0 : 1; }},
    {"two_sectors_uneven", kAll, [](int l) { return l < 24 ? 0 : 8; }},
    {"two_lines_uneven", kAll, [](int l) { return l < 24 ? 0 : 32; }},
    // banks
    {"bank2", kAll, [](int l) { return l * 2; }},
    {"bank4", kAll, [](int l) { return l * 4; }},
    {"skew0", kAll, [](int l) { return l * 33; }},
    {"skew1", kAll, [](int l) { return l * 33 + 1; }},
    {"skew2", kAll, [](int l) { return l * 33 + 2; }},
    {"skew4", kAll, [](int l) { return l * 33 + 4; }},
    {"skew5", kAll, [](int l) { return l * 33 + 5; }},
    {"wrap1", kAll, [](int l) { return (l * 33 + 1) % 1024; }},
    {"wrap4", kAll, [](int l) { return (l * 33 + 4) % 1024; }},
    {"wrap449", kAll, [](int l) { return (l * 33 + 449) % 1024; }},
    {"reversed", kAll, [](int l) { return (31 - l) * 32; }},
    {"lines2", kAll, [](int l) { return l * 64; }},
    {"lines4apart", kAll, [](int l) { return l * 128; }},
    // skewed random words
    {"random0", kAll, [](int l) { return skewed(l, 1024, 1); }},
    {"random1", kAll, [](int l) { return skewed(l, 1024, 2); }},
    {"random2", kAll, [](int l) { return skewed(l, 1024, 3); }},
    {"random3", kAll, [](int l) { return skewed(l, 1024, 4); }},
    {"random4", kAll, [](int l) { return skewed(l, 256, 5); }},
    {"random5", kAll, [](int l) { return skewed(l, 256, 6); }},
    {"random6", kAll, [](int l) { return skewed(l, 256, 7); }},
    {"random7", kAll, [](int l) { return skewed(l, 64, 8); }},
    {"random8", kAll, [](int l) { return skewed(l, 64, 9); }},
    {"random9", kAll, [](int l) { return skewed(l, 16, 10); }},
    {"random10", kAll, [](int l) { return skewed(l, 65536, 11); }},
    {"random11", kAll, [](int l) { return skewed(l, 65536, 12); }},
};

inline const Pattern& pattern_of(const char* name) {
  for (const Pattern& pattern : kPatterns) {
    if (std::strcmp(pattern.name, name) == 0) {
      return pattern;
    }
  }
  std::fprintf(stderr, "no pattern %s\n", name);
  std::exit(1);
}

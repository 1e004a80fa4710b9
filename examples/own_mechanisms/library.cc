// The library that warpsim loads: which mechanisms it has, and under which names.
#include "warpsim/library.h"

#include "pc_stride.h"
#include "second_chance.h"
#include "turns.h"

WARPSIM_LIBRARY(registry) {
  add<mine::SecondChance>(registry, "second_chance", "Replaces the first line that was not used since a hand came by");
  add<mine::Turns>(registry, "turns", "Issues several instructions of a warp before those of the next one");
  add<mine::PcStride>(registry, "pc_stride", "Requests the next line of a load whose lines have equal distances");
}
